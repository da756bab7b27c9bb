"""Recall over 100,000 entries: time to index, to search and to update one entry.

    python benchmarks/recall.py [ENTRIES [STORE]]

STORE is the folder for the entries (default: a temporary one). It is kept; an existing one is used
as it is, because creating 100,000 files takes longer than indexing them.

Entries have a summary of 8 words, a body of 22 and a tag, from a vocabulary of 50,000 words of two
to five syllables. Their frequencies follow Zipf's law without its 30 most frequent words, which are
stop words. Queries have 1 to 4 words with the same frequencies, every fifth word misspelled. Prints
JSON. Targets: 20 s to index, 100 ms for a search (p99; 20 ms with 10,000 entries), 5 ms for an
update. ``loop_ns`` is the CPU time of one step of an empty loop: it makes figures of a busy machine
comparable.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from agent_memory.base.ulid import new_ulid
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.store import Filter
from agent_memory.recall.engine import Recall

VOCABULARY = 50_000
ONSETS = "b bl c ch cr d dr f fl g gr h j k l m n p pl pr qu r s sh sk st t th tr v w"
RIMES = "a e i o u ai ea oo al an ar ed el en er il in ing is ol on or ur"


def main(count: int, store: Path | None) -> None:
    """Create the store, measure, print."""
    rng = random.Random(7)
    words = vocabulary(rng)
    weights = list(itertools.accumulate(1 / (rank + 30) for rank in range(len(words))))

    def draw(length: int) -> str:
        return " ".join(rng.choices(words, cum_weights=weights, k=length))

    with tempfile.TemporaryDirectory() as folder:
        root = (store or Path(folder) / "store").absolute()
        if not root.is_dir():
            create(root, count, draw, rng)
        index = Path(folder) / "index.sqlite3"
        recall, indexed = clocked(lambda: Recall(root, index))
        kept = index.stat().st_size if recall.is_indexed else 0
        queries = [misspelled(draw(rng.randint(1, 4)), rng) for _ in range(1000)]
        searches = [
            clocked(lambda q=query: recall.search(q, Filter(agent="a1")))[1] for query in queries
        ]
        updates = []
        files = sorted((root / "global").iterdir())
        for path in rng.sample(files, 200):
            path.write_text(path.read_text() + draw(3))
            updates.append(clocked(lambda p=path: recall.update(p))[1])
        _, reopened = clocked(lambda: Recall(root, index))
        _, loop = clocked(lambda: [None for _ in range(1_000_000)])
    result = {"entries": count, "load": round(os.getloadavg()[0], 1), "loop_ns": loop.cpu}
    result |= {"index_s": indexed.wall / 1000, "index_cpu_s": indexed.cpu / 1000}
    result |= {"reopen_s": reopened.wall / 1000, "reopen_cpu_s": reopened.cpu / 1000}
    result["index_mb"] = round(kept / 1e6, 1)
    for name, times in (("recall", searches), ("update", updates)):
        result[f"{name}_ms"] = quantiles([time.wall for time in times])
        result[f"{name}_cpu_ms"] = quantiles([time.cpu for time in times])
    print(json.dumps(result, default=float))


def vocabulary(rng: random.Random) -> list[str]:
    """Return words of two to five syllables, in random order."""
    onsets, rimes = ONSETS.split(), RIMES.split()
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        count = rng.choices((2, 3, 4, 5), (3, 4, 2, 1))[0]
        words["".join(rng.choice(onsets) + rng.choice(rimes) for _ in range(count))] = None
    return list(words)


def misspelled(query: str, rng: random.Random) -> str:
    """Return ``query`` with two letters exchanged in every fifth word."""
    out = []
    for word in query.split():
        at = rng.randrange(1, len(word) - 1)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        out.append(word if rng.random() < 0.8 else swapped)
    return " ".join(out)


def create(root: Path, count: int, draw, rng: random.Random) -> None:
    """Write the entry files without fsync."""
    for number in range(count):
        scope, agent = ("global", None) if number % 4 else ("agent", f"a{number % 5}")
        folder = root / "global" if agent is None else root / "agents" / agent
        folder.mkdir(parents=True, exist_ok=True)
        entry = Entry(
            new_ulid(1_750_000_000_000 + number),
            scope,
            rng.choice(("user", "feedback", "project", "reference")),
            draw(8),
            draw(22),
            1_750_000_000_000 + number,
            agent,
            tags=(draw(1),),
        )
        (folder / f"{entry.id}.md").write_text(render(entry))


class Time(NamedTuple):
    """Milliseconds of wall time and of CPU time."""

    wall: float
    cpu: float


def clocked(work) -> tuple[object, Time]:
    """Return the result of ``work`` and its time."""
    started, used = time.perf_counter(), time.process_time()
    result = work()
    spent, cpu = time.perf_counter() - started, time.process_time() - used
    return result, Time(round(spent * 1000, 3), round(cpu * 1000, 3))


def quantiles(values: list[float]) -> dict[str, float]:
    """Return median, p99 and maximum."""
    cuts = statistics.quantiles(values, n=100)
    return {"p50": round(cuts[49], 2), "p99": round(cuts[98], 2), "max": round(max(values), 2)}


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 100_000,
        Path(sys.argv[2]) if len(sys.argv) > 2 else None,
    )
