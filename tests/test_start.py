"""What a first call in a fresh process loads, and that first calls may come from several threads."""

import subprocess
import sys

REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}, "seed": 3}


def said(program: str) -> str:
    """What a program prints in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout


def test_first_calls_come_from_several_threads_at_once() -> None:
    """A server that answers its first requests side by side answers them alike: models are built when first used."""
    program = f"""
import sys; sys.setswitchinterval(1e-5)
from concurrent.futures import ThreadPoolExecutor
import narrator
with ThreadPoolExecutor(8) as threads:
    found = list(threads.map(lambda _: narrator.resolve({REQUEST!r}).as_json(), range(8)))
print(found == found[:1] * 8)
"""
    assert said(program) == "True\n"
