"""Holds meaning to its promise: what states a mechanic, takes back the outcome or touches a line is refused, and words
of the trade in their plain sense pass.
"""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.validation.judged import contradicts, crosses, states_mechanic

MECHANICS = (
    "The guards gain a boost against her.",
    "Boost: Winded.",
    "The captain gains the boost Off Balance.",
    "That gives the raiders a boost.",
    "The next Pilot roll is at -2.",
    "She gets +2 to her next sneaking check.",
    "Everyone here rolls at minus two.",
    "A minus two to his next roll, and plus two on defence.",
    "There is a −2 penalty in the smoke.",
    "He takes 1 mental stress.",
    "She takes two stress.",
    "Mark a stress box.",
    "He counts as having a mild consequence.",
    "She takes a moderate consequence.",
    "Tobin earns a fate point for this.",
    "It costs Juno 1 FP.",
    "He may invoke it with a free invocation.",
    "There is one free invoke on the wreckage.",
    "It can be invoked for free by the hunters.",
    "The lock's difficulty goes up by two.",
    "The lock (difficulty: Great) has to be picked again.",
    "A DC 15 save or fall.",
    "A Great (+4) obstacle bars the way.",
    "It is now Good opposition.",
    "Roll a d20, or 4dF.",
    "It is a two-shift hit to the hull.",
    "The raiders succeed by three shifts.",
    "st\u200bress: she takes one stre\u00adss",
    "ｔａｋｅｓ ｔｗｏ ｓｔｒｅｓｓ",
    "She is two down on her next try.",
    "She marks off a box and walks on.",
    "It costs her one of her points.",
    "The opposition is one step harder.",
    "The guards get a free tag on this.",
    "She rolls with disadvantage.",
    "She has advantage on her next argument.",
    "The GM gets an extra compel.",
    "She makes it, with one shift to spare.",
    "Her Athletics is reduced by one until she rests.",
    "Severe consequence: he cannot run.",
    "Two extra on the dice for whoever holds the stair.",
    "From up here she is two better with a rifle.",
    "The number to beat goes up by two.",
    "The fog gives everyone minus one to see.",
    "Her Rapport is lowered one step until she rests.",
    "Lose 5 HP.",
    "The coat ignores one point of harm.",
    "Half damage from fire.",
    "She may use this once without paying.",
    "The first use is free; later ones cost more.",
    "Tam's player earns a token.",
    "Hand the GM a token or fail.",
    "The test to cross is set at four.",
    "The lock takes a five to open.",
    "Roll Notice or be seen.",
    "The lock is a hard one (DC four).",
    "Roll for initiative.",
    "The check is automatically passed.",
    "If she misses by three or more, the rope snaps.",
    "Success with a cost: the blade breaks.",
    "The duke cannot act in the next exchange.",
    "She gets an extra action.",
    "Start a clock with six segments.",
    "B.O.O.S.T. for the guards",
    "A b00st, a boooost!",
    "One free in-vo-ca-tion on the mud.",
    "She is at minus two on her next Ste alth roll.",
    "D.C. 14 to climb.",
    "Her hand on the lever: +one to 0vercome.",
    "His pool is down to three dice.",
    "The gunner's next throw is two lower.",
    "Fifteen or better to pass.",
    "The baron has two tokens to spend.",
    "His score is halved for this.",
    "This aspect may be invoked twice.",
    "Erase one box.",
    "It costs her one refresh.",
    "Mechanically, this is a boost.",
    "Treat any minus face as a blank one.",
    "She tacks two onto her result.",
    "The ward ignores the first two points of any hit.",
    "His reputation suffers minus two.",
    "He banks a token for later.",
    "Cross Off Your Second Box",
    "Anyone may call on it for a bonus.",
    "She may swap his seamanship score for another.",
    "The mob is rated three.",
    "She wins by a margin of two.",
    "The hull moves only two zones per round.",
    "Cynere must use Stealth to stay hidden.",
    "This removes the second aspect.",
    "It lasts until the end of the scene.",
    "On a success by three, the guard sleeps.",
)

