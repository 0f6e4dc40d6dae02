"""What the server says of itself is so."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import narrator
from narrator.api.registry import CALLS
from tests.server.conftest import SCENE
from tests.server.running import Serving


def test_every_example_is_answered(tmp_path: Path) -> None:
    """Those of a campaign in their order, as an evening; `stage` wants a model, and says so."""
    narrator.open_campaign(tmp_path / "harbour.narrator", scene=SCENE)
    with Serving(tmp_path, "harbour") as serving:
        described = serving.ask("/openapi.json", Authorization=None).body
        for path, told in described["paths"].items():
            if path == "/v1/session":
                continue
            for method, operation in told.items():
                if method in ("get", "post"):
                    content = operation.get("requestBody", {}).get("content", {})
                    body = content.get("application/json", {}).get("example")
                    answer = serving.ask(path.replace("{name}", "harbour"), body, method.upper())
                    wants_model = path.endswith("/stage") and answer.body["error"]["field"] == "source"
                    assert answer.status == 200 or wants_model, (path, answer)
    assert {f"/v1/{call}" for call in CALLS} < {*described["paths"]}


@pytest.mark.full
def test_whatever_the_description_allows_is_answered_and_never_by_a_fault(tmp_path: Path) -> None:
    """schemathesis makes requests of it, right ones and wrong ones."""
    pytest.importorskip("schemathesis", reason="wants the extra `probe`, which `make test-all` installs")
    narrator.open_campaign(tmp_path / "harbour.narrator", scene=SCENE)
    with Serving(tmp_path, "harbour") as serving:
        described = tmp_path / "openapi.json"
        described.write_text(json.dumps(serving.ask("/openapi.json").body), "utf-8")
        told = ["--url", f"http://127.0.0.1:{serving.port}", "--header", f"Authorization: Bearer {serving.token}"]
        how = ["--checks", "not_a_server_error", "--max-examples", "8", "--seed", "29", "--no-color"]
        command = [sys.executable, "-m", "schemathesis.cli", "run", str(described), *told, *how]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert ended.returncode == 0, ended.stdout[-4_000:] + ended.stderr[-1_000:]
        assert "a bug in narrator" not in serving.log.read_text("utf-8")
        assert serving.ask("/healthz").status == 200


def test_what_the_page_shows_is_answered(tmp_path: Path) -> None:
    """Each request of docs/how-to/server.md, in its order, in a campaign that has just begun."""
    page = (Path(__file__).parents[2] / "docs/how-to/server.md").read_text("utf-8")
    narrator.open_campaign(tmp_path / "harbour.narrator", scene=SCENE)
    with Serving(tmp_path, "harbour") as serving:
        asked = re.findall(r"```http\n(GET|POST) (\S+)\n(.*?)```", page, re.DOTALL)
        for method, path, text in asked:
            body = json.loads(text.replace("7kd2mxpa", serving.code)) if text else None
            own = serving.as_browser("") if path == "/v1/session" else {}
            answer = serving.ask(path, body, method, **own)
            assert answer.status == 200, (path, answer)
    assert len(asked) == 9
