"""Skills and approaches: found by name whatever the case, and what a name that nobody has counts."""

from narrator.errors import NarratorError, quoted
from narrator.rules.cast import Cast
from narrator.rules.near import near
from narrator.rules.scene import Character


def rating(character: Character, skill: str | None) -> int:
    """Return a rating on a sheet, in steps of the ladder; 0 for what does not stand there."""
    return character.skills.get(_on_sheet(character, skill) or "", 0)


def spelt(skill: str | None, character: Character, listed: tuple[str, ...]) -> str | None:
    """Spell a skill as the character's sheet has it, else as the ruleset does, else as it was typed."""
    if skill is None:
        return None
    same = (each for each in listed if each.casefold() == skill.casefold())
    return _on_sheet(character, skill) or next(same, skill)


def look_up(skill: str | None, field: str, cast: Cast, listed: tuple[str, ...]) -> tuple[str, ...]:
    """Say of a skill that nobody has that it counts 0; one that the ruleset lists may well be on no sheet.

    Args:
        listed: The ruleset's skills or approaches.

    Raises:
        NarratorError: `bad_request` for a name that is most likely mistyped, with the one meant.
    """
    if skill is None:
        return ()
    if not cast.is_told:
        return (f"The scene lists nobody: {quoted(skill)} counts 0.",)
    known = {name for each in cast.characters.values() for name in each.skills} | set(listed)
    if skill.casefold() in {name.casefold() for name in known}:
        return ()
    if meant := near(skill, sorted(known)):
        raise NarratorError(
            "bad_request", field, f"there is no skill {quoted(skill)} here; did you mean {meant}", [meant]
        )
    return (f"{quoted(skill)} stands on no sheet and is none of the ruleset's skills: it counts 0.",)


def _on_sheet(character: Character, skill: str | None) -> str | None:
    if skill is None or skill in character.skills:
        return skill
    return next((name for name in character.skills if name.casefold() == skill.casefold()), None)
