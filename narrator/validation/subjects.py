"""The subjects of a text: which words mean the actor, and which mean somebody else.

A pronoun counts only if it clearly means the actor. It is better to miss a contradiction than to find a false one in a
text about somebody else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from narrator.language.lexicon import Lexeme, Lexicon
from narrator.language.lexicon_file import Pronoun
from narrator.language.patterns import MARK
from narrator.language.text import Text
from narrator.language.tokens import Token, sentences
from narrator.validation.intent import Intent

_NOBODY, _ACTOR, _OF_ACTOR, _ELSE = "", "actor", "of the actor", "else"
"""The subject of a clause: unknown, the actor, something of the actor's, something else, or the name of another."""

_OWN = frozenset({"@actor", "@whom", "@name"})
"""The keys of the actor's name."""

_BEFORE_A_VERB = frozenset({"<noun_starts>", "<prepositions>", "<adv>", "@name", "@other"})
"""The keys of words that may stand between the beginning of a clause and its verb."""

_OPENS_ANOTHER = frozenset({"<intent_told>", ","})
"""The keys of words that end a clause and its subject."""

_GO_ON = frozenset({"@actor", "@other"})
"""The keys of a subject that goes on after "and"."""


@dataclass(slots=True)
class Marked:
    """A word, or a name of several words, with the keys for its meaning here."""

    keys: frozenset[str]
    start: int
    end: int
    """The place in the text."""
    other: str = ""
    """The other person that is meant."""
    ends_sentence: bool = False


@dataclass(slots=True)
class _Scene:
    """The people mentioned so far."""

    earlier: frozenset[str] = frozenset()
    """Others in the sentence before, or in earlier ones that did not mention the actor."""
    others: set[str] = field(default_factory=set)
    """Others in this sentence so far."""
    plural: set[str] = field(default_factory=set)
    subject: str = _NOBODY
    """The subject of this clause."""
    subject_keys: frozenset[str] = frozenset()
    owned: bool = False
    """Whether the clause is about something that the subject owns."""
    actor_spoken_of: bool = False
    acts_as_many: bool = False
    """Whether the actor's name is a group's, so that "they" means the actor."""
    things: bool = False
    """Whether this sentence has mentioned several things that "they" may mean: "the coins as they change hands"."""
    one_is_single: bool = False
    """Whether the text has a singular pronoun. It may mean the actor, and then "they" means others."""
    learned: set[Pronoun] = field(default_factory=set)
    """The pronouns that were found to mean the actor."""

    def rivals(self, pronoun: Pronoun, agent: str = _NOBODY) -> set[str]:
        """Give the others that a pronoun might also mean."""
        if pronoun.direct:
            return set()
        if pronoun.plural and self.things and not self.acts_as_many:
            return {"things"}
        near = self.others | (set() if pronoun in self.learned else self.earlier)
        return {one for one in near if (one in self.plural) == pronoun.plural and one != agent}


