"""The narrator as a part of LangChain's chains."""

import asyncio
import json
import pickle
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler, UsageMetadataCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda

import narrator
from narrator.chain import runnable
from narrator.errors import NarratorError
from narrator.rules.json_text import Json
from narrator.suggestions.pipeline.answer import Answer
from tests.asking import CYNERE
from tests.cassettes import NOBODY
from tests.leaping import DEADLINE
from tests.scripted_server import PROSE, ScriptedServer, error, suggestions
from tests.sources.asking import FITTING, TEXT
from tests.sources.langchain_models import SECRET, Streaming, Whole, list_model, tokens

EXAMPLE = Path(__file__).parents[2] / "examples" / "langchain_chain.py"


NAMES = [each["name"] for each in FITTING]


def _names(answer: Json) -> list[str]:
    return [each["name"] for each in answer["suggestions"]]


def _invoke(part: Runnable[Any, Any], given: Any = CYNERE, config: Any = None) -> list[Any]:
    return [part.invoke(given, config)]


def _ainvoke(part: Runnable[Any, Any], given: Any = CYNERE, config: Any = None) -> list[Any]:
    return [asyncio.run(part.ainvoke(given, config))]


def _stream(part: Runnable[Any, Any], given: Any = CYNERE, config: Any = None) -> list[Any]:
    return [*part.stream(given, config)]


def _astream(part: Runnable[Any, Any], given: Any = CYNERE, config: Any = None) -> list[Any]:
    async def gather() -> list[Any]:
        return [each async for each in part.astream(given, config)]

    return asyncio.run(gather())


four_ways = pytest.mark.parametrize("asking", [_invoke, _ainvoke, _stream, _astream])


class Seen(BaseCallbackHandler):
    """Writes down what its chain tells of."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.parents: list[bool] = []
        self.tokens = 0

    def on_chain_start(self, *_: Any, name: str | None = None, **more: Any) -> None:
        self.runs.append(str(name))

    def on_chat_model_start(self, *_: Any, **more: Any) -> None:
        self.runs.append("model")
        self.parents.append(more["parent_run_id"] is not None)

    def on_llm_new_token(self, *_: Any, **__: Any) -> None:
        self.tokens += 1


def test_words_of_users_are_no_template() -> None:
    """Braces in what users wrote stay as they are."""
    heard: list[str] = []

    def listen(messages: list[BaseMessage]) -> str:
        heard.extend(str(message.text) for message in messages)
        return TEXT

    summary = "{secret} {{x}} {0.__class__}"
    request = {**CYNERE, "scene": {**CYNERE["scene"], "summary": summary}}
    runnable(RunnableLambda(listen)).invoke(request)
    assert summary in heard[-1]


@four_ways
def test_in_a_chain(asking: Any) -> None:
    """Callbacks see the narrator and, within it, the model; the whole answer goes on as JSON data, and only that."""
    seen = Seen()
    chain = RunnableLambda(json.loads) | runnable(list_model(TEXT)) | RunnableLambda(_names)
    assert asking(chain, json.dumps(CYNERE), {"callbacks": [seen]}) == [NAMES]
    assert {"narrator", "model"} < set(seen.runs)
    assert (seen.parents, seen.tokens) == ([True], len(TEXT))


def test_the_answer_is_json() -> None:
    """What comes out is the contract's answer, which its model reads again."""
    found = runnable("deck").invoke(CYNERE)
    assert Answer.model_validate_json(json.dumps(found)).as_json() == found


@pytest.mark.parametrize("asking", [_stream, _astream])
def test_stream(asking: Any) -> None:
    """The answer streams as it grows; the last is the whole."""
    answers = asking(runnable(list_model(TEXT)))
    assert [len(each["suggestions"]) for each in answers] == [0, 1, 2, 3, 3]
    assert answers[-1]["usage"]["calls"] == 1


def test_a_wrapped_model_in_a_chain() -> None:
    """A model with fallbacks and a retry around it is told of the chain, too."""
    seen = Seen()
    model = Whole(answer=TEXT, failures=1).with_retry(wait_exponential_jitter=False).with_fallbacks([list_model("")])
    found = runnable(model).invoke(CYNERE, {"callbacks": [seen]})
    assert {each["source"] for each in found["suggestions"]} == {"langchain:Whole"}
    assert seen.parents == [True, True]
    assert "narrator" in seen.runs


