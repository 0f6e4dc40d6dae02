"""The command `use`: choose the campaign that what is typed next is about, and begin it where there is none."""

import os
from typing import Annotated

from typer import Argument, Option

from narrator.campaign import campaign_views, folder
from narrator.cli.options import Format, RulesetName, switch
from narrator.cli.output import refusals, write_told
from narrator.cli.save_file import scene_of
from narrator.cli.typed_campaign import needed, opened
from narrator.cli.usage import UsageError
from narrator.render.view import line


def command(
    how: Format,
    name: Annotated[
        str | None,
        Argument(help="The name of the campaign, or the path of its file. Without it, the one in use is shown."),
    ] = None,
    none: Annotated[bool, switch("--none", "Use no campaign from now on.")] = False,
    new: Annotated[bool, switch("--new", "Begin a campaign with this name. --ruleset and --scene do too.")] = False,
    ruleset: RulesetName = None,
    scene: Annotated[str | None, Option(metavar="FILE", help="Begin a campaign with the scene in this file.")] = None,
    stage: Annotated[bool, switch("--stage", "Let a model write cards for the scene.")] = False,
) -> None:
    from narrator.campaign.opening import open_campaign
    from narrator.cli.staging import stage_if_wanted

    with refusals(how):
        if none:
            if name is not None:
                raise UsageError("give either a NAME or --none")
            folder.choose(None, os.environ)
            write_told({"use": None}, [line("No campaign is in use.")], how)
            return
        if name is None:
            found = needed(None)
        else:
            is_new = not folder.file_of(name, os.environ).exists()
            if not is_new and (new or scene is not None):
                raise UsageError(
                    f"{name} exists already: leave out --new and --scene to use it, or choose another name"
                )
            if is_new and not new and scene is ruleset is None:
                opened(name, "NAME")
            around = {} if scene is None else scene_of(scene)[0]
            played = ruleset or around.get("ruleset")
            where = name if name.endswith(folder.SUFFIX) else None
            played = played if is_new or ruleset else None
            found = open_campaign(where, None if where else name, played, scene=around.get("scene"))
            folder.choose(name, os.environ)
        write_told({"use": found.name, "scene": found.scene.as_json()}, campaign_views.previously(found), how)
        if scene is not None:
            stage_if_wanted(found, how, is_typed=stage)
