"""What the words and the codes of the reference mean, for those who have no book at hand."""

from collections.abc import Mapping

from narrator import errors
from narrator.validation import verdict

WORDS = {
    "aspect": "a phrase that is true and matters, such as *Torchlit Gate*. Whoever **invokes** it gets 2 more on a "
    "roll, or rolls again, and pays with a **fate point**, or with a **free invocation** that somebody holds of it.",
    "boost": "an aspect good for one free invocation, then gone.",
    "ladder": "the names of ratings and totals: -2 Terrible, -1 Poor, 0 Mediocre, 1 Average, 2 Fair, 3 Good, 4 Great, "
    "5 Superb, 6 Fantastic, 7 Epic, 8 Legendary.",
    "shifts": "by how much a total beats what opposes it, in steps of the ladder; below 0 it failed.",
    "outcome": "what shifts come to: `fail` below 0, `tie` at 0, `succeed` from 1, `succeed_with_style` from 3.",
    "branch": "one of the ways that an outcome leaves open; somebody at the table chooses. It **grants** what needs no "
    "words, and has a **slot** for each thing that does. A slot allows some **forms**: a serious cost may be a "
    "consequence, or a new enemy.",
    "hit": "the shifts of an attack that struck. It is absorbed with **stress**, boxes that are soon free again, and "
    "with **consequences**, lasting harm worded as an aspect: there is a slot for that, which may stay empty. Whoever "
    "cannot absorb it, or does not, is **taken out**.",
    "GM": "stands for the opposition wherever a name is wanted and no character of the scene's is meant.",
}
"""What somebody without the book has to know, in the order to read it."""

ERRORS: Mapping[errors.ErrorCode, str] = {
    "bad_request": "What was sent is no JSON, or a field in it is missing, unknown, of the wrong type or out of "
    "bounds; or what it says does not go together.",
    "unknown_ruleset": "No ruleset of this name comes with narrator or stands in the user's folder.",
    "unsupported_action": "The ruleset has no action of this name.",
    "unknown_variant": "The action has no variant, or no maneuver, of this name.",
    "unknown_character": "The scene lists characters, and none of this name.",
    "unknown_aspect": "No aspect of this name is in play, or not on the bearer that is named.",
    "unknown_zone": "The scene has zones, and none of this name.",
    "unknown_branch": "The outcome has no branch of this id.",
    "no_free_invocation": "Whoever invokes has no free invocation of the aspect, nor has anybody left one to take.",
    "no_fate_point": "Whoever invokes has no fate point left.",
    "already_invoked": "The aspect was paid for with a fate point on this roll before.",
    "bad_dice": "Not four faces of -1, 0 or 1, or two of dice, sum and total at once; or none of them, nor a seed, "
    "where the call has to resolve the same again; or a sum where weight turns dice.",
    "bad_invocation": "A reroll where nothing was rolled, or dice told of an invocation that is no reroll.",
    "bad_opposition": "The action is not opposed by what the request names.",
    "bad_choice": "What was chosen does not fit the branch; then nothing is entered. The field is one of the choice.",
    "not_in_frame": "The action has no place in this kind of scene.",
    "stale_scene": "The scene is of another revision than expected: somebody settled something meanwhile.",
    "unknown_page": "The campaign has no such page.",
    "page_closed": "The page was settled before, and is settled once; or it was struck out.",
    "unsettled": "An earlier roll leaves this side a cost or a hit to choose, and comes first.",
    "nothing_to_undo": "Nothing was written into the campaign that could be taken back, or done again.",
    "bad_campaign": "The file is no campaign, is damaged, is of a later version, or cannot be read or written.",
    "bad_ruleset": "A house ruleset's file is wrong; the field names the file, and the line where one is to blame.",
    "bad_deck": "A file of your own cards is wrong; the field names the file, and the line where one is to blame.",
    "no_words": "A strict call found fewer suggestions than were asked for; the message says why.",
    "not_allowed": "Over HTTP: whoever asks is not known, or may not do this; a page from elsewhere may do nothing.",
    "too_busy": "Over HTTP: too much is going on at once; the same request may be answered in a moment.",
    "internal_error": "A fault of narrator's own, and never of the payload's.",
}

REJECTIONS: Mapping[verdict.RejectionCode, str] = {
    "malformed": "It is no object, or a field is missing, unknown, empty or of the wrong type; or the form takes no "
    "name, or wants one.",
    "unknown_slot": "The resolution has no slot of this id, or not in the branch that the request names.",
    "wrong_kind": "The kind that it claims is not that of the slot.",
    "form_not_allowed": "The slot does not have this form.",
    "not_eligible": "It goes to somebody who is not in the form's `to`, or to nobody where that has several names.",
    "wrong_mechanics": "It claims something of its form that the table has otherwise.",
    "unsafe_text": "It has something else than words and the signs of prose: markup, emoji, a line break, characters "
    "that nobody sees, letters of two scripts in one word; or a command, a link or an entity; or no word at all.",
    "too_long": f"The name has more than {verdict.LONGEST_NAME} characters, or the detail more than "
    f"{verdict.LONGEST_DETAIL}.",
    "not_an_aspect": "The name is no phrase: a sentence told, too many words, a number as a modifier, or only "
    "somebody's name.",
    "mechanics_in_text": "It states what the table alone decides: dice, shifts, stress, a rating, a fate point.",
    "contradicts_outcome": "It says that the actor failed where the branch attains the goal, or the other way round.",
    "over_the_line": "It touches one of the scene's lines or veils.",
    "duplicate": "It is in play already, was said lately, stands among the suggestions accepted before it, or only "
    "repeats what was asked or what the request says.",
}