def test_json_text_in_pieces() -> None:
    """A request that a part before the narrator streams as text is put together first."""

    def in_pieces(words: Iterator[str]) -> Iterator[str]:
        for each in words:
            yield from (each[:30], each[30:])

    chain: Runnable[Any, Any] = RunnableLambda(in_pieces) | runnable("deck")
    assert len(list(chain.stream(json.dumps(CYNERE)))[-1]["suggestions"]) == 3


def test_batch() -> None:
    """Several requests at once each get their own answer."""
    requests: list[Any] = [{**CYNERE, "seed": seed} for seed in range(4)]
    chain = runnable("deck")
    assert chain.batch(requests) == [chain.invoke(each) for each in requests]
    assert asyncio.run(chain.abatch(requests)) == chain.batch(requests)


def test_config() -> None:
    """A name, tags and a handler of usage given by config reach the model's run."""
    usage = UsageMetadataCallbackHandler()
    chunk = AIMessageChunk(content=TEXT, usage_metadata=tokens(10, 5), response_metadata={"model_name": "tiny"})
    bound = runnable(Streaming(chunks=[chunk])).with_config(run_name="costs", tags=["gate"])
    seen = Seen()
    found = bound.invoke(CYNERE, {"callbacks": [usage, seen]})
    assert "costs" in seen.runs
    assert usage.usage_metadata["tiny"]["total_tokens"] == 15
    assert found["usage"]["input_tokens"] == 10


def test_events() -> None:
    """`astream_events` shows the narrator's run and the model's tokens."""

    async def kinds() -> set[str]:
        return {each["event"] async for each in runnable(list_model(TEXT)).astream_events(CYNERE)}

    assert {"on_chain_start", "on_chat_model_stream", "on_chain_stream", "on_chain_end"} <= asyncio.run(kinds())


def test_repr_tells_no_source() -> None:
    """A runnable shows no source in its repr, and with it no key."""
    assert SECRET not in repr(runnable(list_model(SECRET)))


@four_ways
def test_strict(asking: Any) -> None:
    """Where all that was asked for is there, a strict runnable gives the whole answer, once."""
    (whole,) = asking(runnable(list_model(TEXT), strict=True))
    assert _names(whole) == NAMES
    assert {each["source"] for each in whole["suggestions"]} == {"langchain:FakeListChatModel"}


@four_ways
@pytest.mark.parametrize(
    "model",
    [list_model(PROSE), list_model(suggestions(*FITTING[:2])), Streaming(chunks=[], failure=SECRET)],
    ids=["prose", "two of three", "failure"],
)
def test_strict_without_words(asking: Any, model: BaseChatModel) -> None:
    """Fewer suggestions than asked for raise `no_words`, and nothing of the deck's or of a secret comes out."""
    with pytest.raises(NarratorError) as caught:
        asking(runnable(model, strict=True))
    assert caught.value.code == "no_words"
    assert SECRET not in str(caught.value)


@four_ways
def test_fallbacks_around_a_strict_runnable(asking: Any) -> None:
    """They act: what the model has no words for, the deck answers, and nothing of the first attempt is streamed."""
    part = runnable(list_model(PROSE), strict=True).with_fallbacks([runnable("deck")])
    answers = asking(part)
    assert {each["source"] for answer in answers for each in answer["suggestions"]} == {"deck"}
    assert answers[-1]["usage"]["calls"] == 0


@pytest.mark.parametrize("asking", [_invoke, _ainvoke])
def test_a_retry_around_a_strict_runnable(asking: Any) -> None:
    """It acts: a model that writes prose first is asked by a second call."""
    part = runnable(list_model(PROSE, TEXT), strict=True, repairs=0).with_retry(wait_exponential_jitter=False)
    (whole,) = asking(part)
    assert _names(whole) == NAMES


def test_schemas() -> None:
    """What goes in and comes out can be described, as graphs and servers want it."""
    part = runnable("deck")
    assert part.get_name() == "narrator"
    assert {"resolution", "suggestions", "usage"} < part.get_output_jsonschema()["properties"].keys()
    assert part.get_output_schema() is Answer
    assert part.get_input_jsonschema()["required"] == ["action"]