PLAIN = (
    "The hull groans with stress fractures, and she has been under stress before.",
    "A distress flare goes up; he stresses the second syllable.",
    "The stress of two jobs has bent him, and he has a lot of it.",
    "A great hall, a fair trade, a good deal, a poor man, an epic poem, a legendary smith.",
    "An average day in a mild winter with a severe aunt.",
    "He boosts her onto the wall, and gets a boost over the fence.",
    "The news is a boost to morale.",
    "The consequences of war; a woman of consequence; as a consequence, nobody sleeps.",
    "There will be severe consequences for somebody.",
    "Her shout rolls down the slope; he shifts his weight.",
    "A night shift, a double shift, and two shifts at the mill.",
    "He casts the dice and loses his coat; two dice roll across the bar.",
    "A roll of thunder, a bread roll, a roll call.",
    "A twist of fate: fate points the way.",
    "She invokes the saint, and the Third Amendment.",
    "With great difficulty they get the piano down the stairs; he has difficulty standing.",
    "The ladder on the wall; the opposition party.",
    "He comes out of it minus his hat and minus two fingers.",
    "It is -12 °C, twenty below, minus two degrees.",
    "Lifeboat 4 on Tycho-9 at 100-1 odds in 1914-18, says the A+ student.",
    "It costs him his watch plus two good dogs.",
    "Gate D12 is closed, and the pilot rolls left.",
    "They play the hits of 1962.",
    "The sergeant marks a box on his slate.",
    "It costs her one of the finer points of honour.",
    "Every bribe is a little harder to find than the last.",
    "They win by two goals; she spends a moment at the window.",
    "The rope he tied to the props goes taut; it is a great difficulty to get the mule to move.",
    "Pike re-rolls a cigar; the white bishop stands on d6.",
    "They foil him at every turn, and he takes each turn of the stair at a run.",
    "The player at the far table folds; she buys the next round.",
    "It takes two to carry the chest, and two more wait on the roof.",
    "The clerk stamps each box of the form; there are no boxes left on the wharf.",
    "The plan succeeds at a terrible cost, and his grades go from good to poor.",
    "The lift goes up to level four; her armour is two inches thick.",
    "Her plus-one never takes off his gloves.",
    "It is not ice but glass; H. P. Ames was born in Washington, D.C.",
    "He keeps the best two horses; the exchange of prisoners is set for dawn.",
    "Rrroll up, cries the barker; noooo, says she.",
    "One hand on everything; it is a plus to be tall, and a second chance to hit the ball.",
    "They begin the session at nine with a prayer; the key has one use.",
    "A penalty of three silver hangs over late arrivals; give me a boost, whispers the boy.",
    "The question is a natural one, and the point of fate's needle turns north.",
    "Her Christmas bonus is cancelled; the stock closes two points higher.",
    "He trades his skill for bread, and she uses her lore for profit.",
    "It is minus two in the shade, and the crew is six plus two in the boat.",
    "The giant's friendly aspect vanishes; they dwell on this aspect of the case.",
    "He hands over one token and the turnstile opens; the first of them invokes the saint.",
    "She throws the rope a second time; one box marked fragile is missing.",
    "The opposition doubles its guard, and the resistance is now two miles off.",
    "They round up the cattle, and nothing under a ten will do.",
)

GATE: dict[str, Any] = {"others": ("Tobin Reed", "Gate Guards"), "intent": "bribe the guards to be let in after curfew"}
VAULT: dict[str, Any] = {"others": ("Inspector Grandet",), "intent": "open the vault of the Banque Merle"}

