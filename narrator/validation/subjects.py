"""
Finds out of whom a text speaks: which of its words mean the one who acts, and which somebody else.

A pronoun counts only where nobody else can be meant plainly: it is better to miss a contradiction than to see one
in what is said of somebody else.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from narrator.validation.intents import Intent
from narrator.validation.language import Lexicon, Pronoun, Word
from narrator.validation.patterns import MARK
from narrator.validation.tokens import tokens

_NOBODY, _ACTOR, _OF_ACTOR, _ELSE = "", "actor", "of the actor", "else"
"""Whose doing a clause tells: not known, who acts, something of theirs, or something else; otherwise another person."""

_GO_ON = frozenset({"@actor", "@other"})
"""The keys of a subject that an "and" takes on."""


@dataclass(slots=True)
class Marked:
    """
    A word, or a name of several words, with the keys that say what it means here.
    """

    keys: set[str]
    start: int
    end: int
    """The place in the text."""

    other: str = ""
    """Which other person is meant."""

    ends_sentence: bool = False


@dataclass(slots=True)
class _Scene:
    """
    Who has been spoken of so far.
    """

    earlier: frozenset[str] = frozenset()
    """Others in the sentence before, or in earlier ones that did not speak of the one who acts."""

    others: set[str] = field(default_factory=set)
    """Others in this sentence so far."""

    plural: set[str] = field(default_factory=set)
    subject: str = _NOBODY
    """Whose doing this clause tells."""

    subject_keys: frozenset[str] = frozenset()
    owned: bool = False
    """Whether the clause tells what something does that belongs to the subject, which is not what is owned next."""

    actor_spoken_of: bool = False
    one_is_single: bool = False
    """Whether a singular pronoun stands in the text: who acts may be meant by it, and so "they" are others."""

    learned: set[Pronoun] = field(default_factory=set)
    """The pronouns that were found to mean the one who acts."""

    def rivals(self, pronoun: Pronoun, agent: str = _NOBODY) -> set[str]:
        """
        Give the others that a pronoun might mean just as well.
        """
        if pronoun.direct:
            return set()
        near = self.others | (set() if pronoun in self.learned else self.earlier)
        return {one for one in near if (one in self.plural) == pronoun.plural and one != agent}


def mark(words: Sequence[Word], actor: str, others: Iterable[str], intent: Intent, lexicon: Lexicon) -> list[Marked]:
    """
    Give the words of a text with the keys `@actor`, `@whom`, `@whose`, `@other`, `@foe` and those of the intent.
    """
    marked = _without_asides(list(_named(words, actor, list(others), intent, lexicon)))
    for one in marked:
        stems = {key for key in one.keys if key.startswith("~")}
        one.keys |= {key for key, meant in intent.parts.items() if stems & meant}
        if any(f"~{stem}" in intent.parts.get("@verb", ()) for stem in _undone(one, lexicon)):
            one.keys.add("@undone")
    said = frozenset[str]().union(*(one.keys for one in marked))
    single = any(said & (one.subject | one.object) for one in lexicon.pronouns if not one.plural and not one.direct)
    scene = _Scene(one_is_single=single)
    for sentence in _sentences(marked):
        _resolve(sentence, scene, lexicon)
    return marked


def _named(
    words: Sequence[Word], actor: str, others: Sequence[str], intent: Intent, lexicon: Lexicon
) -> Iterator[Marked]:
    """
    Yield the words of a text, those of a name as one.
    """
    spare = lexicon.stop_words | lexicon.articles
    theirs = {token.word: name for name in others for token in tokens(name) if token.word not in spare}
    # "carry the scout down": whatever is said of Scout Ivo is said of what the intent is about
    aims = {key.removeprefix("~") for key in intent.parts.get("@thing", ())}
    aimed_at = {name for word, name in theirs.items() if lexicon.stems(word) & aims}
    own_tokens = [token for token in tokens(actor) if token.kind == "word"]
    own = {token.word for token in own_tokens}
    titles = lexicon.sets.get("titles", frozenset())
    telling = own - spare - titles - set(theirs) or own
    cased = any(token.capital for token in own_tokens)
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].text in own and (words[end].token.capital or end > place or not cased):
            end += 1
        one = words[place]
        if {word.text for word in words[place:end]} & telling or _is_by_rank(words, place, own - set(theirs), lexicon):
            end = max(end, place + 1)
            yield Marked({"@actor", "@whom", "@name"}, one.token.start, words[end - 1].token.end)
        else:
            end = place + 1
            name = theirs.get(one.text, "")
            if name and _is_only_a_thing(one, name, intent, lexicon):
                name = ""
            if not name and not one.keys.isdisjoint(lexicon.sets.get("person", frozenset())):
                name = min(key for key in one.keys if key.startswith("~"))
            keys = {*one.keys, "@other"} if name else set(one.keys)
            if name in aimed_at:
                keys.add("@thing")
            yield Marked(keys, one.token.start, one.token.end, name, one.token.ends_sentence)
        place = end


def _is_only_a_thing(word: Word, name: str, intent: Intent, lexicon: Lexicon) -> bool:
    """
    Tell whether a word of a name stands for what it means and for nobody: "the gate", where there are Gate Guards.
    """
    before = [token.word for token in tokens(name) if token.kind == "word"][:-1]
    if word.token.capital or word.text not in before:
        return False
    places = lexicon.sets.get("places", frozenset()) | intent.parts.get("@place", frozenset())
    return word.keys.isdisjoint(lexicon.sets.get("person", frozenset())) and not word.keys.isdisjoint(places)


def _is_by_rank(words: Sequence[Word], place: int, own: Set[str], lexicon: Lexicon) -> bool:
    """
    Tell whether a word is the rank of the one who acts, and of no one else: "the captain" for Captain Ngozi.
    """
    text = words[place].text
    behind = words[place + 1].text if place + 1 < len(words) else ""
    before = words[place - 1].text if place else ""
    return text in own & lexicon.sets.get("ranks", frozenset()) and before in lexicon.articles and behind != "of"


def _undone(one: Marked, lexicon: Lexicon) -> Iterator[str]:
    """
    Yield the stems of what a word such as "unopened" says was not done.
    """
    for prefix in lexicon.undoing:
        for key in one.keys:
            if key.startswith(prefix):
                yield from lexicon.stems(key.removeprefix(prefix))


def _sentences(marked: Sequence[Marked]) -> Iterator[Sequence[Marked]]:
    start = 0
    for place, one in enumerate(marked):
        if one.ends_sentence or place + 1 == len(marked):
            yield marked[start : place + 1]
            start = place + 1


def _without_asides(marked: Sequence[Marked]) -> list[Marked]:
    """
    Leave out what stands between commas right behind the name of the one who acts.
    """
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
    """
    Give the names and pronouns of one sentence their keys.
    """
    sets = lexicon.sets
    starts = sets.get("noun_starts", frozenset()) | {"@name", "@other"}
    prepositions = sets.get("prepositions", frozenset())
    edge: Set[str] = {"$", MARK}
    scene.others, scene.subject, scene.actor_spoken_of, scene.subject_keys = set(), _NOBODY, False, frozenset()
    waiting, led = True, False
    for place, one in enumerate(sentence):
        before = sentence[place - 1].keys if place else edge
        behind = sentence[place + 1].keys if place + 1 < len(sentence) else edge
        if "$" in one.keys:
            led = False
            waiting = not behind.isdisjoint(starts | prepositions | sets.get("adv", frozenset()))
            if not waiting and not one.ends_sentence:
                one.keys |= scene.subject_keys  # "she reaches the gate AND fails": it goes on about the same
            elif waiting:
                scene.subject = _NOBODY
        led = led or not one.keys.isdisjoint(prepositions)
        governed = not before.isdisjoint(prepositions)
        found = _who(one, behind, governed, scene, lexicon)
        if not waiting or "$" in one.keys:
            continue
        if found and (scene.subject != _ELSE or led or found != _ACTOR):
            scene.subject, waiting = found, False
            scene.subject_keys = frozenset(one.keys & _GO_ON) if found not in {_OF_ACTOR, _ELSE} else frozenset()
        elif not governed and one.keys.isdisjoint(starts | prepositions | sets.get("adv", frozenset())):
            scene.subject, scene.subject_keys = scene.subject or _ELSE, frozenset()
    scene.earlier = frozenset(scene.others | (set() if scene.actor_spoken_of else scene.earlier))


def _who(one: Marked, behind: Set[str], governed: bool, scene: _Scene, lexicon: Lexicon) -> str:
    """
    Mark a name or pronoun, and give whose doing it tells when it is the first in its clause.
    """
    if "@name" in one.keys:
        scene.actor_spoken_of = True
        if "'s" in behind:
            one.keys.discard("@whom")
            one.keys.add("@whose")
            return _OF_ACTOR
        if governed:
            one.keys.discard("@actor")
            return _NOBODY
        return _ACTOR
    if one.other:
        scene.others.add(one.other)
        if not one.keys.isdisjoint(lexicon.sets.get("plurals", frozenset())):
            scene.plural.add(one.other)
        scene.owned = "'s" in behind
        return _NOBODY if governed else one.other
    for pronoun in lexicon.pronouns:
        if not one.keys.isdisjoint(pronoun.subject | pronoun.object | pronoun.owner):
            return _pronoun(one, pronoun, behind, scene, lexicon)
    return _NOBODY


def _pronoun(one: Marked, pronoun: Pronoun, behind: Set[str], scene: _Scene, lexicon: Lexicon) -> str:
    """
    Mark a pronoun as the one who acts, where it can mean nobody else.
    """
    if pronoun.plural and scene.one_is_single:
        return _ELSE if not one.keys.isdisjoint(pronoun.subject | pronoun.owner) else _NOBODY
    owns = not one.keys.isdisjoint(pronoun.owner)
    if owns and not one.keys.isdisjoint(pronoun.object):
        owns = behind.isdisjoint(lexicon.sets.get("after_objects", frozenset()))
    if owns:
        if scene.subject != _ACTOR and scene.rivals(pronoun, agent=scene.subject if scene.owned else _NOBODY):
            return _ELSE
        one.keys.add("@whose")
        _learn(pronoun, scene)
        return _OF_ACTOR
    if not one.keys.isdisjoint(pronoun.subject) and (
        scene.subject in {_NOBODY, _ACTOR, _OF_ACTOR} or one.keys.isdisjoint(pronoun.object)
    ):
        if scene.rivals(pronoun):
            return _ELSE
        one.keys.add("@actor")
        _learn(pronoun, scene)
        return _ACTOR
    if scene.subject in {_ACTOR, _OF_ACTOR}:
        one.keys.add("@foe")
    elif not scene.rivals(pronoun, agent=scene.subject):
        one.keys.add("@whom")
        _learn(pronoun, scene)
    return _NOBODY


def _learn(pronoun: Pronoun, scene: _Scene) -> None:
    scene.actor_spoken_of = True
    scene.learned.add(pronoun)