def test_the_example() -> None:
    """The example runs without a key, and its chain goes on."""
    told = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=True, timeout=DEADLINE)
    assert "Seen Her Face" in told.stdout
    chain = runpy.run_path(str(EXAMPLE))["chain"]
    assert "Ink on Both Hands" in chain(list_model(TEXT)).invoke(CYNERE)


def test_options_by_config() -> None:
    """One call's own: prepared words and strictness reach it, and what is somebody else's passes by."""
    before = {name: CYNERE[name] for name in ("ruleset", "scene")} | {"action": CYNERE["action"] | {"roll": None}}
    named = narrator.prepare(before, 0, source="deck").as_json()
    for row in named["rows"].values():
        for each in row["suggestions"]:
            each["source"] = "test:kept"
    found = runnable("deck").invoke(CYNERE, {"configurable": {"prepared": named, "thread_id": "7"}})
    assert {each["source"] for each in found["suggestions"]} == {"test:kept"}
    with pytest.raises(NarratorError, match="strict"):
        runnable("deck").invoke(CYNERE, {"configurable": {"strict": True}})


def test_a_runnable_pickles() -> None:
    """With its options, as what spreads work over processes wants it."""
    request = {**CYNERE, "deal": 3}
    again = pickle.loads(pickle.dumps(runnable("deck", timeout=60)))
    assert again.invoke(request) == runnable("deck").invoke(request)


def test_what_a_retry_cannot_mend_is_not_tried_again() -> None:
    """A request that is refused is refused once."""
    seen = Seen()
    part = runnable("deck").with_retry(wait_exponential_jitter=False)
    with pytest.raises(NarratorError, match="unknown_ruleset"):
        part.invoke({**CYNERE, "ruleset": "none"}, {"callbacks": [seen]})
    assert seen.runs.count("narrator") == 2  # what retries, and its one attempt


LASTING = {400: True, 401: True, 403: True, 404: True, 408: False, 409: False, 422: True, 429: False, 500: False}
"""By what a server answers: whether a call to come is answered with the same."""


@pytest.mark.parametrize(("status", "lasts"), LASTING.items())
def test_a_retry_asks_again_where_a_server_may_think_better_of_it(status: int, lasts: bool) -> None:
    """One that is busy or at fault is asked by a second call; one that refuses the key or the model is not."""
    seen = Seen()
    with ScriptedServer(*[error(status, **{"Retry-After": "0"})] * 9) as server:
        part = runnable(narrator.openai_model("tiny", base_url=server.base_url), strict=True)
        retrying = part.with_retry(wait_exponential_jitter=False, stop_after_attempt=2)
        with pytest.raises(narrator.GoWithoutError if lasts else narrator.TryAgainError):
            retrying.invoke(CYNERE, {"callbacks": [seen]})
    assert seen.runs.count("narrator") == (2 if lasts else 3)  # what retries, and its attempts


@pytest.mark.parametrize(("status", "lasts"), [(401, True), (429, False), (None, False)])
def test_a_retry_goes_by_what_the_sdk_of_a_model_says(status: int | None, lasts: bool) -> None:
    """An SDK that tells the status of a refusal has it judged alike; what tells none may pass."""

    def refuse(_: object) -> str:
        failure = RuntimeError("no")
        if status is not None:
            failure.status_code = status  # type: ignore[attr-defined]
        raise failure

    with pytest.raises(narrator.GoWithoutError if lasts else narrator.TryAgainError):
        runnable(RunnableLambda(refuse), strict=True).invoke(CYNERE)


def test_where_nobody_answers_a_retry_asks_again() -> None:
    """A server that is not there may be there in a moment."""
    with pytest.raises(narrator.TryAgainError):
        runnable(narrator.openai_model("tiny", base_url=NOBODY), strict=True).invoke(CYNERE)


def test_an_option_that_is_wrong_is_told_at_once() -> None:
    """Where the runnable is made, and not in a chain."""
    with pytest.raises(TypeError, match="timout"):
        runnable("deck", timout=3)  # type: ignore[call-arg]
    with pytest.raises(NarratorError, match="timeout"):
        runnable("deck", timeout=-1)
