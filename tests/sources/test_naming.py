"""A model that code names, and sources that go by a name of the user's: who is asked, and with which key."""

from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.sources import kinds, selection
from narrator.sources.selection import source_for
from narrator.sources.settings import OPENAI, Settings
from narrator.suggestions.prompt.brief import MANNERS
from tests.asking import CYNERE, Told
from tests.scripted_server import Reply, ScriptedServer
from tests.sources.asking import TEXT

KEY, THEIRS = "sk-of-this-server-5f1c", "sk-of-openai-77aa"
LOCAL = "http://127.0.0.1:11434/v1"
REQUEST = {name: value for name, value in CYNERE.items() if name != "ruleset"}


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The config file, with nothing in it yet; keys stand in the environment that are for somebody else."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", THEIRS)
    monkeypatch.setenv("NARRATOR_API_KEY", THEIRS)
    monkeypatch.setenv("MY_KEY", KEY)
    return tmp_path / "config.toml"


def refused(given: object) -> NarratorError:
    """How a source is refused; no key, and nothing that may be one, is told."""
    with pytest.raises(NarratorError) as caught:
        source_for(given)
    assert not [secret for secret in (KEY, THEIRS, "s3cret") if secret in str(caught.value)]
    return caught.value


class TestInCode:
    """`narrator.openai_model`."""

    @pytest.mark.parametrize("key", [None, KEY])
    def test_is_asked_with_its_own_key_alone(self, told: Told, key: str | None) -> None:
        """The model is asked where it was told, in its manner, with the key that was told or with none."""
        with ScriptedServer(Reply(TEXT)) as server:
            model = narrator.openai_model("tiny", base_url=server.base_url, api_key=key, manner="one_by_one")
            told(model, REQUEST, repairs=0)
            model.close()  # type: ignore[union-attr]
        received = server.requests[0]
        assert received.body["model"] == "tiny"
        assert received.headers.get("authorization") == (f"Bearer {key}" if key else None)
        assert "temperature" in received.body

    def test_openais_key_is_openais(self) -> None:
        """A model without an address is OpenAI's, and is asked with OpenAI's key, unless another is told."""
        given, told = narrator.openai_model("m"), narrator.openai_model("m", api_key=KEY)
        assert (given.host, given.label) == ("api.openai.com", "openai:m")  # type: ignore[union-attr]
        assert given.gives_away(THEIRS)  # type: ignore[union-attr]
        assert not told.gives_away(THEIRS)  # type: ignore[union-attr]

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            *(("model", value) for value in ("", None, 3, "sk-s3cret")),
            *(("base_url", value) for value in (3, "https://u:s3cret@models.example")),
            *(("api_key", value) for value in (3, "s3cret\n")),
            *(("manner", value) for value in ("s3cret", ["s3cret"])),
        ],
    )
    def test_a_mistake_is_named(self, field: str, value: Any) -> None:
        """What is wrong is told by its name, and not repeated."""
        with pytest.raises(NarratorError) as caught:
            narrator.openai_model(**{"model": "m", field: value})
        assert (caught.value.code, caught.value.field) == ("bad_request", field)
        assert "s3cret" not in str(caught.value)


class TestByName:
    """A table `[sources.NAME]` of `config.toml`."""

    def test_is_asked_with_its_key(self, told: Told, config: Path) -> None:
        """The name is all that a call says; the key of the variable that is named goes to that server."""
        with ScriptedServer(Reply(TEXT)) as server:
            lines = ['model = "tiny"', f'base_url = "{server.base_url}"', 'api_key_env = "MY_KEY"']
            config.write_text("\n".join(["[sources.local]", *lines, 'manner = "one_by_one"']), "utf-8")
            told("local", REQUEST, repairs=0)
            source_for("local")._source.close()  # type: ignore[union-attr]
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert "temperature" in server.requests[0].body

    def test_other_keys_go_nowhere(self, told: Told, config: Path) -> None:
        """No key of the environment, nor the one of the file's own model, goes to a source that names none."""
        with ScriptedServer(Reply(TEXT)) as server:
            own = f'[sources.local]\nmodel = "tiny"\nbase_url = "{server.base_url}"'
            config.write_text(f'model = "m"\napi_key_env = "MY_KEY"\n{own}', "utf-8")
            told("local", REQUEST, repairs=0)
            source_for("local")._source.close()  # type: ignore[union-attr]
        assert "authorization" not in server.requests[0].headers

    def test_without_an_address_it_is_openais(self, config: Path) -> None:
        """As in the environment, and with OpenAI's key."""
        config.write_text('[sources.gpt]\nmodel = "m"', "utf-8")
        found = source_for("gpt")
        assert found is not None
        assert (found.host, found.manner) == ("api.openai.com", "together")
        assert found.gives_away(THEIRS)

    def test_has_one_source(self, config: Path) -> None:
        """Its connections are kept from call to call."""
        config.write_text(f'[sources.a]\nmodel = "m"\nbase_url = "{LOCAL}"', "utf-8")
        assert source_for("a")._source is source_for("a")._source  # type: ignore[union-attr]

    @pytest.mark.parametrize(
        "name", ["remote", "", "Local", "gpt-4", LOCAL, "https://u:s3cret@x.y", "sk-s3cret", "\x1b"]
    )
    def test_a_name_that_nobody_bears(self, name: str, config: Path) -> None:
        """It is refused with those that there are, and not repeated; an address is no name."""
        config.write_text('[sources.local]\nmodel = "m"\n[sources.other]\nmodel = "n"', "utf-8")
        error = refused(name)
        assert (error.code, error.field, error.allowed) == ("bad_request", "source", ("deck", "local", "other"))
        assert not name or name not in error.message

    def test_the_deck_needs_no_file(self, config: Path) -> None:
        """A broken file is no obstacle to it, but one to every name."""
        config.write_text("[", "utf-8")
        assert source_for("deck") is None
        assert "this is not TOML" in refused("local").message

    def test_a_kind_that_there_is_not(self, config: Path) -> None:
        """It is refused with those that there are, by the key."""
        config.write_text('[sources.a]\nmodel = "m"\nkind = "s3cret"', "utf-8")
        error = refused("a")
        assert (error.field, error.allowed) == ("source", None)
        assert all(each in error.message for each in ("sources.a.kind", *kinds.kinds()))
        assert error.message.startswith("sources.a.kind: ")