MISSED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Cynere fails to get through the gate.", GATE),
    ("Cynere does not get in, for all her silver.", GATE),
    ("Her bribe is refused.", GATE),
    ("The guards refuse and send her off.", GATE),
    ("The sergeant will not be bought.", GATE),
    ("The guards take her silver and shut the gate in her face.", GATE),
    ("The gate stays shut.", GATE),
    ("Cynere, for all her silver, is turned away.", GATE),
    ("She reaches the arch and is driven back.", GATE),
    ("The giant turns her away.", GATE),
    ("The door stays shut.", GATE),
    ("Her attempt comes to nothing.", {}),
    ("She leaves empty-handed.", {}),
    ("Cynere cannot open the vault.", VAULT),
    ("The vault will not budge.", VAULT),
    ("The vault remains unopened.", VAULT),
    ("Cynere learns nothing at all about who paid.", {"intent": "find out who paid"}),
    ("Who paid remains a mystery.", {"intent": "find out who paid"}),
    ("The hunter corners her behind the tanner's.", {"intent": "lose the hunter in the market"}),
    ("Cynere cannot shake the hunter.", {"intent": "lose the hunter in the market"}),
    ("His point goes through her shoulder.", {"intent": "turn the lunge"}),
    ("She bursts into tears.", {"intent": "keep her countenance"}),
    ("She drops the tray and every pot is smashed.", {"intent": "carry the last tray out"}),
    ("The alarm goes off.", {"intent": "open the lifts without tripping the alarm"}),
    ("The lifts open, but she trips the alarm.", {"intent": "open the lifts without tripping the alarm"}),
    ("The ward fails before moonrise.", {"intent": "ward the vault"}),
    ("The pump never starts again.", {"intent": "repair the pump"}),
    ("They laugh at her purse and send her back down the road.", GATE),
    ("Her silver is thrown back at her feet, and the gate shuts in her face.", GATE),
    ("She spends the night outside the walls, no closer to getting in.", GATE),
    ("Lou never tells her who paid.", {"others": ("Lou",), "intent": "find out who paid"}),
    ("Where he was that night, she still does not know.", {"intent": "find out where he was that night"}),
    ("They have to find another way across the gorge.", {"intent": "talk the giant into letting them cross"}),
    ("The pears spill and she has to leave them behind.", {"intent": "get over the wall with the pears"}),
    ("She loses her grip and Ivo falls.", {"others": ("Scout Ivo",), "intent": "carry the scout down the cliff"}),
    ("Night falls before she reaches the top.", {"intent": "scale the glacier before nightfall"}),
    ("She misses the train.", {"intent": "board the train"}),
    ("The goal is not attained.", GATE),
    ("“The goal is not attained.”", GATE),
    ("It fails.", GATE),
    ("The whole plan falls apart.", GATE),
    ("Everything she tries comes to nothing.", GATE),
    ("It was all for nothing.", GATE),
    ("No luck.", GATE),
    ("Cynere Fails", GATE),
    ("Fails to get in", GATE),
    ("is turned away in the end", GATE),
    ("Nobody lets her in.", GATE),
    ("The guards will have none of it.", GATE),
    ("She could not get in.", GATE),
    ("Bribe Refused", GATE),
    ("Utter Failure", GATE),
    ("A Wasted Effort", GATE),
    ("Turned Away", GATE),
    ("Lock Unpicked", {"intent": "pick the lock"}),
    ("A Refused Bribe", GATE),
    ("Foiled at the Gate", GATE),
    ("No one will let her in.", GATE),
    ("The wound does not heal.", {"intent": "heal the wound"}),
    ("The king does not laugh.", {"others": ("the King",), "intent": "make the king laugh"}),
    ("The raiders take the bridge.", {"others": ("Raiders",), "intent": "hold the bridge against the raiders"}),
    (
        "The captain shakes his head, pushes the purse back and goes home.",
        {"others": ("Captain",), "intent": "bribe the captain"},
    ),
    ("The drone flies on.", {"intent": "shoot down the drone"}),
    ("Nobody listened to Cynere.", {"others": ("Third Platoon",), "intent": "order the platoon to hold the bridge"}),
    ("Her threat has had no effect.", {"others": ("Envoy",), "intent": "intimidate the envoy into withdrawing"}),
    ("Train Not Stopped", {"intent": "stop the train"}),
    ("The ghost goes on playing.", {"others": ("The Ghost",), "intent": "calm the ghost"}),
)

STANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("The guards fail to write her name in the book.", GATE),
    ("She fails to notice the boy.", GATE),
    ("Cynere fails to hear the bell.", GATE),
    ("Cynere nearly fails to get through.", GATE),
    ("The guards would have turned her away, but for the silver.", GATE),
    ("She does not fail to get in.", GATE),
    ("Nobody turns her away.", GATE),
    ("If she were to come back, they would turn her away.", GATE),
    ("Does she fail to get through?", GATE),
    ("'You will never get in,' he says.", GATE),
    ("The sergeant swears that she was turned away.", GATE),
    ("The first guard refuses; the second asks how much.", GATE),
    ("The guards refuse to look her in the eye.", GATE),
    ("The guards turn her away twice, and the third time let her in.", GATE),
    ("The guards let her in and turn Tobin back.", GATE),
    ("The guard beside Cynere fails to get through.", GATE),
    ("Here is the sergeant that turned her away, with an open hand.", GATE),
    ("Tobin tries the gate, and he is turned away.", GATE),
    ("The gate stays shut behind her.", GATE),
    ("She does not get through unseen.", GATE),
    ("She never gets her coin back.", GATE),
    ("Cynere never leaves a friend behind.", GATE),
    ("The door of the inner box stays shut.", VAULT),
    ("She cannot get a word in.", VAULT),
    ("She learns the name, and nothing else.", {"intent": "find out who paid"}),
    ("The hunter catches her eye, and looks away.", {"intent": "lose the hunter in the market"}),
    ("His point takes a button off her coat.", {"intent": "turn the lunge"}),
    ("She almost drops the tray.", {"intent": "carry the last tray out"}),
    ("No alarm goes off.", {"intent": "open the lifts without tripping the alarm"}),
    (
        "He lets them cross, but he does not believe a word.",
        {"others": ("Giant",), "intent": "talk him into letting us cross"},
    ),
    ("She is in, and left with nothing but the sword.", GATE),
    ("There is no way out again before dawn.", GATE),
    ("The guard shakes his head, and lifts the bar anyway.", GATE),
    ("Mae gives nothing away, but Lou gives her the name.", {"others": ("Mae", "Lou"), "intent": "find out who paid"}),
    ("She gives way one step.", {"intent": "turn the lunge"}),
    ("She cannot get out again: the gate is locked behind her.", GATE),
    ("It fails when she needs it most, that lamp.", GATE),
    ("A Failing Lantern", GATE),
    ("Power Failure", GATE),
    ("Tobin's plan falls apart.", GATE),
    ("The guards' plan comes to nothing.", GATE),
    ("Nobody lets her forget the price.", GATE),
    ("“Utter failure,” the sergeant says.", GATE),
    ("Her next bribe will be refused.", GATE),
    ("No luck is free: the sergeant wants his cut.", GATE),
    ("No Way Back", GATE),
    ("Not Quiet Enough", GATE),
    ("Too Late for Supper", GATE),
    ("Gets No Sleep", GATE),
    ("Her first attempt failed, and cost her a ring.", GATE),
    ("They will never let her in again.", GATE),
    ("Goods Denied Entry", GATE),
    ("The chancellor does not laugh.", {"others": ("the King",), "intent": "make the king laugh"}),
    ("The left hinge has cracked.", {"others": ("Raiders",), "intent": "hold the door against the raiders"}),
    ("Sister Maud sinks down and cannot lift her arms.", {"intent": "heal the wound"}),
    ("The king refuses to give back her passport.", {"others": ("the King",), "intent": "make the king laugh"}),
    ("The sentry is still alive.", {"others": ("Sentry",), "intent": "blow up the ammunition dump"}),
    ("Bill's brother gets away.", {"others": ("Outlaw Bill",), "intent": "catch Outlaw Bill"}),
)

