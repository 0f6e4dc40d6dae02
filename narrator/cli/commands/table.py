"""The command `table`: show a table: action and variant are typed as one says them."""

from typing import Annotated

from typer import Argument

from narrator.cli.options import Format, RulesetName, actions
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_call import TypedCall
from narrator.cli.typed_names import as_named, ruleset_of
from narrator.rules.request.action import USUAL_RULESET


def command(
    how: Format,
    action: Annotated[str, Argument(autocompletion=actions, help="The action, such as overcome.")],
    variant: Annotated[str | None, Argument(help="The variant, such as existing_aspect. By default all.")] = None,
    ruleset: RulesetName = None,
) -> None:
    with refusals(how):
        found = ruleset_of(ruleset or USUAL_RULESET)
        named = as_named(action, found.actions)
        if variant is not None:
            variant = as_named(variant, (each.name for each in found.action(named, "action").variants))
        request = {"ruleset": found.name, "action": named, "variant": variant}
        write_answer(TypedCall({"call": "table", "request": request}, (found,)), how)
