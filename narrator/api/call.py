"""What every call is: a model of its payload, which makes it."""

from functools import partial
from typing import Annotated, ClassVar, Unpack

from pydantic import Field, TypeAdapter, ValidationError

from narrator.api.options import Options
from narrator.rules.model import Given, Model, Name, Whole
from narrator.rules.request.action import Request

Identity = Name | Whole | Annotated[float, Field(allow_inf_nan=False)]


def fits_as_id(given: object) -> bool:
    """Whether that may stand as the id of a payload."""
    try:
        TypeAdapter(Identity).validate_python(given, strict=True)
    except ValidationError:
        return False
    return True


class Call(Given):
    """What a payload says: which call it makes, and what that is about."""

    gives: ClassVar[type[Model]]
    """The model of what it gives."""
    is_quick: ClassVar[bool] = True
    """Whether a short payload is answered in a moment: nobody who writes is waited for, and no list of words read."""

    call: str
    """What is asked of narrator."""
    id: Identity | None = None
    """A text or a number of yours, which comes back in the answer and in an error."""

    def make(self, **options: Unpack[Options]) -> Model:
        """Make the call, with the errors of the call of that name in Python."""
        raise NotImplementedError

    async def amake(self, **options: Unpack[Options]) -> Model:
        """The same, without blocking."""
        from narrator.suggestions.time.threads import aside

        return await aside(partial(self.make, **options))


class RequestCall(Call):
    """A call that is about a request."""

    request: Request
    """The action, what opposes it, and who is there."""