class People:
    """The people that a text may mention, by the words of their names."""

    def __init__(self, actor: str, others: Iterable[str], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._spare = lexicon.told.stop_words | lexicon.told.articles
        self._actor = Text(actor, lexicon)
        self._others = [Text(name, lexicon) for name in others]

    @cached_property
    def theirs(self) -> Mapping[str, Text]:
        """The names of others, by each of their words."""
        said = [(token, name) for name in reversed(self._others) for token in name.tokens if token.kind == "word"]
        return {token.word: name for token, name in said if token.word not in self._spare}

    @cached_property
    def own(self) -> frozenset[str]:
        """The words of the actor's name."""
        return frozenset(token.word for token in self._own_tokens)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words of the actor's name that mean nobody else."""
        titles = {word for word in self.own if "<titles>" in self._lexicon.lists_of(word)}
        own = self.own - self._spare
        return own - titles - self.theirs.keys() or own - self.theirs.keys() or own or self.own

    @cached_property
    def ranks(self) -> frozenset[str]:
        """Words that may replace the name: "the captain" for Captain Ngozi, if there is no other captain."""
        return frozenset(word for word in self.own - self.theirs.keys() if "<ranks>" in self._lexicon.lists_of(word))

    @cached_property
    def cased(self) -> bool:
        """Whether only words with a capital can be the name. Not for names with an article: "the raven" is The
        Raven."""
        first = self._own_tokens[:1]
        led = any(token.word in self._lexicon.told.articles for token in first)
        return not led and any(token.capital for token in self._own_tokens)

    @cached_property
    def are_many(self) -> bool:
        """Whether the actor's name is a plural."""
        return any("<plurals>" in word.keys for word in self._actor.words)

    @property
    def _own_tokens(self) -> list[Token]:
        return [token for token in self._actor.tokens if token.kind == "word"]


def mark(words: Sequence[Lexeme], people: People, intent: Intent, lexicon: Lexicon) -> list[Marked]:
    """Add the keys `@actor`, `@whom`, `@whose`, `@other`, `@foe` and those of the intent to the words of a text."""
    marked = _without_asides(list(_named(words, people, intent, lexicon)))
    single = any(not one.keys.isdisjoint(lexicon.single_pronouns) for one in marked)
    scene = _Scene(one_is_single=single, acts_as_many=people.are_many)
    for sentence in sentences(marked):
        _resolve(sentence, scene, lexicon)
    lists = lexicon.marked_lists
    for one in marked:
        if not lists.keys().isdisjoint(one.keys):
            for key in lists.keys() & one.keys:
                one.keys |= lists[key]
    return marked


def _named(words: Sequence[Lexeme], people: People, intent: Intent, lexicon: Lexicon) -> Iterator[Marked]:
    """Yield the words of a text, with the words of a name as one."""
    # "carry the scout down": what is said of Scout Ivo is about the intent's object
    aims = {key.removeprefix("~") for key in intent.parts.get("@thing", ())}
    own, ranks, undoing = people.own, people.ranks, tuple(lexicon.told.undoing)
    named, parted = own | ranks | people.theirs.keys(), intent.parts_by
    place = end = 0
    is_named = False
    while place < len(words):
        one = words[place]
        text = one.text
        if text not in named and "<person>" not in one.keys and not text.startswith(undoing):
            # Most words: not a name, and nothing undone.
            parts = parted(one.keys)
            place += 1
            yield Marked(one.keys | parts if parts else one.keys, *one.token[1:3], "", one.token.ends_sentence)
            continue
        if end <= place:
            end, is_named = place, False
            while (
                end < len(words)
                and words[end].text in own
                and (words[end].token.capital or end > place or not people.cased)
            ):
                is_named = is_named or words[end].text in people.telling
                end += 1
        if is_named or (one.text in ranks and _is_by_rank(words, place, lexicon)):
            place = end = max(end, place + 1)
            yield Marked(_OWN, one.token.start, words[end - 1].token.end)
        else:
            name = people.theirs.get(one.text)
            if name and _is_only_a_thing(one, name, intent):
                name = None
            other = name.written if name else ""
            if not other and "<person>" in one.keys:
                other = min(key for key in one.keys if key.startswith("~"))
            keys = one.keys | parted(one.keys)
            if other:
                keys |= {"@other"}
            if other and not name and "<kin>" in keys and place and "'s" in words[place - 1].keys:
                other, keys = "", keys - {"@other", "<person>"}  # "Bill's brother" is not Bill, nor anybody known
            if name and any(lexicon.stems(token.word) & aims for token in name.tokens):
                keys |= {"@thing"}
            undone = (one.text.removeprefix(prefix) for prefix in undoing if one.text.startswith(prefix))
            if any(f"~{stem}" in intent.parts.get("@verb", ()) for word in undone for stem in lexicon.stems(word)):
                keys |= {"@undone"}  # "unopened"
            place += 1
            yield Marked(keys, one.token.start, one.token.end, other, one.token.ends_sentence)


def _is_only_a_thing(word: Lexeme, name: Text, intent: Intent) -> bool:
    """Tell whether a word of a name is but what it means, and nobody: "the gate", where there are Gate Guards."""
    before = [token.word for token in name.tokens if token.kind == "word"][:-1]
    if word.token.capital or word.text not in before or "<person>" in word.keys:
        return False
    return "<places>" in word.keys or not word.keys.isdisjoint(intent.parts.get("@place", ()))


def _is_by_rank(words: Sequence[Lexeme], place: int, lexicon: Lexicon) -> bool:
    """Tell whether a rank stands for who has it: "the captain" for Captain Ngozi, not "captain of the watch"."""
    behind = words[place + 1].text if place + 1 < len(words) else ""
    before = words[place - 1].text if place else ""
    return before in lexicon.told.articles and behind != "of"


def _without_asides(marked: Sequence[Marked]) -> list[Marked]:
    """Leave out what stands between commas right behind the name of the one who acts."""
    kept: list[Marked] = []
    place = 0
    while place < len(marked):
        kept.append(marked[place])
        place += 1
        if "@name" in kept[-1].keys and place < len(marked) and "," in marked[place].keys:
            window = marked[place + 1 : place + 10]
            close = next((at for at, one in enumerate(window) if MARK in one.keys), None)
            if close is not None and "," in window[close].keys and not any(one.other for one in window[:close]):
                place += close + 2
    return kept


def _resolve(sentence: Sequence[Marked], scene: _Scene, lexicon: Lexicon) -> None:
    """Give the names and pronouns of one sentence their keys."""
    edge = lexicon.mark_keys(",")
    scene.others, scene.subject, scene.actor_spoken_of, scene.subject_keys = set(), _NOBODY, False, frozenset()
    scene.things = False
    waiting, led, forms = True, False, lexicon.pronouns
    for place, one in enumerate(sentence):
        before = sentence[place - 1].keys if place else edge
        behind = sentence[place + 1].keys if place + 1 < len(sentence) else edge
        if "$" in one.keys:
            led = False
            waiting = not behind.isdisjoint(_BEFORE_A_VERB)
            if not waiting and one.keys.isdisjoint(_OPENS_ANOTHER) and not one.ends_sentence:
                one.keys |= scene.subject_keys  # "she reaches the gate AND fails": it goes on about the same
            elif waiting:
                scene.subject = _NOBODY
        led = led or "<prepositions>" in one.keys
        governed = "<prepositions>" in before
        is_somebody = one.other or "@name" in one.keys or not one.keys.isdisjoint(forms)
        found = _who(one, behind, governed, scene, lexicon) if is_somebody else _NOBODY
        scene.things = scene.things or ("<plurals>" in one.keys and "<det>" in before and not one.other)
        if not waiting or "$" in one.keys:
            continue
        if found and (scene.subject != _ELSE or led or found != _ACTOR):
            scene.subject, waiting = found, False
            scene.subject_keys = frozenset(one.keys & _GO_ON) if found not in {_OF_ACTOR, _ELSE} else frozenset()
        elif not governed and one.keys.isdisjoint(_BEFORE_A_VERB):
            scene.subject, scene.subject_keys = scene.subject or _ELSE, frozenset()
    scene.earlier = frozenset(scene.others | (set() if scene.actor_spoken_of else scene.earlier))


def _who(one: Marked, behind: Set[str], governed: bool, scene: _Scene, lexicon: Lexicon) -> str:
    """Mark a name or pronoun, and give the subject that it makes if it is the first in its clause."""
    if "@name" in one.keys:
        scene.actor_spoken_of = True
        if "'s" in behind:
            one.keys -= {"@whom"}
            one.keys |= {"@whose"}
            return _OF_ACTOR
        if governed:
            one.keys -= {"@actor"}
            return _NOBODY
        return _ACTOR
    if one.other:
        scene.others.add(one.other)
        if "<plurals>" in one.keys:
            scene.plural.add(one.other)
        scene.owned = "'s" in behind
        return _NOBODY if governed else one.other
    for pronoun in lexicon.told.pronouns:
        if not one.keys.isdisjoint(pronoun.forms):
            return _pronoun(one, pronoun, behind, scene, lexicon)
    return _NOBODY


def _pronoun(one: Marked, pronoun: Pronoun, behind: Set[str], scene: _Scene, lexicon: Lexicon) -> str:
    """Mark a pronoun as the actor if it can mean nobody else."""
    if pronoun.plural and scene.one_is_single:
        return _ELSE if not one.keys.isdisjoint(pronoun.subject | pronoun.owner) else _NOBODY
    owns = not one.keys.isdisjoint(pronoun.owner)
    if owns and not one.keys.isdisjoint(pronoun.object):
        owns = "<after_objects>" not in behind
    if owns:
        if scene.subject != _ACTOR and scene.rivals(pronoun, agent=scene.subject if scene.owned else _NOBODY):
            return _ELSE
        _means_the_actor(one, "@whose", pronoun, scene)
        return _OF_ACTOR
    if not one.keys.isdisjoint(pronoun.subject) and (
        scene.subject in {_NOBODY, _ACTOR, _OF_ACTOR} or one.keys.isdisjoint(pronoun.object)
    ):
        if scene.rivals(pronoun):
            return _ELSE
        _means_the_actor(one, "@actor", pronoun, scene)
        return _ACTOR
    if scene.subject in {_ACTOR, _OF_ACTOR}:
        one.keys |= {"@foe"}
    elif not scene.rivals(pronoun, agent=scene.subject):
        _means_the_actor(one, "@whom", pronoun, scene)
    return _NOBODY


def _means_the_actor(one: Marked, key: str, pronoun: Pronoun, scene: _Scene) -> None:
    one.keys |= {key}
    scene.actor_spoken_of = True
    scene.learned.add(pronoun)
