"""Where the user's own files are: the config folder, with `config.toml` and `rulesets/` in it."""

from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_config_path


def config_folder(environment: Mapping[str, str]) -> Path:
    """
    Name the folder: what `NARRATOR_CONFIG` says, else the system's place for it. It need not exist.
    """
    named = environment.get("NARRATOR_CONFIG", "").strip()
    return Path(named) if named else user_config_path("narrator", appauthor=False)
