"""Words that could complete the last word of a line: people, skills, actions, outcomes, aspects."""

from narrator.line.between_rolls import BEGINNINGS
from narrator.line.figures import LADDER
from narrator.line.line import Line
from narrator.line.words import VERSUS, WITH
from narrator.render import phrases
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.ruleset.ruleset import Ruleset

_OUTCOMES = ("missed", "failed", "tied", "succeeded", "with style")
_BETWEEN = ("concedes", "leaves")


def completions(text: str, scene: Scene, ruleset: Ruleset) -> tuple[str, ...]:
    """Complete the last word. For an empty line, list how it may begin."""
    before, _, last = text.rpartition(" ")
    line = Line(before, scene, ruleset)
    aspects = [*dict.fromkeys(name for name, _ in aspects_in_play(scene))]
    versus = next((at for at in range(len(line.words) - 1, -1, -1) if line.word(at) in VERSUS), None)
    foe = None if versus is None else line.person_at(versus + 1)
    actor = line.person_at(0)
    words: list[str] = []
    if last.startswith("+"):
        words = [f"+{name}" for name in aspects]
    elif not line.words:
        words = [*line.people, *BEGINNINGS, *(f"{each.name} enters" for each in scene.away)]
    elif line.word(0) in ("turn", "compel") and len(line.words) == 1:
        words = line.people
    elif line.word(0) in ("drop", "compel", "tick"):
        words = [*aspects, "accepted", "refused"] if line.word(0) == "compel" else aspects
        words = [each.name for each in scene.clocks] if line.word(0) == "tick" else words
    elif foe is not None and foe.end == len(line.words):
        words = line.skills(foe.names[0])
    elif versus == len(line.words) - 1:
        words = [*LADDER, *line.people]
    elif line.word(len(line.words) - 1) in WITH:
        words = line.skills(actor.names[0] if actor else None)
    elif actor is not None:
        deeds = [phrases.deed(name) for name in ruleset.actions]
        words = [*line.skills(actor.names[0]), *deeds, *_OUTCOMES, "vs", *_BETWEEN]
        words += line.people if line.word(len(line.words) - 1) in ("attacks", "hits", "on") else []
    begun = last.casefold()
    return tuple(dict.fromkeys(word for word in words if _fits(word, begun)))


def _fits(word: str, begun: str) -> bool:
    folded = word.casefold()
    return folded.startswith(begun) or any(part.startswith(begun.lstrip("+")) for part in folded.lstrip("+").split())
