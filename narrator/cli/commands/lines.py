"""The command `lines`: look at the lines and veils of the scene in a file."""

from narrator.cli.options import File, Format
from narrator.cli.output import refusals, write_answer
from narrator.cli.save_file import scene_of
from narrator.cli.typed_call import TypedCall
from narrator.cli.typed_campaign import CampaignName, in_use


def command(how: Format, file: File = "", campaign: CampaignName = None) -> None:
    with refusals(how):
        table = in_use(campaign, file)
        scene = scene_of(file or "-")[0]["scene"] if table is None else table.scene
        write_answer(TypedCall({"call": "lines", "request": {"scene": scene}}, campaign=table), how)
