"""A chain that goes on after the narrator: its suggestions become lines that a game master reads aloud.

Run it as it is: LangChain's own fake model stands in for a real one, and no key is needed. With a real model, take
any chat model of LangChain's in its place, with its fallbacks and retries; `| model | StrOutputParser()` would do for a
second model after `ALOUD`.
"""

import json
from pathlib import Path
from typing import Any

from langchain_core.language_models import FakeListChatModel
from langchain_core.prompt_values import PromptValue
from langchain_core.prompts import PromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda

from narrator.chain import runnable

WRITTEN = {
    "suggestions": [
        {
            "slot": "serious_cost",
            "form": "opposition_advantage",
            "to": "Gate Guards",
            "name": "Seen Her Face",
            "detail": "The older guard holds the torch a moment too long and knows her from the posters.",
        },
        {
            "slot": "serious_cost",
            "form": "new_opposition",
            "to": None,
            "name": "The Captain's Spy",
            "detail": "A beggar by the wall counts the coins as they change hands, and limps off toward the barracks.",
        },
    ]
}

ALOUD = PromptTemplate.from_template("At the gate, one of these comes true:\n{choices}")


def chain(model: Runnable[Any, Any]) -> Runnable[Any, str]:
    """Narrator, then a list of its suggestions, then a prompt for whatever comes next."""
    return runnable(model) | RunnableLambda(_choices) | ALOUD | RunnableLambda(_text)


def _choices(answer: dict[str, Any]) -> dict[str, str]:
    return {"choices": "\n".join(_line(each) for each in answer["suggestions"])}


def _text(prompt: PromptValue) -> str:
    return prompt.to_string()


def _line(suggestion: dict[str, Any]) -> str:
    return f"- {suggestion.get('name', suggestion['form'])}: {suggestion['detail']} ({suggestion['source']})"


def main() -> None:
    """Show the chain at work."""
    request = json.loads(Path(__file__).with_name("cynere.json").read_text("utf-8"))
    print(chain(FakeListChatModel(responses=[json.dumps(WRITTEN)])).invoke(request))


if __name__ == "__main__":
    main()
