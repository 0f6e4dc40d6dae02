"""A card: words for a form that need no model, and what they are about. A line of TOML that a GM can write."""

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
"""What somebody does, by family: with the body, with skilled hands, by stealth, by wits, in talk, in a fight, with the
spirit, with what carries one."""

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
"""What a scene may have: where its own words name one, that word is put in."""

PEOPLE = ("actor", "to", "opponent", "foe", "object")
"""What a verb can agree with and a pronoun stand for: the people of a card, and what the deed is done to."""

THINGS: tuple[Thing, ...] = get_args(Thing)
PLACEHOLDER = re.compile(r"\{(\w*)((?:'s| they| them| their)?)\}")
"""A placeholder: a word, and of a person how it is put."""

_BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
_KNOWN = (*PEOPLE, "sought", "aspect", "draft", *THINGS)


class Card(Given):
    """Words for a form that need no model: the deck's own cards, those of a table's deck, and those that a ruleset
    brings for its forms.
    """

    form: Name
    """The form that they are for."""
    kind: Kind | None = None
    """The kind of slot they are for; left out: any that the form may stand in."""
    activities: Annotated[tuple[Activity | Family, ...], LIST] = ()
    """What has to be done for them, one of these, or any of a family; none: anything."""
    side: RollSide | None = None
    """Whom they must serve, where they suit just one side."""
    foes: Annotated[tuple[Nature, ...], LIST] = ("person",)
    """What an opponent in them may be."""
    needs: Annotated[tuple[Condition, ...], LIST] = ()
    """What must be so in the scene."""
    stories: Annotated[tuple[Name, ...], LIST] = ()
    """Words of a scene's tone, such as `noir`: they are dealt only where it says one of them; none: anywhere."""
    goal: Literal["attained", "not_attained"] | None = None
    """What they say of the actor's goal, and so where they may be dealt; left out: nothing."""
    rare: bool = False
    """That they come where others have run out."""
    severities: Annotated[tuple[Name, ...], LIST] = ()
    """Of a consequence that a hit inflicts: the levels that they suit; none: any."""
    tracks: Annotated[tuple[Name, ...], LIST] = ()
    """Of the same: the stress tracks of the attack, such as `mental`; none: any."""
    themes: Annotated[tuple[Name, ...], LIST] = ()
    """What they touch that a table may not want."""
    about: Annotated[tuple[Name, ...], LIST] = ()
    """Names of people and places: they are dealt only where the scene speaks of one, and before all others."""
    where: Annotated[tuple[Name, ...], LIST] = ()
    """Names of places, bound in the same way: with `about`, the scene must speak of one of each."""
    name: Name | None = None
    """The wording of what the form makes, where it makes anything."""
    detail: Name
    """What happens, a sentence or two: `{actor}`, `{object}`, `{light}` and the like are put in, and `has|have` agrees
    with whoever stands before it."""

    @field_validator("name", "detail")
    @classmethod
    def _placeholders_are_known(cls, text: str | None) -> str | None:
        for part in _BRACES.finditer(text or ""):
            found = PLACEHOLDER.fullmatch(part[0])
            word = found[1].lower() if found else ""
            if found is None or word not in (PEOPLE if found[2] else _KNOWN):
                advice = meant(part[1] or "", _KNOWN)
                raise complaint("bad_request", f"there is nothing to put in for {part[0]}{advice}")
        return text

    def misfit(self, form: FormSpec) -> str | None:
        """Say why its form can have no such card; None where it can."""
        if self.kind is not None and self.kind not in form.kinds:
            return f"form {self.form} is for {', '.join(form.kinds)}, not for a {self.kind}"
        if (self.severities or self.tracks) and "consequence" not in form.kinds:
            return f"form {self.form} has no severities and tracks: it is none that a hit inflicts"
        if (self.name is None) != (form.name is None):
            return f"form {self.form} {'wants a' if form.name else 'takes no'} name"
        return None

    @cached_property
    def text(self) -> str:
        """All that it says, name and detail."""
        return f"{self.name or ''} {self.detail}"

    @cached_property
    def id(self) -> str:
        """What it is known by: a number made of its words. Players may read it, so it tells no form."""
        return f"{crc32(self.text.encode()):08x}"

    @cached_property
    def wants(self) -> frozenset[str]:
        """What is put into it, by the names of its placeholders."""
        return frozenset(word.lower() for word, _ in PLACEHOLDER.findall(self.text))
