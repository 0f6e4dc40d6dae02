"""One good payload of each call, all of its parts there: whatever tests try with every call, they try with these.

A call that is added gets its payload here, and nowhere else. What its users name or write begins with a capital letter,
and nothing does that narrator knows: tests put other words there.
"""

from narrator.api import registry
from narrator.rules.json_text import Json

ANN: Json = {
    "name": "Ann",
    "side": "Heroes",
    "importance": "pc",
    "zone": "Great Hall",
    "skills": {"Resources": 1},
    "aspects": ["Infamous Girl"],
    "stress": {"Nerve": {"boxes": [1, 2], "marked": [1]}},
    "consequences": [{"severity": "mild", "name": "Split Lip"}, {"severity": "moderate"}],
}
BOB: Json = {"name": "Bob", "side": "Watch", "skills": {"Resources": 2}, "zone": "Great Hall", "fate_points": 2}

SCENE: Json = {
    "summary": "Night at the gate.",
    "tone": "Noir",
    "zones": [{"name": "Great Hall"}],
    "characters": [ANN, BOB],
    "aspects": [{"name": "Fog", "free_invocations": {"Ann": 1, "Bob": 1}}],
}

REQUEST: Json = {
    "scene": SCENE,
    "action": {
        "type": "overcome",
        "actor": "Ann",
        "intent": "Bribe the guards",
        "skill": "Resources",
        "roll": {"dice": [1, 0, 0, -1]},
        "invocations": [{"aspect": "Infamous Girl", "pay": "fate_point"}],
        "opposition": {"kind": "active", "by": "Bob", "skill": "Resources", "roll": {"dice": [1, 1, 1, 0]}},
    },
    "seed": 1,
}

CANDIDATE = {
    "slot": "serious_cost",
    "form": "new_opposition",
    "name": "The Night Clerk",
    "detail": "He writes it down.",
}
CHOICE = {"branch": "serious_cost", "suggestions": [CANDIDATE]}

CARD: Json = {"form": "situation_aspect", "side": "actor", "name": "Keys in the Lamplight"}
CARD |= {"detail": "Somebody holds the keys up to the lamp one by one, and counts them aloud."}
STAGED: Json = {"id": "bf77e4369d26d1af", "for": "e31a86d0ed3e198a", "cards": [CARD]}
"""A card that was written for the scene: there is one, so nobody is asked for more."""

_PARTS: dict[str, Json] = {
    "resolve": {"request": REQUEST},
    "suggest": {"request": REQUEST, "prepared": {"rows": {}}, "staged": STAGED},
    "prepare": {"request": REQUEST, "threshold": 0.25, "staged": STAGED},
    "word": {"request": {"scene": SCENE, "kind": "compel", "about": "Ann", "deal": 3}, "staged": STAGED},
    "stage": {
        "request": {"scene": SCENE | {"stage": STAGED["id"]}, "cards": 1},
        "source": "deck",
        "staged": STAGED,
        "timeout": 300,
    },
    "odds": {"request": REQUEST},
    "reach": {"request": REQUEST, "by": "Ann", "limit": 5},
    "check": {"request": REQUEST, "candidate": CANDIDATE},
    "violations": {"request": REQUEST, "candidate": CANDIDATE},
    "settle": {"request": REQUEST, "choice": CHOICE, "expect_revision": 0},
    "apply": {"request": REQUEST, "choice": CHOICE},
    "move": {
        "request": {
            "scene": SCENE,
            "move": {"type": "pass", "aspect": "Fog", "from": "Ann", "to": "Bob"},
            "ruleset": "five-actions",
        },
        "expect_revision": 0,
    },
    "say": {"request": {"text": "Ann resources +00- vs bob resources", "scene": SCENE, "ruleset": "five-actions"}},
    "complete": {"request": {"text": "Ann res", "scene": SCENE, "ruleset": "five-actions"}},
    "turn_order": {"request": {"scene": SCENE, "approach": "Resources", "together": ["Heroes"]}},
    "lines": {"request": {"scene": {"lines": ["Wasps", "Harm to Children"], "veils": ["Torture"]}}},
    "table": {"request": {"action": "attack", "ruleset": "war-of-ashes"}},
    "rulesets": {},
}

PAYLOADS = {call: {"call": call, **parts} for call, parts in _PARTS.items()}

HOW = frozenset(("source", "timeout", "repairs", "strict"))
"""The parts that say how words are found."""

FINDING = [call for call in PAYLOADS if registry.model_of(call).model_fields.keys() >= HOW]
"""The calls that find words."""