REACHED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Cynere opens the vault after all and fills her bag.", VAULT),
    ("The vault swings open.", VAULT),
    ("She gets the vault open.", VAULT),
    ("The lock opens and she is through.", VAULT),
    ("Cynere succeeds in cracking the vault.", VAULT),
    ("She gets what she came for.", VAULT),
    ("The guards wave her through.", GATE),
    ("Her words break him completely.", {"others": ("Bell",), "intent": "make him lose his temper"}),
    ("Bell loses his temper.", {"others": ("Bell",), "intent": "make him lose his temper"}),
    ("The captain falls dead.", {"others": ("Captain",), "intent": "drive the captain back"}),
    ("The door gives way at last, and the gold is hers.", VAULT),
    ("She makes off with the contents of the vault.", VAULT),
    ("The bridge comes down just as she planned.", {"intent": "rig the bridge to collapse"}),
    ("She is over the wall, though not unseen.", {"intent": "climb the embassy wall"}),
    ("The goal is attained after all.", VAULT),
    ("It works.", VAULT),
    ("Mission accomplished", VAULT),
    ("“Mission accomplished.”", VAULT),
    ("She makes it after all.", VAULT),
    ("Everything goes to plan.", VAULT),
    ("She has what she was looking for.", VAULT),
    ("comes out on top", VAULT),
    ("Opens the vault", VAULT),
    ("Vault Opened With a Minute to Spare", VAULT),
    ("Victory at Last", VAULT),
    ("Through the Gate at Last", GATE),
    ("Bribe Accepted", GATE),
    ("Motion Granted", GATE),
    ("The duke signs the treaty.", {"others": ("the Duke",), "intent": "persuade the duke to sign the treaty"}),
    ("Into the City at Last", GATE),
    ("She pulls it off with a minute to spare.", VAULT),
    ("She reaches the other side, and nobody is the wiser.", {"intent": "cross the ravine unseen"}),
    ("Cynere holds the ford before a single rider gets past her.", {"intent": "hold the ford"}),
    ("The wound heals without a scar.", {"intent": "heal the wound"}),
    ("The door holds.", {"others": ("Raiders",), "intent": "hold the door against the raiders"}),
    ("The fire is out.", {"intent": "put out the fire in the mill"}),
    ("Warehouse Fire Put Out", {"intent": "put out the warehouse fire"}),
    ("The dump goes up.", {"intent": "blow up the dump"}),
    ("Rook was unhorsed by Cynere.", {"others": ("Ser Rook",), "intent": "unhorse Ser Rook in the joust"}),
    ("The envoy withdraws.", {"others": ("Envoy",), "intent": "intimidate the envoy into withdrawing"}),
    ("Cynere walks out of the cell.", {"intent": "escape out of the cell"}),
    ("The train grinds to a halt.", {"intent": "stop the train"}),
)

NOT_REACHED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("The vault stays shut, and her last wrench snaps.", VAULT),
    ("She very nearly opens the vault.", VAULT),
    ("The vault opens an inch, and sticks.", VAULT),
    ("Cynere tries to open the vault.", VAULT),
    ("She opens her bag of tools.", VAULT),
    ("Inspector Grandet opens the vault himself in the morning.", VAULT),
    ("The vault would open, if she had an hour.", VAULT),
    ("Tomorrow she will open it.", VAULT),
    ("He almost loses his temper.", {"others": ("Bell",), "intent": "make him lose his temper"}),
    ("Inspector Grandet will have the vault opened in the morning.", VAULT),
    ("One councillor is convinced; the others are not.", {"intent": "persuade the council to open the granaries"}),
    ("The captain staggers, and grins.", {"others": ("Captain",), "intent": "drive the captain back"}),
    ("The radio is old. It works.", VAULT),
    ("It works loose, one screw of the hinge.", VAULT),
    ("Grandet gets his way.", VAULT),
    ("Tobin's petition is granted.", GATE),
    ("Through the gate at last light comes a bishop.", GATE),
    ("Success Has a Taste of Copper", VAULT),
    ("Victory Ball Tomorrow", VAULT),
    ("A Friend Inside the Gate", GATE),
    ("She has opened better vaults than this.", VAULT),
    ("Cracks in the Vault", VAULT),
    ("The duke signs nothing.", {"others": ("the Duke",), "intent": "persuade the duke not to sign the treaty"}),
    ("The duke signs the treaty.", {"others": ("the Duke",), "intent": "persuade the duke not to sign the treaty"}),
    ("The vault was opened once before, and the scar shows.", VAULT),
    ("All is not lost.", VAULT),
    ("Pass the Salt", {"intent": "pass the test"}),
    ("A man in the last row applauds, all alone.", {"intent": "perform the aria"}),
    ("The stables are safe.", {"intent": "put out the fire in the mill"}),
    ("The fever is down a little.", {"intent": "cure the fever"}),
    ("The sentry lies dead in the grass.", {"others": ("Sentry",), "intent": "blow up the ammunition dump"}),
    ("She gets no lamb.", {"intent": "steal a lamb from the flock"}),
    ("From the ledge she sees who is at the wreck.", {"intent": "climb down the cliff to the wreck"}),
)

