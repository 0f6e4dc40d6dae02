"""The command `schema`: print a schema; of all, for each call that of its payload and that of its answer."""

import json
from typing import Annotated

from typer import Argument

from narrator.api import schemas
from narrator.cli.options import SCHEMA_NAMES, one_of

OF = (*SCHEMA_NAMES, "all")
"""What there is a schema of, and every call at once."""


def command(
    of: Annotated[
        str, Argument(metavar="[WHAT]", help=f"What the schema is for: {', '.join(OF)}.", **one_of(OF))
    ] = "request",
) -> None:
    print(json.dumps(schemas.every_call() if of == "all" else schemas.schema(of), indent=2))
