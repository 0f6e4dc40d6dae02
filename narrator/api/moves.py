"""The call that makes a move: it writes what happens between rolls into the scene."""

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
    """A scene, and a move in it."""

    scene: Scene
    """The scene."""
    move: AnyMove
    """The move."""
    ruleset: Name = USUAL_RULESET
    """The name of the ruleset that decides."""


def move(
    scene: SceneLike,
    move: Mapping[str, Any] | Move,
    ruleset: str | Ruleset | None = None,
    *,
    rulesets: Iterable[Ruleset] = (),
    expect_revision: int | None = None,
) -> Settled:
    """Make a move. Returns the next scene and what changed.

    Args:
        move: An object with a `type`, such as `{"type": "leave", "who": "Cynere"}`.
        ruleset: A loaded ruleset, or a name.
        rulesets: House rulesets from `load_ruleset` that the name may refer to.
        expect_revision: The revision that the scene must have, for tables where several people write.

    Raises:
        NarratorError: `bad_request`, `unknown_ruleset`, or a code of the rules such as `no_fate_point` or
            `not_in_frame`. `stale_scene` if the scene has another revision. Then nothing changes.
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
    """A call that makes a move and returns the next scene and what changed."""

    gives: ClassVar = Settled

    call: Literal["move"]
    request: MoveRequest
    """The scene and the move."""
    expect_revision: Count | None = None
    """The revision that the scene must have, for tables where several people write. If omitted, any."""

    def make(self, **options: Unpack[Options]) -> Settled:
        return move(**dict(self.request), rulesets=options.get("rulesets", ()), expect_revision=self.expect_revision)