TOUCHED = (
    ("They torture a pickpocket.", "torture"),
    ("The torturer's tools hang on the wall.", "torture"),
    ("TORTURÉD!", "torture"),
    ("tor\u200btured", "torture"),
    ("sui-cide", "suicide"),
    ("s p i d e r s", "spiders"),
    ("A fat brown spider.", "spiders"),
    ("The fisherman she drowned.", "drowning"),
    ("They hanged him; he hung there.", "hanging"),
    ("A gory heap.", "gore"),
    ("A rapist was seen.", "rape"),
    ("He harms a child.", "harm to children"),
    ("The children died that winter.", "child death"),
    ("She harms herself.", "self-harm"),
    ("selfharm", "self-harm"),
    ("A violent evening, of the domestic violent kind.", "domestic violence"),
    ("An ant crosses the map.", "ants"),
    ("The rats are back.", "spiders, rats"),
    ("The surgeon's table.", "surgery"),
    ("His left eye is injured.", "eye injury"),
    ("Dismembered mannequins.", "dismemberment"),
    ("He bleeds.", "blood"),
)

UNTOUCHED = (
    ("A giant with an elegant pedant.", "ant"),
    ("He ups the ante.", "ants"),
    ("Pirates, crates and celebrations.", "rats"),
    ("Changing light on the wash.", "hanging"),
    ("Grape-dark drapes.", "rape"),
    ("Gorgeous gorges.", "gore"),
    ("Needless to say.", "needles"),
    ("Spied upon and inspired.", "spiders"),
    ("The executive suite.", "execution"),
    ("The children are asleep. The harm came later.", "harm to children"),
    ("Domestic bliss. Violence at the dance hall.", "domestic violence"),
    ("Tortoises on tortuous roads.", "torture"),
    ("Anything at all.", ""),
)


@pytest.mark.parametrize("text", MECHANICS, ids=str)
def test_a_mechanic_is_named(text: str) -> None:
    """Words that state a mechanic are found, and the phrase is given as it is written."""
    phrase = states_mechanic(text)

    assert phrase is not None
    assert phrase in text


@pytest.mark.parametrize("text", PLAIN, ids=str)
def test_words_of_the_trade_pass_in_their_plain_sense(text: str) -> None:
    """It is the mechanic that is refused, not the word."""
    assert states_mechanic(text) is None


@pytest.mark.parametrize(("text", "more"), MISSED, ids=[text for text, _ in MISSED])
def test_what_says_that_the_goal_was_missed_contradicts_a_success(text: str, more: dict[str, Any]) -> None:
    """Where the goal is attained, a text that plainly takes it from the actor is refused, and its words are given."""
    phrase = contradicts(text, "Cynere", True, **more)

    assert phrase
    assert phrase in text


@pytest.mark.parametrize(("text", "more"), STANDS, ids=[text for text, _ in STANDS])
def test_what_leaves_the_success_standing_passes(text: str, more: dict[str, Any]) -> None:
    """Another's failure, a failure at something else, a near miss, a wish, a question or a quotation take nothing
    back.
    """
    assert contradicts(text, "Cynere", True, **more) is None


@pytest.mark.parametrize(("text", "more"), REACHED, ids=[text for text, _ in REACHED])
def test_what_says_that_the_goal_was_reached_contradicts_a_failure(text: str, more: dict[str, Any]) -> None:
    """Where the goal is not attained, a text that plainly gives it to the actor is refused."""
    phrase = contradicts(text, "Cynere", False, **more)

    assert phrase
    assert phrase in text


@pytest.mark.parametrize(("text", "more"), NOT_REACHED, ids=[text for text, _ in NOT_REACHED])
def test_what_leaves_the_failure_standing_passes(text: str, more: dict[str, Any]) -> None:
    """An attempt, a beginning, somebody else's success or what may yet come give the actor nothing."""
    assert contradicts(text, "Cynere", False, **more) is None


def test_a_captain_may_be_called_the_captain() -> None:
    """The rank in a name stands for its bearer, unless another one bears it too."""
    text, intent = "The captain cannot open the vault.", "open the vault"

    assert contradicts(text, "Captain Ngozi", True, intent=intent)
    assert contradicts(text, "Captain Ngozi", True, others=["Reaver Captain"], intent=intent) is None


