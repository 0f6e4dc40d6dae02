"""The commands: each module here is one, with its name and a function `command`, and is imported when it is called."""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

import narrator
from narrator.cli.first_steps import first_steps
from narrator.cli.options import takes_groups

COMMANDS = {
    "suggest": "Resolve an action and suggest words: costs, boosts, aspects.",
    "say": "Type a roll, a move or a choice as one says it, in one line: cyn stealth vs guards notice, slip past.",
    "word": "Suggest words without a roll: aspects, compels, consequences, high concepts, openings, twists, beats.",
    "stage": "Have a model write cards for a scene before anybody rolls: they are dealt first, at once.",
    "resolve": "Resolve an action: its outcome, and what the table allows.",
    "odds": "Count the chances before a roll, exactly, and with each invocation on offer.",
    "reach": "Say what each invocation still on offer would make of a roll.",
    "check": 'Judge a suggestion: a file with "request" and "candidate".',
    "apply": "Give the scene that a choice leads to: of a page and its letters, or of a file with "
    '"request" and "choice".',
    "settle": "Enter what was chosen, and say what changed: a file kept by `suggest --save` and its page's letters, or "
    'one with\n"request" and "choice".',
    "move": "Make a move: what happens between rolls, such as a compel, a hit, a turn, or the end of a scene.",
    "use": "Choose a campaign, which keeps scene, pages and log, or begin one: then no file need be typed.",
    "undo": "Take back what was written last into the campaign.",
    "redo": "Do again what was taken back last.",
    "note": "Write down in the campaign what the table wants to know later.",
    "strike": "The X-card: strike out what was last, or an entry or page; its words never come again.",
    "log": "Tell what was written into the campaign.",
    "campaigns": "List your campaigns.",
    "backup": "Copy the campaign into a new file, whoever writes meanwhile.",
    "export": "Write all of the campaign into a new file, as lines of JSON.",
    "import": "Make a campaign of what `export` wrote, and use it.",
    "eval": "Put requests to several sources, and hold what comes side by side.",
    "turn-order": "Order everyone for an exchange: a file with a scene, and the skill or approach that decides.",
    "lines": "Say what each line and veil of a scene will catch: a file with a scene.",
    "table": "Show the table of an action, as the book's page would.",
    "rulesets": "List the rulesets: those that come with narrator, and yours.",
    "schema": "Print the JSON Schema of what goes in or what comes out.",
    "vtt": 'Answer a macro: a payload with "call" in, JSON out.',
    "serve": "Answer programs and browsers over HTTP: every call, and campaigns as they are played.",
    "mcp": "Let a chat be the GM, or help them, by the rules: tools over MCP, of a campaign.",
    "models": "Find the models on this machine, and try one; nobody elsewhere is asked.",
    "doctor": "Say why table, model and narrator do not talk. It asks the model that you named one small question.",
    "demo": "Show the main job, with no key and no network: costs for a roll that failed, and a suggestion refused.",
    "deck": "Decks of your own: make one of your notes, check one written by hand.",
}
"""Every command with its help, in the order of the help, which so imports none of them."""


class Commands(TyperGroup):
    """The commands: what is wrong with how they are typed is told with what to type instead."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: TyperCommand(name, help=told) for name, told in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command that is called."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else command_of(name, rest), rest

    def invoke(self, ctx: Any) -> Any:
        """Call it, and tell wrong usage as such."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if "unexpected extra argument" in str(getattr(error, "message", "")):
                hint = 'What has blanks wants straight quotes (--intent "bribe the guards"), a number its option'
                error.message += f". {hint} (--shifts 2)."  # type: ignore[attr-defined]
            raise


def command_of(name: str, words: Sequence[str] = ()) -> Any:
    """Import a command: the function of its module, or the group of those below it. Where the module has `by_words`,
    that says for the words that were typed after the name the help, what stands below it, and further options.
    """
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    if isinstance(module.command, typer.Typer):
        return get_command(module.command)
    told, below, more = module.by_words(words) if hasattr(module, "by_words") else (None, None, {})
    alone = typer.Typer(add_completion=False)
    settings = getattr(module, "SETTINGS", None)
    made = alone.command(name=name, help=told or COMMANDS[name], epilog=below, context_settings=settings)
    made(takes_groups(module.command, more))
    return get_command(alone)


app = typer.Typer(
    cls=Commands,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    help="Words for Fate: the rules decide each action, a language model only words, a validator checks every word.",
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"narrator {narrator.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", metavar="", help="Print the version.", callback=_print_version)
    ] = False,
) -> None:
    """What holds for the whole command line."""
    if ctx.invoked_subcommand is None:
        print("narrator finds words for a roll of Fate. The rules decide; words are checked.")
        print(first_steps())
