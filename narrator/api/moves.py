"""The call that makes a move: what happens between rolls, written into the scene."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Unpack

from narrator.api.call import Call
from narrator.api.occasion import SceneLike
from narrator.api.options import Options
from narrator.api.requests import find_ruleset, within
from narrator.api.settlement import check_revision, told
from narrator.rules.model import Count, Given, Name
from narrator.rules.moves.all_moves import AnyMove
from narrator.rules.moves.move import Book, Move
from narrator.rules.request.action import USUAL_RULESET
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.changes import Settled


class MoveRequest(Given):
    """A scene, and what happens in it."""

    scene: Scene
    """Who and what is there."""
    move: AnyMove
    """What happens."""
    ruleset: Name = USUAL_RULESET
    """Whose rules decide."""


def move(
    scene: SceneLike,
    move: Mapping[str, Any] | Move,
    ruleset: str | Ruleset | None = None,
    *,
    rulesets: Iterable[Ruleset] = (),
    expect_revision: int | None = None,
) -> Settled:
    """Make a move: the scene that it leads to, and what is different in it.

    Args:
        move: What happens, as an object with a `type`, such as `{"type": "leave", "who": "Cynere"}`.
        ruleset: One that was loaded, or the name of one.
        rulesets: House rulesets, as `load_ruleset` gives them, that the name may be of.
        expect_revision: The revision that the scene has to be of, for tables where more than one writes.

    Raises:
        NarratorError: `bad_request`, `unknown_ruleset`, and what the rules refuse, such as `no_fate_point` or
            `not_in_frame`; `stale_scene` for a scene of another revision. Then nothing is changed.
    """
    named = ruleset.name if isinstance(ruleset, Ruleset) else ruleset
    whole = {"scene": Scene.read(scene, "request.scene"), "move": move, "ruleset": named}
    asked = MoveRequest.read(whole, "request")
    check_revision(asked.scene.revision or 0, expect_revision)
    with within("request"):
        found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(asked.ruleset, rulesets)
        book = Book(asked.scene, found)
        with within("move"):
            asked.move.make(book)
            book.check()
        return told(book)


class MoveCall(Call):
    """A call that makes a move, gives the next scene and says what changed."""

    gives: ClassVar = Settled

    call: Literal["move"]
    request: MoveRequest
    """Who is there, and what happens."""
    expect_revision: Count | None = None
    """The revision that the scene has to be of, for tables where more than one writes; left out: any."""

    def make(self, **options: Unpack[Options]) -> Settled:
        return move(**dict(self.request), rulesets=options.get("rulesets", ()), expect_revision=self.expect_revision)
