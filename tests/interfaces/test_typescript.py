"""The schemas in another language: TypeScript's types and JavaScript's own judge, made and used for real."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import vtt
from narrator.api.schemas import GIVES, SUBJECTS, schema
from narrator.rules.json_text import Json
from tests.leaping import DEADLINE
from tests.payloads import PAYLOADS
from tests.rows import COMPANIES, ROWS

EXAMPLES = Path(__file__).parents[2] / "examples"
CYNERE = json.loads((EXAMPLES / "cynere.json").read_text("utf-8"))

NPM = shutil.which("npm")
PACKAGES = ("json-schema-to-typescript@16.0.0", "typescript@7.0.2", "ajv@8.20.0")

pytestmark = [pytest.mark.full, pytest.mark.skipif(NPM is None, reason="npm, which installs TypeScript, is not here")]


def _run(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, words)], cwd=folder, capture_output=True, text=True, timeout=DEADLINE, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a compiler, every schema, and the types made of each as the reference says."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text("{}", "utf-8")
    installed = _run(folder, NPM or "", "install", *PACKAGES, "--no-audit", "--no-fund")
    assert installed.returncode == 0, installed.stderr
    schemas = folder / "schemas"
    schemas.mkdir()
    for subject in SUBJECTS:
        (schemas / f"{subject}.json").write_text(json.dumps(schema(subject)), "utf-8")
    how = ("--input", "schemas", "--output", ".", "--maxItems", "4", "--no-additionalProperties")
    made = _run(folder, _tool("json2ts"), *how)
    assert made.returncode == 0, made.stderr
    return folder


def _tool(name: str) -> Path:
    return Path("node_modules", ".bin", f"{name}.cmd" if os.name == "nt" else name)


def complaints(project: Path, program: str) -> list[str]:
    """What the compiler has to say of a program at its strictest."""
    (project / "program.ts").write_text(f"{IMPORTS}\n{program}\n", "utf-8")
    options = ("--strict", "--noEmit", "--module", "esnext", "--moduleResolution", "bundler")
    said = _run(project, _tool("tsc"), *options, "program.ts")
    assert (said.returncode == 0) == (said.stdout == ""), said.stderr
    return said.stdout.splitlines()


NAMES = {subject: schema(subject)["title"] for subject in reversed(SUBJECTS)}
"""What the type of each subject is called in the file that is made of it."""

TYPES = {name: subject for subject, name in NAMES.items()}
"""Each type once, out of one of the files that have it."""

IMPORTS = "\n".join(f'import type {{ {name} }} from "./{subject}";' for name, subject in TYPES.items())


def constants(given: Iterator[tuple[str, Json]]) -> str:
    """A program that gives each value to a constant of its type, and so names no field that the type does not have."""
    return "\n".join(
        f"export const c{number}: {type_} = {json.dumps(value)};" for number, (type_, value) in enumerate(given)
    )


def examples() -> Iterator[tuple[str, Json]]:
    """Those that come with narrator."""
    for path in sorted(EXAMPLES.glob("*.json")):
        read = json.loads(path.read_text("utf-8"))
        yield "Payload" if "call" in read else "Request" if "action" in read else 'Omit<Request, "action">', read


def turns() -> Iterator[tuple[str, Json]]:
    """What goes in and comes out in every row of every ruleset, each with another cast."""
    for number, row in enumerate(ROWS):
        request = next(row.requests([*COMPANIES.values()][number % len(COMPANIES)], seed=number))
        answer = vtt.run({"call": "suggest", "request": request})
        yield "Request", request
        yield "Answer", answer
        first = {each["slot"]: each for each in answer["suggestions"]}
        for branch in answer["resolution"]["branches"]:
            words = [first[slot["id"]] for slot in branch["slots"] if slot["id"] in first]
            payload = {"call": "settle", "request": request, "choice": {"branch": branch["id"], "suggestions": words}}
            settled = vtt.run(payload)
            yield "Payload", payload
            yield ("ErrorObject" if "error" in settled else "Settled"), settled


def others() -> Iterator[tuple[str, Json]]:
    """What else narrator takes and says."""
    for call, payload in PAYLOADS.items():
        yield "Payload", payload
        yield NAMES[GIVES[call]], vtt.run(payload)
    yield "ErrorObject", vtt.run({"call": "fly"})
    for event in narrator.stream(CYNERE, source="deck"):
        yield "Event", event.as_json()


@pytest.mark.parametrize("given", [examples, turns, others])
def test_what_goes_in_and_comes_out_is_of_its_type(project: Path, given: Any) -> None:
    """Every field of it is one that the types know, and what they say is always there is there."""
    assert complaints(project, constants(given())) == []


PROGRAM = """
export function told(answer: Answer | ErrorObject): string {
  if ("error" in answer) return `${answer.error.code}: ${answer.error.allowed?.join(", ") ?? answer.error.message}`;
  const [first] = answer.resolution.branches;
  const faces: (-1 | 0 | 1)[] = [...(answer.resolution.roll?.dice ?? [])];
  const hit = first.grants.find((grant) => grant.type === "hit")?.amount ?? 0;
  return `${faces} ${hit} ${answer.suggestions.map((each) => `${each.name ?? each.form}: ${each.detail}`)}`;
}

