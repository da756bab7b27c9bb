"""Recall over 100,000 entries: time to index, to search and to take in a change.

    python benchmarks/recall.py [ENTRIES]

Entries have a summary of 8 words, a body of 22 and a tag, from a vocabulary of 50,000 words with
Zipf's frequencies behind its 30 most frequent (those are stop words). Queries are 1 to 4 words
drawn with the same frequencies. Prints JSON; the marks are 5 s, 20 ms and 5 ms.
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from agent_memory.entries import Filter
from agent_memory.entryfile import Entry, render
from agent_memory.recall import Recall
from agent_memory.ulid import new_ulid

VOCABULARY = 50_000


def main(count: int) -> None:
    """Build the store, measure, print."""
    rng = random.Random(7)
    words = sorted(
        {f"{rng.choice('bcdfgklmnprst')}{i:x}{rng.choice('aeiou')}" for i in range(VOCABULARY)}
    )
    rng.shuffle(words)
    weights = list(itertools.accumulate(1 / (rank + 30) for rank in range(len(words))))

    def draw(length: int) -> str:
        return " ".join(rng.choices(words, cum_weights=weights, k=length))

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "store"
        make(root, count, draw, rng)
        started, used = time.perf_counter(), time.process_time()
        recall = Recall(root, Path(folder) / "index.sqlite3")
        indexed, cpu = time.perf_counter() - started, time.process_time() - used
        queries = [draw(rng.randint(1, 4)) for _ in range(1000)]
        searches = [
            timed(lambda q=query: recall.search(q, Filter(agent="a1"))) for query in queries
        ]
        updates = []
        files = list((root / "global").iterdir())
        for number in range(200):
            path = files[number]
            path.write_text(path.read_text() + draw(3))
            updates.append(timed(lambda p=path: recall.update(p)))
        started = time.perf_counter()
        Recall(root, Path(folder) / "index.sqlite3")
        again = time.perf_counter() - started
    print(
        json.dumps(
            {
                "entries": count,
                "index_s": round(indexed, 2),
                "index_cpu_s": round(cpu, 2),
                "reopen_s": round(again, 2),
                "recall_ms": quantiles(searches),
                "update_ms": quantiles(updates),
            }
        )
    )


def make(root: Path, count: int, draw, rng: random.Random) -> None:
    """Write the entry files, without syncing each."""
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


def timed(work) -> float:
    """Return the milliseconds ``work`` takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def quantiles(values: list[float]) -> dict[str, float]:
    """Return median, p99 and the worst."""
    cuts = statistics.quantiles(values, n=100)
    return {"p50": round(cuts[49], 2), "p99": round(cuts[98], 2), "max": round(max(values), 2)}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
