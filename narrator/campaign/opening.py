"""Opens campaigns, begins new ones, and imports exported ones."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from narrator import config
from narrator.api.occasion import SceneLike
from narrator.api.requests import all_of, find_ruleset
from narrator.campaign import folder, store, tables, transfer
from narrator.campaign.campaign import Campaign
from narrator.campaign.database import Database
from narrator.errors import RequestError
from narrator.files import atomic
from narrator.rules.request.action import USUAL_RULESET
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.ruleset import Ruleset


def open_campaign(
    where: str | Path | None = None,
    name: str | None = None,
    ruleset: str | Ruleset | None = None,
    rulesets: Iterable[Ruleset] = (),
    *,
    scene: SceneLike | None = None,
) -> Campaign:
    """Open a campaign. If it does not exist yet, begin a new one.

    Args:
        where: Its file. If omitted, `NAME.narrator` in the user's data folder.
        name: Its name. You may omit it if you give `where`.
        ruleset: The ruleset of a new campaign: a name, a loaded ruleset or the path of its file.
        rulesets: House rulesets from `load_ruleset` that the name may refer to.
        scene: The first scene of a new campaign. If omitted, an empty scene.

    Raises:
        NarratorError: `unknown_ruleset`. `bad_request`, also if an existing campaign has another ruleset.
            `bad_campaign` if the file is not a campaign, is damaged, has a later version, or can't be read or written.
    """
    given, file = all_of("rulesets", rulesets, Ruleset), None
    if isinstance(ruleset, str) and ruleset.endswith(".toml"):
        file, ruleset = str(Path(ruleset).absolute()), config.load_ruleset(ruleset)
    if isinstance(ruleset, Ruleset):
        given, ruleset = (*given, ruleset), ruleset.name
    played = find_ruleset(USUAL_RULESET if ruleset is None else ruleset, given).name
    first = Scene() if scene is None else Scene.read(scene, "scene")
    database = _place(where, name)
    if database.is_empty():
        with database.beginning() as db:
            # Somebody else may have begun it by now.
            if tables.found_version(db) is None:
                called = name or database.path.stem
                store.begin(db, store.Told(name=called, ruleset=played, ruleset_file=file), first)
    campaign = Campaign(database, given)
    if ruleset not in (None, campaign.ruleset):
        message = f"{campaign.name} already has another ruleset"
        raise RequestError("bad_request", "ruleset", message, [campaign.ruleset])
    return campaign


def _place(where: str | Path | None, name: str | None) -> Database:
    """Find the place of a campaign: its path, or the user's folder, which is created if needed."""
    if name is not None:
        path = folder.file_of(name, os.environ)
        if where is None:
            with atomic.refusing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            return Database(path)
    text = os.fspath(where) if isinstance(where, str | Path) else ""
    if "://" in text:
        raise RequestError("bad_request", "where", "database addresses are not supported yet: give the path of a file")
    if not text.isprintable() or not text or os.path.isdir(text):
        raise RequestError("bad_request", "where", "this must be the path of a file; or give a name instead")
    return Database(Path(text))


def import_campaign(
    lines: Iterable[str],
    where: str | Path | None = None,
    name: str | None = None,
    rulesets: Iterable[Ruleset] = (),
) -> Campaign:
    """Make a new campaign from the lines of `Campaign.export`.

    Raises:
        NarratorError: `bad_campaign` with the line if it is not from an export. Also as `open_campaign`.
    """
    given = all_of("rulesets", rulesets, Ruleset)
    if isinstance(lines, str | bytes) or not isinstance(lines, Iterator | list | tuple):
        raise RequestError("bad_request", "lines", "this must be the lines of an export, one after another")
    rows = transfer.imported(lines, name)
    database = _place(where, name)
    transfer.write(rows, database)
    return Campaign(database, given)
