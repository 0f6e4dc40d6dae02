"""The command `doctor`: say why table, model and narrator do not talk."""

import os
from collections.abc import Callable
from functools import partial
from typing import Annotated

from typer import Argument, Option

from narrator import config
from narrator.cli.commands.serve import PORT
from narrator.cli.options import Format
from narrator.cli.output import write_findings
from narrator.setup import model_checks, table_checks
from narrator.setup.findings import Check, findings


def command(
    how: Format,
    name: Annotated[
        str | None, Argument(metavar="CAMPAIGN", help="The campaign to check, by default the one in use.")
    ] = None,
    port: Annotated[int, Option(min=1, max=65_535, help="The port of `narrator serve`.")] = PORT,
    origin: Annotated[
        str | None, Option(metavar="URL", help="The address of your virtual tabletop, such as https://mygame.example.")
    ] = None,
) -> None:
    house = config.named(os.environ)
    checks: dict[str, Callable[[], Check]] = {
        "settings": partial(table_checks.files, "config.toml", config.read_config),
        **{f"ruleset {name}": partial(table_checks.files, name, partial(config.find, name)) for name in house},
        "decks": partial(table_checks.files, "decks", config.decks),
        "campaign": partial(table_checks.campaign, name),
        "server": partial(table_checks.server, port),
        "token": partial(table_checks.token, port),
        "origin": partial(table_checks.origin, origin, port),
        "proxy": table_checks.proxy,
        "model": model_checks.model,
    }
    write_findings(findings(checks), how)
