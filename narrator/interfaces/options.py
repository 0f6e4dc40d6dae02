"""The options of the command line, and how a shell completes them."""

from typing import Annotated

import typer

from narrator import api
from narrator.errors import NarratorError
from narrator.rules.ruleset import Ruleset


def known_rulesets() -> tuple[list[Ruleset], list[NarratorError]]:
    """
    The rulesets that can be read, and what is wrong with the others.
    """
    found: list[Ruleset] = []
    broken: list[NarratorError] = []
    for name in api.rulesets():
        try:
            found.append(api.find_ruleset(name))
        except NarratorError as error:
            broken.append(error)
    return found, broken


def _actions(incomplete: str) -> list[str]:
    return sorted({name for each in known_rulesets()[0] for name in each.actions if name.startswith(incomplete)})


def _rulesets(incomplete: str) -> list[str]:
    return [name for name in api.rulesets() if name.startswith(incomplete)]


What = Annotated[
    str,
    typer.Argument(
        metavar="[ACTION|FILE|-]",
        help="An action, told by the options; or a request as JSON, - for standard input, which they override.",
        autocompletion=_actions,
    ),
]
File = Annotated[str, typer.Argument(metavar="[FILE|-]", help="A request as JSON; - is standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the exact object in place of the page.")]
Seed = Annotated[int | None, typer.Option(help="Roll, and deal from the deck, by this number.")]
Deal = Annotated[int | None, typer.Option(min=0, help="Deal these words again, as the last line named them.")]
Decks = Annotated[list[str] | None, typer.Option("--deck", metavar="FILE", help="Cards of yours, to be dealt too.")]
RulesetName = Annotated[
    str | None,
    typer.Option("--ruleset", metavar="NAME|FILE", help="A ruleset, or a file of yours.", autocompletion=_rulesets),
]
ModelName = Annotated[
    str | None, typer.Option("--model", help="Ask this model; `deck` asks none.  [env: NARRATOR_MODEL]")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="An OpenAI-compatible address.  [env: NARRATOR_BASE_URL]")
]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Spend so many tokens at the most; then the deck answers.")]
ShowPrompt = Annotated[bool, typer.Option("--show-prompt", help="Print what would be sent, and send nothing.")]
Save = Annotated[str | None, typer.Option(metavar="FILE", help="Keep request and answer here, for `settle`.")]
TableAction = Annotated[str, typer.Argument(autocompletion=_actions, help="Such as overcome.")]
TableVariant = Annotated[str | None, typer.Argument(help="Such as existing_aspect; left out: all.")]
Everything = Annotated[bool, typer.Option("--all", help="Tell all that is wrong, not only the first.")]

Letters = Annotated[
    str | None, typer.Argument(metavar="[CHOICE]", help="What the page calls it, such as f, s2, or r1,5.")
]
Absorb = Annotated[
    list[str] | None,
    typer.Option(metavar="BOX|LEVEL=NAME", help='How a hit is absorbed: 2, or "mild=Split Lip".'),
]
TakenOut = Annotated[bool, typer.Option("--taken-out", help="The hit is not absorbed.")]
To = Annotated[str | None, typer.Option(metavar="NAME", help="Who gets what may go to more than one.")]
Holder = Annotated[str | None, typer.Option(metavar="NAME", help="Who gets the free invocation of a consequence.")]
Track = Annotated[str | None, typer.Option(metavar="TRACK", help="Which stress track is marked.")]
ToZone = Annotated[str | None, typer.Option("--zone", metavar="ZONE", help="Where somebody moves.")]
Revision = Annotated[int | None, typer.Option(min=0, help="Refuse a scene of another revision.")]
SaveScene = Annotated[str | None, typer.Option("--save", metavar="FILE", help="Keep the next scene here, for --scene.")]
Follow = Annotated[bool, typer.Option("--follow", help="Whoever may move along does.")]
OwnForm = Annotated[str | None, typer.Option("--form", metavar="FORM", help="Words of your own: their form.")]
OwnName = Annotated[
    str | None, typer.Option("--name", metavar="TEXT", help="Their name; without a form, in place of a suggestion's.")
]
OwnDetail = Annotated[
    str | None,
    typer.Option("--detail", metavar="TEXT", help="What happens; the same."),
]
Approach = Annotated[str | None, typer.Option(metavar="NAME", help="Such as Quick; the file may say it.")]
Ties = Annotated[list[str] | None, typer.Option("--ties", metavar="NAME", help="What breaks a tie.")]
Together = Annotated[list[str] | None, typer.Option(metavar="SIDE", help="A side that acts on its best.")]
First = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Who leads whatever the rating.")]
