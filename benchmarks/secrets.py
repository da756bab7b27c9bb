"""Measure the search for secrets: ``python benchmarks/secrets.py FOLDER``.

FOLDER contains Markdown files. Times are CPU time, the best of five, with the automaton (the extra
``fast``) and without it; the hostile texts of 128 KB are those of tests/unit/secrets.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tests")]

from agent_memory import secrets  # noqa: E402 -- found by the line above
from agent_memory.secrets import (  # noqa: E402
    anchors,
    named_values,
    private_keys,
    scanner,
    url_credentials,
    vendor_tokens,
)
from unit.secrets.test_speed import UNITS  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

FINDERS = {
    "anchors": anchors.find,
    "tokens": vendor_tokens.find,
    "named values": named_values.find,
    "URLs": url_credentials.find,
    "private keys": private_keys.find,
    "all": scanner.find,
}
HOSTILE = 128 * 1024


def best(call: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    start = time.process_time()
    secrets.find("x" * 64)
    print(f"first call, kinds loaded: {(time.process_time() - start) * 1e3:.1f} ms")
    texts = [path.read_text("utf-8") for path in Path(sys.argv[1]).rglob("*.md") if path.is_file()]
    size = sum(map(len, texts))
    print(f"{len(texts)} files, {size:,} characters; ms for 8 KB, automaton and pure")
    automaton = anchors.ahocorasick_rs
    rows = {}
    for name, find in FINDERS.items():
        for module in (automaton, None):
            anchors.ahocorasick_rs = module
            seconds = best(lambda find=find: [list(find(text)) for text in texts])
            rows.setdefault(name, []).append(seconds / size * 8192 * 1e3)
    for name, times in rows.items():
        print(f"  {name:<14} " + " ".join(f"{item:7.3f}" for item in times))
    print("hostile texts of 128 KB, ms, automaton and pure")
    for name, unit in UNITS.items():
        text = (unit * (HOSTILE // len(unit) + 1))[:HOSTILE]
        times = []
        for module in (automaton, None):
            anchors.ahocorasick_rs = module
            times.append(best(lambda text=text: secrets.find(text), 2) * 1e3)
        print(f"  {name:<30} " + " ".join(f"{item:7.1f}" for item in times))


if __name__ == "__main__":
    main()
