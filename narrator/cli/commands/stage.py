"""The command `stage`: have a model write cards for a scene, of a campaign or in a file, before anybody rolls."""

import os
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from narrator.api.options import StageOptions
from narrator.api.staging import CARDS, PATIENCE, stage_stream
from narrator.cli.inputs import json_of
from narrator.cli.options import Format, RulesetName, ServerOptions
from narrator.cli.output import refusals
from narrator.cli.save_file import keep, scene_of
from narrator.cli.staging import follow, writer_of
from narrator.cli.typed_campaign import CampaignName, file_in, is_no_file, needed
from narrator.cli.typed_names import played_by
from narrator.cli.usage import UsageError
from narrator.deck.staged import MOST_STAGED
from narrator.errors import visible
from narrator.rules.request.scene import Scene
from narrator.suggestions.pipeline.answer import CardEvent, StageEvent, StagingEvent

ENDING = ".staged.json"


def command(
    how: Format,
    server: ServerOptions,
    what: Annotated[
        str | None,
        Argument(metavar="[NAME|FILE]", help="A campaign or a file with a scene, by default the campaign in use."),
    ] = None,
    cards: Annotated[int, Option(min=1, max=MOST_STAGED, help="How many cards to have in the end.")] = CARDS,
    out: Annotated[
        str | None, Option(metavar="FILE", help=f"With a file: where to save the cards, by default FILE{ENDING}.")
    ] = None,
    source: Annotated[
        str | None, Option(metavar="NAME", help="The source of words with this name in config.toml.")
    ] = None,
    timeout: Annotated[float, Option(metavar="SECONDS", help="The longest time to wait.")] = PATIENCE,
    ruleset: RulesetName = None,
    campaign: CampaignName = None,
) -> None:
    with refusals(how):
        writer = writer_of(server, source)
        if campaign or what is None or is_no_file(what) or what.endswith(".narrator"):
            if out is not None or ruleset is not None:
                raise UsageError("--out and --ruleset are only for a scene in a file")
            follow(needed(campaign or what).stage_stream(cards, source=writer, timeout=timeout), how)
            return
        around, beside = scene_of(what)
        rules, _ = played_by(ruleset, around, beside.ruleset_file)
        place = out or str(Path(what).with_suffix(ENDING))
        # What was written before is gone on with, and each card is in the file once it is there.
        so_far = json_of(place) if file_in(place) and os.path.getsize(place) else {}
        id_ = around["scene"].get("stage") or Scene.read(around["scene"]).stage_id(rules.name)
        if so_far and so_far.get("id") != id_:
            raise UsageError(f"{visible(place)} has no cards of this scene: move it, or name another file", "--out")

        def write(event: StageEvent) -> None:
            if isinstance(event, StagingEvent):
                so_far.update({"id": event.id, "cards": so_far.get("cards", [])})
            elif isinstance(event, CardEvent):
                so_far["cards"].append(event.card.as_json())
            else:
                so_far.update(event.done.as_json())
            keep(place, so_far)

        options: StageOptions = {"source": writer, "timeout": timeout, "rulesets": (rules,)}
        options["staged"] = {**so_far} or None
        follow(stage_stream(around["scene"], cards, rules.name, **options), how, write)
