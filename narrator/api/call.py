"""The base of all calls: a model of the payload that can also make the call."""

from functools import partial
from typing import Annotated, ClassVar, Unpack

from pydantic import Field, TypeAdapter, ValidationError

from narrator.api.options import Options
from narrator.rules.model import Given, Model, Name, Whole
from narrator.rules.request.action import Request

Identity = Name | Whole | Annotated[float, Field(allow_inf_nan=False)]


def fits_as_id(given: object) -> bool:
    """Whether a value may be the id of a payload."""
    try:
        TypeAdapter(Identity).validate_python(given, strict=True)
    except ValidationError:
        return False
    return True


class Call(Given):
    """A payload: the name of a call, and its parts."""

    gives: ClassVar[type[Model]]
    """The model of its result."""
    is_quick: ClassVar[bool] = True
    """Whether a short payload is answered at once, without waiting for a source or reading lists of words."""

    call: str
    """The name of the call."""
    id: Identity | None = None
    """Your own text or number. The answer, or the error, repeats it."""

    def make(self, **options: Unpack[Options]) -> Model:
        """Make the call. It raises the same errors as the Python function of that name."""
        raise NotImplementedError

    async def amake(self, **options: Unpack[Options]) -> Model:
        """The same, without blocking."""
        from narrator.suggestions.time.threads import aside

        return await aside(partial(self.make, **options))


class RequestCall(Call):
    """A call that is about a request."""

    request: Request
    """The action, its opposition and the scene."""
