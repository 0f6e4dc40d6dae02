"""The command `apply`."""

from narrator.interfaces.answering import refusals, write
from narrator.interfaces.entry import entered
from narrator.interfaces.options import File, Format, Letters, RulesetName, Seed
from narrator.interfaces.typed import TypedChoice


def command(
    typed: TypedChoice,
    how: Format,
    file: File = "-",
    letters: Letters = None,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """Enter a choice, and write the scene."""
    with refusals(how):
        asked, scene = entered("apply", file, letters, typed, ruleset=ruleset, seed=seed)
        write(scene, asked, how)