export function settle(request: Request, answer: Answer, branch: string): Payload {
  const suggestions = answer.suggestions.filter((each) => each.slot === branch);
  return { call: "settle", request, choice: { branch, suggestions }, expect_revision: request.scene?.revision ?? 0 };
}

export function next(request: Request, settled: Settled, offers: Reaches): Request {
  const invocations = offers.reach.filter((each) => each.side === "actor").map((each) => each.invocation);
  return { ...request, scene: settled.scene, action: { ...request.action, invocations } };
}

export function rating(action: Request["action"]): number {
  return action.opposition?.kind === "passive" ? action.opposition.rating ?? 0 : 0;
}

export function chance(odds: Odds): number {
  const [faces, of] = odds.outcomes["fail"];
  return faces / of;
}

export function heard(event: Event): string {
  switch (event.event) {
    case "accepted": return event.accepted.detail;
    case "rejected": return event.rejected.message;
    case "notice": return event.notice;
    case "resolution": return event.resolution.outcome;
    case "usage": return `${event.usage.seconds}`;
    case "done": return event.done.version;
  }
}
"""
"""What a macro does with them, from a roll to the next scene."""


def test_a_program_can_be_written_with_the_types(project: Path) -> None:
    """What comes out is handed in again, unions are told apart by their fields, and nothing has to be cast."""
    assert complaints(project, f"{PROGRAM}\nexport const it: Request = {{ action: {{ {ACTION} }} }};") == []


ACTION = 'type: "overcome", actor: "Ann", opposition: { kind: "passive", rating: 2 }'

WRONG = {
    "three dice": f"const it: Request = {{ action: {{ {ACTION}, roll: {{ dice: [1, 0, 0] }} }} }};",
    "dice of another game": f"const it: Request = {{ action: {{ {ACTION}, roll: {{ dice: [1, 0, 0, 6] }} }} }};",
    "a field that is not known": f"const it: Request = {{ action: {{ {ACTION} }}, colour: 1 }};",
    "no actor": 'const it: Request = { action: { type: "overcome" } };',
    "an opposition of no kind": 'const it: Request = { action: { type: "a", actor: "b", opposition: { rating: 2 } } };',
    "a part that is missing": f'const it: Payload = {{ call: "check", request: {{ action: {{ {ACTION} }} }} }};',
    "a call that is not known": f'const it: Payload = {{ call: "fly", request: {{ action: {{ {ACTION} }} }} }};',
    "a choice without its branch": "const it: Choice = { suggestions: [] };",
    "a field that does not come out": "declare const it: Answer; it.sugestions;",
    "what may not be there": "declare const it: Resolution; it.roll.total;",
}


@pytest.mark.parametrize("slip", WRONG)
def test_a_slip_does_not_compile(project: Path, slip: str) -> None:
    """The compiler finds it where it was made, and nothing else to say."""
    found = [re.match(r"program\.ts\((\d+),", line) for line in complaints(project, f"{WRONG[slip]}\nexport {{}};")]

    assert {int(place[1]) for place in found if place} == {len(TYPES) + 1}


JUDGE = """
const Ajv = require("ajv/dist/2020");
const judge = new Ajv({ strict: true, strictTypes: false });
for (const file of process.argv.slice(2)) judge.compile(require(file));
"""


def test_every_schema_is_one_to_a_strict_judge(project: Path) -> None:
    """It fulfils the schema of schemas, and has no word in it that means nothing."""
    (project / "judge.cjs").write_text(JUDGE, "utf-8")
    said = _run(project, "node", "judge.cjs", *(f"./schemas/{subject}.json" for subject in SUBJECTS))

    assert said.returncode == 0, said.stderr
