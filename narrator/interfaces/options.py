"""The options of the command line, and how a shell completes them."""

from typing import Annotated

import typer

from narrator import api
from narrator.errors import NarratorError
from narrator.rules.ruleset import Ruleset


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text} is no whole number") from None


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
        metavar="[FILE|-|ACTION]",
        help="A request as JSON; - is standard input; or an action, told by the options.",
        autocompletion=_actions,
    ),
]
File = Annotated[str, typer.Argument(metavar="[FILE|-]", help="A request as JSON; - is standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the exact object in place of the page.")]
Seed = Annotated[int | None, typer.Option(help="Roll, and draw from the deck, by this number.")]
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
Actor = Annotated[str | None, typer.Option(help="Who acts.", rich_help_panel="In place of a file")]
Skill = Annotated[
    str | None, typer.Option(metavar="NAME=RATING", help="Such as Resources=1.", rich_help_panel="In place of a file")
]
Against = Annotated[
    str | None,
    typer.Option(metavar="RATING", help="Passive opposition: 2 or Fair.", rich_help_panel="In place of a file"),
]
Intent = Annotated[str | None, typer.Option(help="What for.", rich_help_panel="In place of a file")]
Dice = Annotated[
    str | None, typer.Option(metavar="FACES", help='Such as "+ 0 0 -".', rich_help_panel="In place of a file")
]
Total = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        parser=_whole_number,
        help="The result, skill in it.",
        rich_help_panel="In place of a file",
    ),
]
Variant = Annotated[str | None, typer.Option(help="Such as existing_aspect.", rich_help_panel="In place of a file")]
Target = Annotated[str | None, typer.Option(help="On whom.", rich_help_panel="In place of a file")]
Hindering = Annotated[
    list[str] | None,
    typer.Option(metavar="ASPECT", help="An aspect that hinders, for each 2.", rich_help_panel="In place of a file"),
]
Aspect = Annotated[str | None, typer.Option(help="The aspect meant.", rich_help_panel="In place of a file")]
TableAction = Annotated[str, typer.Argument(autocompletion=_actions, help="Such as overcome.")]
TableVariant = Annotated[str | None, typer.Argument(help="Such as existing_aspect; left out: all.")]
Everything = Annotated[bool, typer.Option("--all", help="Tell all that is wrong, not only the first.")]
