"""The command `models`: find the models on this machine, try one, and give it a name in `config.toml`."""

import os
from typing import Annotated, Any

import anyio
from typer import Argument, Option

from narrator import config
from narrator.cli.options import MANNERS, Format, one_of
from narrator.cli.output import refusals, write_findings
from narrator.cli.word_source import status_of
from narrator.errors import RequestError
from narrator.setup import loopback, model_checks
from narrator.setup.findings import Finding
from narrator.sources.selection import source_of
from narrator.sources.settings import Settings


def command(
    how: Format,
    model: Annotated[str | None, Argument(metavar="MODEL", help="The model to try, by default the first.")] = None,
    port: Annotated[
        list[int] | None, Option(min=1, max=65_535, help="Look at this port as well. Repeat it for more.")
    ] = None,
    manner: Annotated[Any, Option(metavar="NAME", help="How to ask the model.", **one_of(MANNERS))] = None,
    write: Annotated[
        str | None, Option(metavar="NAME", help="Save it in config.toml under this name, if the trial went well.")
    ] = None,
) -> None:
    with refusals(how):
        if write is not None:  # refused before anybody waits for a model
            config.add_source(write, config.NamedSource(), os.environ, is_tried=True)
        keys, servers = model_checks.keys(), anyio.run(loopback.find, port or ())
        every = [(name, url) for url, each in servers.items() for name in each.more]
        # What embeds writes nothing.
        every.sort(key=lambda offer: "embed" in offer[0].casefold())
        offer = next((each for each in every if model in (None, each[0])), None)
        if offer is None and every:
            allowed = [name for name, _ in every]
            raise RequestError("bad_request", "MODEL", "no server on this machine has a model with this name", allowed)
        if offer is None:
            more = tuple(f"{each.name}, port {each.port}: {each.cure}" for each in loopback.USUAL)
            text = "no model was found. narrator looked for these servers"
            trial = Finding(check="trial", state="wrong", text=text, more=more, cure="start one of them, with a model")
        else:
            source = source_of(Settings(*offer, manner=manner or "together"))
            with status_of(source):
                trial = model_checks.tried(source)
        found = [*servers.values(), trial]
        if write is not None and offer is not None and trial.state == "ok":
            told = config.NamedSource(model=offer[0], base_url=offer[1], manner=manner)
            file = config.add_source(write, told, os.environ)
            use = (f"narrator suggest ... --source {write}",)
            found.append(
                Finding(check="config", state="ok", text=f"saved as {write} in {file}. Use it with:", more=use)
            )
        elif write is not None:
            text = f"{write} was not saved, because no suggestion was accepted"
            found.append(Finding(check="config", state="wrong", text=text, cure="try another model"))
        write_findings([*found, *keys], how)
