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
    "suggest": "Resolve a roll and suggest words for it: costs, boosts, aspects.",
    "say": "Type a roll, a move or a choice in one short line: cyn stealth vs guards notice, slip past.",
    "word": "Suggest words without a roll: aspects, compels, consequences, high concepts, openings, twists, beats.",
    "stage": "Let a model write cards for a scene before anybody rolls. Later rolls use them first, without a wait.",
    "resolve": "Resolve a roll: its outcome, and what the rules then allow. No words.",
    "odds": "Show the exact chances before a roll, also with each possible invocation.",
    "reach": "Show what each possible invocation would change about a roll.",
    "check": 'Judge a suggestion, from a file with "request" and "candidate".',
    "apply": "Show the scene after a choice, without writing it anywhere.",
    "settle": "Write down a choice by its letters, such as s1, and show what changed. Without a campaign, first name "
    "the file from `suggest --save`.",
    "move": "Write down what happens between rolls, such as a compel, a turn, or the end of a scene.",
    "use": "Choose or begin a campaign, which keeps the scene, every roll and a log.",
    "undo": "Take back the last entry of the campaign.",
    "redo": "Write the entry again that `undo` took back last.",
    "note": "Write a note into the campaign.",
    "strike": "The X-card: strike out the last words, an entry or a page. Its words never come back.",
    "log": "Show the entries of the campaign.",
    "campaigns": "List your campaigns.",
    "backup": "Copy the campaign into a new file, even while somebody writes.",
    "export": "Write the whole campaign into a new file, as lines of JSON.",
    "import": "Make a campaign from a file that `export` wrote, and use it.",
    "eval": "Compare models and decks: send them the same requests, and show the results side by side.",
    "turn-order": "Show who acts when, by a skill or approach.",
    "lines": "Show what each line and veil of a scene catches.",
    "table": "Show the table of an action, as in the rulebook.",
    "rulesets": "List the rulesets: narrator's and your own.",
    "schema": "Print the JSON Schema of a request or an answer.",
    "vtt": "Answer a macro: one JSON payload in, one JSON answer out. For example: "
    """echo '{"call": "rulesets"}' | narrator vtt""",
    "serve": "Start the server: the page for your browser (--open), and HTTP for programs.",
    "mcp": "Give a chat program tools to play by the rules. It starts this command itself, by a setting such as: "
    '{"mcpServers": {"narrator": {"command": "narrator", "args": ["mcp"]}}}',
    "models": "Find the models on this machine, and try one. Nothing leaves the machine.",
    "doctor": "Find out why something doesn't work: settings, campaign, server, model. Your model gets one short "
    "question.",
    "demo": "Show two examples: costs for a failed roll, and a suggestion that is refused. No key, no network.",
    "deck": "Make a deck of your own cards from notes, or check one that you wrote.",
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
                hint = 'Put quotes around words with spaces (--intent "bribe the guards"), and an option before'
                error.message += f". {hint} a number (--shifts 2)."  # type: ignore[attr-defined]
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
    help="Suggests words for rolls of Fate. The rules decide the outcome. Every suggestion is checked.",
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