@pytest.mark.parametrize(("text", "line"), TOUCHED, ids=[text for text, _ in TOUCHED])
def test_a_line_is_touched_in_any_inflection_and_disguise(text: str, line: str) -> None:
    """Irregular forms, accents, hyphens, blanks and invisible characters do not hide a line; its wording is given
    back.
    """
    assert crosses(text, ["clowns", line]) == line


@pytest.mark.parametrize(("text", "line"), UNTOUCHED, ids=[text for text, _ in UNTOUCHED])
def test_innocent_words_touch_no_line(text: str, line: str) -> None:
    """Letters inside another word, a word with the same stem, and words in different sentences are innocent."""
    assert crosses(text, [line]) is None


@pytest.mark.parametrize(
    ("language", "text", "line", "touched"),
    [
        ("de", "Die Kinder. Kein Leid geschah dem Kind.", "Leid an Kindern", True),
        ("fr", "On a torturé le prisonnier.", "torture", True),
        ("ru", "Он видит пауков.", "паук", True),
        ("ja", "彼は拷問される。", "拷問", True),
        ("xx", "Ants everywhere", "ants", True),
        ("xx", "One ant", "ants", False),
        ("../en", "One ant", "ants", False),
    ],
    ids=["German", "French", "Russian", "no blanks", "no stemmer", "no stemmer, inflected", "no language"],
)
def test_lines_are_judged_in_the_language_of_the_scene(language: str, text: str, line: str, touched: bool) -> None:
    """A language with a stemmer needs no lexicon for lines, and one without has the words as they are."""
    assert (crosses(text, [line], language) is not None) is touched


@given(st.text(), st.text(max_size=30), st.text(max_size=60), st.lists(st.text(max_size=20), max_size=3), st.booleans())
def test_any_text_gets_an_answer(text: str, actor: str, intent: str, others: list[str], attained: bool) -> None:
    """No text, name, intent or line, however strange, makes a check raise, and every phrase is a part of the text."""
    for language in ("en", "de"):
        for phrase in (
            states_mechanic(text, language),
            contradicts(text, actor, attained, language, others=others, intent=intent),
        ):
            assert phrase is None or phrase in text
        assert crosses(text, others, language) in {None, *others}


TELLING = "she he the guard Cynere fails to open vault nearly not and takes two stress".split()  # noqa: SIM905


def test_a_name_without_a_word_is_a_name_too() -> None:
    """Somebody may be called by a mark alone."""
    assert contradicts("! takes the coin!", "Cynere", True, others=["!", "…"]) is None


WORDS = st.lists(st.sampled_from([*TELLING, ",", ".", "'s", "+2", '"', "'", "-", "…"]), max_size=30)


@given(WORDS, st.booleans())
def test_any_row_of_telling_words_gets_an_answer(words: list[str], attained: bool) -> None:
    """Nor does any order of words that the lexicon looks for."""
    text = " ".join(words)

    contradicts(text, "Cynere", attained, others=["Gate Guards"], intent="open the vault")
    states_mechanic(text)


def test_things_may_be_meant_by_they() -> None:
    """Where several things stand before it, "they" is not the one who acts, and no more is what goes on about them."""
    text = "A beggar by the wall counts the coins as they change hands, and limps off toward the barracks."
    assert contradicts(text, "Cynere", True, others=["Gate Guards"], intent="bribe the guards to be let in") is None


def test_a_name_with_a_comma_makes_no_comma_a_person() -> None:
    """Nor does one with an article make every article the one who acts."""
    text, intent = "In the end, she fails to get through the gate.", "get through the gate"
    assert contradicts(text, "Cynere", True, others=["Mara, Queen of Rats"], intent=intent)
    assert contradicts("The old guard loses his nerve and fails.", "The Captain", True, intent=intent) is None


def test_an_innocent_phrase_excuses_no_disguised_word_beside_it() -> None:
    """A spider plant may stand beside no spider, however it is written."""
    assert crosses("A spider plant stands there.", ["spiders"]) is None
    assert crosses("A spider plant. A sp-ider falls.", ["spiders"]) == "spiders"


def test_elisions_without_end_are_words_without_end() -> None:
    """What holds together by apostrophes is read whatever its length."""
    assert states_mechanic("l'" * 1_200 + "a", "fr") is None
