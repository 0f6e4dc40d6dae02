"""The pronouns of a language, by whom they may mean."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from narrator.language.folding import fold
from narrator.language.lexicon_file import PronounFile, Words


@dataclass(frozen=True)
class Pronoun:
    """The forms of a pronoun, folded."""

    subject: frozenset[str]
    object: frozenset[str]
    owner: frozenset[str]
    plural: bool
    direct: bool
    """Whether it can mean nobody else, as "you"."""

    @cached_property
    def forms(self) -> frozenset[str]:
        """All of them."""
        return self.subject | self.object | self.owner


class Pronouns(tuple[Pronoun, ...]):
    """Those of a language, in the order in which they are asked for."""

    @cached_property
    def forms(self) -> frozenset[str]:
        """All forms of all of them."""
        return frozenset[str]().union(*(each.forms for each in self))

    @cached_property
    def single(self) -> frozenset[str]:
        """Forms that mean one person, who need not be the one spoken to."""
        single = [each for each in self if not each.plural and not each.direct]
        return frozenset[str]().union(*(each.subject | each.object for each in single))


def pronouns(told: Iterable[PronounFile]) -> Pronouns:
    """Make them of what a lexicon's file tells."""
    return Pronouns(
        Pronoun(_folded(each.subject), _folded(each.object), _folded(each.owner), each.plural, each.direct)
        for each in told
    )


def _folded(words: Words) -> frozenset[str]:
    return frozenset(map(fold, words))
