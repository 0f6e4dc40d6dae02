"""Explains the words and the codes of the reference to readers who don't have the book."""

from collections.abc import Mapping

from narrator import errors
from narrator.validation import verdict

WORDS = {
    "aspect": "a phrase that is true and matters, such as *Torchlit Gate*. You **invoke** an aspect to add 2 to a roll "
    "or to roll again. This costs a **fate point**, or one **free invocation** that you hold of the aspect.",
    "boost": "an aspect with one free invocation. Once used, it is gone.",
    "ladder": "the names of ratings and totals: -2 Terrible, -1 Poor, 0 Mediocre, 1 Average, 2 Fair, 3 Good, 4 Great, "
    "5 Superb, 6 Fantastic, 7 Epic, 8 Legendary.",
    "shifts": "the total minus the opposition. Below 0, the action failed.",
    "outcome": "what the shifts mean: `fail` below 0, `tie` at 0, `succeed` from 1, `succeed_with_style` from 3.",
    "branch": "one of the ways that an outcome can go; somebody at the table picks one. Its **grants** need no words. "
    "It has a **slot** for each thing that needs words. A slot lists the **forms** that fit: a serious cost, for "
    "example, may be a consequence or a new enemy.",
    "hit": "the shifts of a successful attack. The target absorbs it with **stress** (boxes that are soon cleared) and "
    "**consequences** (lasting harm, worded as an aspect). The slot for consequences may stay empty. A target who "
    "doesn't absorb the whole hit is **taken out**.",
    "compel": "an aspect makes trouble for its character. Whoever accepts it earns a fate point.",
    "stunt": "a special ability of a character, often 2 more in one situation.",
    "clock": "a row of boxes that counts towards an event, such as *The Gates Open*, 1 of 3.",
    "deal": "which cards the deck gives, by a number. The same number gives the same words again.",
    "told": "given by somebody, not thrown by narrator: dice, a total or an outcome.",
    "GM": "a name for the opposition, used when no character of the scene is meant.",
}
"""What a reader without the book needs, in reading order."""

ERRORS: Mapping[errors.ErrorCode, str] = {
    "bad_request": "The payload is not valid JSON, or a field is missing, unknown, of the wrong type, out of bounds or "
    "in conflict with another. Correct the `field`.",
    "unknown_ruleset": "Neither narrator nor your config folder has a ruleset of this name. Check the spelling, or "
    "pass the ruleset as `rulesets`.",
    "unsupported_action": "The ruleset has no action of this name. `allowed` lists its actions.",
    "unknown_variant": "The action has no such variant or maneuver. `allowed` lists them.",
    "unknown_character": "The scene lists its characters, and this one is missing. Add them to `scene.characters`, or "
    "correct the name.",
    "unknown_aspect": "No aspect of this name is in play, or its bearer is another one. Correct `aspect` or `on`.",
    "unknown_zone": "The scene has no zone of this name. Correct the name, or add the zone.",
    "unknown_branch": "The outcome has no branch with this id. `allowed` lists the ids.",
    "no_free_invocation": "This character has no free invocation of the aspect. Pay with a fate point, or leave the "
    "invocation out.",
    "no_fate_point": "This character has no fate point left. Use a free invocation, or leave the invocation out.",
    "already_invoked": "A fate point already paid for this aspect on this roll. Pick another aspect, or use a free "
    "invocation.",
    "bad_dice": "A roll needs exactly one of: four dice of -1, 0 or 1, their `sum`, or a `total`. If weight turns "
    "dice, send all four. Calls that resolve a roll again also need its dice or its `seed`.",
    "bad_invocation": "The invocation can't work this way: for example a reroll of a told total, dice for a bonus, or "
    "a fate point for a boost. Correct `use`, `pay` or `dice`.",
    "bad_opposition": "The action can't face this kind of opposition. `allowed` lists the kinds that fit.",
    "bad_choice": "The choice does not fit the branch. Nothing was written; correct the `field` of the choice.",
    "not_in_frame": "The action or move does not fit the scene's `frame`, such as an exchange when no contest is "
    "running. Start or end the frame first, or do something else.",
    "stale_scene": "Somebody changed the scene after you read it. Read it again, then repeat the call.",
    "unknown_page": "The campaign has no page with this id. Look up its open pages.",
    "page_closed": "The page was already settled or struck out. Roll again, or undo the settling to choose again.",
    "unsettled": "In a chat: an earlier roll still has a cost or a hit to choose, or too many rolls are open. Settle "
    "those first.",
    "nothing_to_undo": "There is no entry to take back or to redo.",
    "bad_campaign": "The file is not a campaign, is damaged, comes from a newer narrator, or can't be read or written. "
    "The message says which. Correct the path, update narrator, or go back to a backup.",
    "bad_ruleset": "The file of a house ruleset has an error. Correct it at the file and line that `field` names.",
    "bad_deck": "A file of your own cards has an error. Correct it at the file and line that `field` names.",
    "no_words": "The source gave no cards, or too few suggestions for a strict call. The message says why. Try again, "
    "or leave out `strict`.",
    "not_allowed": "You may not do this. Over HTTP, send a valid token or session, from narrator's own page. In a "
    "chat, the person at the table said no or couldn't be asked.",
    "too_busy": "Over HTTP: too many requests are running. Send the same request again in a moment.",
    "internal_error": "A bug in narrator, not a mistake in your payload. The log has the details.",
}

REJECTIONS: Mapping[verdict.RejectionCode, str] = {
    "malformed": "The suggestion is not an object, or a field is missing, unknown, empty or of the wrong type. Or the "
    "form needs a `name`, or takes none.",
    "unknown_slot": "The resolution, or the branch that the request names, has no slot with this id.",
    "wrong_kind": "The claimed `kind` is not the slot's.",
    "form_not_allowed": "The slot does not offer this form.",
    "not_eligible": "`to` is not one of the form's `to`, or is missing although that lists several names.",
    "wrong_mechanics": "A claimed mechanic, such as `severity`, differs from the table.",
    "unsafe_text": "The text contains more than words and punctuation: markup, emoji, a line break, invisible "
    "characters, letters of two scripts in one word, a command, a link or an entity. Or it contains no word.",
    "too_long": f"`name` is longer than {verdict.LONGEST_NAME} characters, or `detail` than {verdict.LONGEST_DETAIL}.",
    "not_an_aspect": "`name` is not a phrase: it is a full sentence, has too many words, contains a number as a "
    "modifier, or is only a character's name.",
    "mechanics_in_text": "The text states a mechanic that the table decides: dice, shifts, stress, a rating, a fate "
    "point.",
    "contradicts_outcome": "The text says that the actor failed in a branch that attains the goal, or the opposite.",
    "over_the_line": "The text touches one of the scene's lines or veils.",
    "duplicate": "The wording is already in play, was said recently, matches an earlier suggestion, or only repeats "
    "the request.",
}