TABLES = {
    # what stands in the table `a`, and what is said of it
    "no model": ("", "sources.a.model: no model is named"),
    "a field that is misspelt": ('modle = "m"', "sources.a.modle: no such field; did you mean model"),
    "the key itself": ('model = "m"\napi_key = "s3cret"', "sources.a.api_key: no such field"),
    "a key for a field": ('model = "m"\nsk-s3cret = 1', "no such field"),
    "a table in it": ('model = "m"\n[sources.a.more]', "sources.a.more: no such field; did you mean model"),
    "a number": ("model = 3", "sources.a.model: this must be text"),
    "an address that is none": ('model = "m"\nbase_url = "s3cret"', "sources.a.base_url: this is not an address"),
    "a key in an address": (
        'model = "m"\nbase_url = "https://u:s3cret@x.y"',
        "sources.a.base_url: an address must have no",
    ),
    "a key for a model": ('model = "sk-s3cret"', "sources.a.model: this is a key"),
    "an address for a model": (f'model = "{LOCAL}"', "sources.a.model: this is an address"),
    "a manner that there is not": ('model = "m"\nmanner = "s3cret"', "sources.a.manner: there is no such manner"),
    "a variable that is not set": ('model = "m"\napi_key_env = "s3cret"', "sources.a.api_key_env: the environment"),
    "a variable that is empty": ('model = "m"\napi_key_env = "EMPTY"', "sources.a.api_key_env: the environment"),
    "a key that is none": ('model = "m"\napi_key_env = "BLANKS"', "sources.a.api_key_env: a key has no blanks"),
}


@pytest.mark.parametrize(("table", "message"), TABLES.values(), ids=TABLES)
def test_a_mistake_in_a_table(table: str, message: str, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is named, but nothing that stands there; a table that cannot be read by its file and line."""
    monkeypatch.setenv("EMPTY", " ")
    monkeypatch.setenv("BLANKS", "s3cret and more")
    config.write_text(f"[sources.a]\n{table}", "utf-8")
    error = refused("a")
    assert error.code == "bad_request"
    assert error.field == "source" or error.field.startswith(f"{config}:")
    assert error.message.startswith(message.partition(";")[0])
    assert "manner =" not in table or all(each in error.message for each in MANNERS)


NAMES = {
    "the deck": ('[sources.deck]\nmodel = "m"', "deck always means narrator's own deck"),
    "an address": ('[sources."http://s3cret"]\nmodel = "m"', "the name of a source must be"),
    "nothing": ('[sources.""]\nmodel = "m"', "the name of a source must be"),
    "two words": ('[sources."two words"]\nmodel = "m"', "the name of a source must be"),
    "no table": ('[sources]\ns3cret = "m"', "this must be an object"),
    "no tables at all": ('sources = "s3cret"', "sources: this must be an object"),
}


@pytest.mark.parametrize(("written", "message"), NAMES.values(), ids=NAMES)
def test_what_can_be_no_name(written: str, message: str, config: Path) -> None:
    """The deck stays narrator's, no address is a name, and a name stands for a table."""
    config.write_text(f"\n{written}", "utf-8")
    error = refused("a")
    assert (error.code, error.field) == ("bad_request", f"{config}:2" if "[sources]" not in written else f"{config}:3")
    assert error.message.startswith(message)


def test_the_key_for_openai_is_for_no_other_kind(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that names no address of its own is not handed the user's key: it may ask elsewhere."""
    handed: list[Settings] = []
    monkeypatch.setenv("OPENAI_API_KEY", "sk-s3cret")
    monkeypatch.setattr(kinds, "address", lambda _: OPENAI)
    monkeypatch.setattr(selection, "source_of", lambda settings, _: handed.append(settings))
    for kind in ("openai", "other"):
        config.write_text(f'[sources.a]\nmodel = "m"\nkind = "{kind}"', "utf-8")
        selection.source_for("a")
    assert [each.api_key for each in handed] == ["sk-s3cret", ""]
