"""A card: ready-made words for a form, and where they fit. A GM can write one in a line of TOML."""

import re
from functools import cached_property
from typing import Annotated, Literal, get_args
from zlib import crc32

from pydantic import field_validator

from narrator.rules.model import LIST, Given, Name, complaint
from narrator.rules.ruleset.declarations import RollSide
from narrator.rules.ruleset.row import FormSpec, Kind
from narrator.rules.typo import meant

Family = Literal["body", "hands", "stealth", "wits", "talk", "fight", "spirit", "vehicle"]
Activity = Literal[
    "climb", "swim", "leap", "run", "lift", "break", "endure", "escape",
    "unlock", "steal", "make", "heal", "hack",
    "sneak", "hide", "disguise",
    "search", "read", "track", "insight",
    "persuade", "lie", "threaten", "bargain", "perform", "lead", "gamble", "ask",
    "strike", "shoot", "dodge", "grapple",
    "cast", "resist", "tame",
    "ride", "drive", "sail",
]  # fmt: skip
"""What somebody does. Each line has the activities of one family, in the order of `Family`."""

ACTIVITIES: tuple[Activity, ...] = get_args(Activity)
FAMILIES: tuple[Family, ...] = get_args(Family)
Nature = Literal["person", "beast", "thing"]
NATURES: tuple[Nature, ...] = get_args(Nature)
Condition = Literal["people", "town", "wild", "indoors", "outdoors", "water", "height", "dark"]
Thing = Literal[
    "official", "guard", "guards", "boss", "rival", "bystander", "bystanders",
    "light", "ground", "wall", "cover", "door", "lock", "alarm", "paper", "book", "weapon", "missile", "tool", "rope",
    "vehicle", "mount", "machine", "signal", "garment", "bag", "box", "drink", "money", "smell", "beast", "place",
]  # fmt: skip
"""Things that a scene may contain. The scene's own word for one replaces its placeholder."""

PEOPLE = ("actor", "to", "opponent", "foe", "object")
"""Placeholders that verbs and pronouns can refer to: people, and the object of the deed."""

THINGS: tuple[Thing, ...] = get_args(Thing)
PLACEHOLDER = re.compile(r"\{(\w*)((?:'s| they| them| their)?)\}")
"""A placeholder: a word, for people optionally with a form such as `'s` or ` they`."""

_BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
_KNOWN = (*PEOPLE, "sought", "aspect", "draft", *THINGS)


class Card(Given):
    """Ready-made words for a form. Cards belong to narrator's deck, to a deck of your own, or to a ruleset."""

    form: Name
    """The form that the card is for."""
    kind: Kind | None = None
    """The kind of slot that it is for. If omitted, any kind that the form allows."""
    activities: Annotated[tuple[Activity | Family, ...], LIST] = ()
    """The activities or families that it fits. If empty, anything."""
    side: RollSide | None = None
    """The side that must benefit, if the card suits only one."""
    foes: Annotated[tuple[Nature, ...], LIST] = ("person",)
    """What the opponent may be."""
    needs: Annotated[tuple[Condition, ...], LIST] = ()
    """Conditions that the scene must meet."""
    stories: Annotated[tuple[Name, ...], LIST] = ()
    """Words such as `noir`. The scene's tone must contain one of them. If empty, any tone fits."""
    goal: Literal["attained", "not_attained"] | None = None
    """What the card says about the actor's goal. It must match the branch. If omitted, it says nothing."""
    rare: bool = False
    """Whether it is dealt only after other cards have run out."""
    severities: Annotated[tuple[Name, ...], LIST] = ()
    """The levels that it fits, for a consequence of a hit. If empty, any."""
    tracks: Annotated[tuple[Name, ...], LIST] = ()
    """The attack's stress tracks that it fits, such as `mental`, for a consequence of a hit. If empty, any."""
    themes: Annotated[tuple[Name, ...], LIST] = ()
    """Themes in it that a table may not want."""
    about: Annotated[tuple[Name, ...], LIST] = ()
    """Names of people and places. The scene must mention one. The card is then dealt before all others."""
    where: Annotated[tuple[Name, ...], LIST] = ()
    """Names of places, with the same effect. With `about`, the scene must mention one of each."""
    name: Name | None = None
    """The name, if the form has one."""
    detail: Name
    """What happens, in a sentence or two. It may contain placeholders such as `{actor}`, `{object}` and `{light}`.
    `has|have` agrees with the person before it."""

    @field_validator("name", "detail")
    @classmethod
    def _placeholders_are_known(cls, text: str | None) -> str | None:
        for part in _BRACES.finditer(text or ""):
            found = PLACEHOLDER.fullmatch(part[0])
            word = found[1].lower() if found else ""
            if found is None or word not in (PEOPLE if found[2] else _KNOWN):
                advice = meant(part[1] or "", _KNOWN)
                raise complaint("bad_request", f"{part[0]} is not a placeholder{advice}")
        return text

    def misfit(self, form: FormSpec) -> str | None:
        """Say why the card does not fit its form, or return None if it does."""
        if self.kind is not None and self.kind not in form.kinds:
            return f"form {self.form} is for {', '.join(form.kinds)}, not for {self.kind}"
        if (self.severities or self.tracks) and "consequence" not in form.kinds:
            return f"form {self.form} has no severities and tracks: only a form of kind consequence has them"
        if (self.name is None) != (form.name is None):
            return f"form {self.form} {'needs a' if form.name else 'accepts no'} name"
        return None

    @cached_property
    def text(self) -> str:
        """Name and detail together."""
        return f"{self.name or ''} {self.detail}"

    @cached_property
    def id(self) -> str:
        """The card's id, a checksum of its words. Players may see it, so it does not reveal the form."""
        return f"{crc32(self.text.encode()):08x}"

    @cached_property
    def wants(self) -> frozenset[str]:
        """The names of its placeholders."""
        return frozenset(word.lower() for word, _ in PLACEHOLDER.findall(self.text))
