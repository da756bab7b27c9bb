"""Quality of recall beside three other engines: python benchmarks/recall_quality.py [SET].

SET is a JSON file like tests/recall/set.json, the default: entries, and queries with the ids of all
entries that answer. The metrics, of a type of query and of all:

- recall@5: the share of the right entries among the first five, the mean over the queries that
  have right entries; MRR: the mean of 1 / rank of the first right one among the first ten.
- marked: queries with a right entry among the first five that is marked as relevant.
- nothing: queries that no entry answers, with an entry among the first five marked as relevant.

The other engines: ``substring`` counts the words of the query that are in the text, as grep does,
``bm25`` is the ranking of the package rank_bm25 (Okapi), ``fts5`` is SQLite's FTS5 with the Porter
stemmer, prefixes, and weights 3 : 1 : 2 of summary, body and tags. None of them marks answers.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import sqlite3
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.entries.entry_file import Entry, render
from agent_memory.recall import semantic
from agent_memory.recall.engine import Recall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SET = Path(__file__).parents[1] / "tests/recall/set.json"
LISTED = 10
FIRST = 5


class Answer(NamedTuple):
    """The id of an entry that was found, and whether it is marked as relevant."""

    id: str
    relevant: bool


class Quality(NamedTuple):
    """Figures of one type of query; NaN where it has no such queries."""

    queries: int
    recall: float
    mrr: float
    marked: float
    nothing: float


def measure(data: dict, search: Callable[[str], list[Answer]]) -> dict[str, Quality]:
    """Return the quality of ``search`` by type of query; ``all`` is over all types."""
    rows = defaultdict(list)
    for query in data["queries"]:
        row = judged(search(query["query"])[:LISTED], query["right"])
        rows[query["type"]].append(row)
        rows["all"].append(row)
    return {
        name: Quality(len(found), *map(mean, zip(*found, strict=False)))
        for name, found in rows.items()
    }


def judged(found: list[Answer], right: list[str]) -> tuple[float, float, float, float]:
    """Return recall@5, 1 / rank, marked and nothing of one query; NaN does not count."""
    first = found[:FIRST]
    if not right:
        return math.nan, math.nan, math.nan, float(any(item.relevant for item in first))
    ranks = [rank for rank, item in enumerate(found, 1) if item.id in right]
    return (
        sum(item.id in right for item in first) / min(len(right), FIRST),
        1 / ranks[0] if ranks else 0.0,
        float(any(item.relevant and item.id in right for item in first)),
        math.nan,
    )


def mean(values) -> float:
    counted = [value for value in values if not math.isnan(value)]
    return sum(counted) / len(counted) if counted else math.nan


@contextlib.contextmanager
def product(
    data: dict, by: str = "relevance", model: semantic.Model | None = None
) -> Iterator[Callable[[str], list[Answer]]]:
    """Yield the search of Agent Memory over the entries of ``data``."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        names = write(root, data)
        with contextlib.closing(Recall(root)) as recall:
            yield lambda query: [
                Answer(names[hit.entry.id], hit.relevant)
                for hit in recall.search(query, limit=LISTED, by=by, model=model)
            ]


def write(root: Path, data: dict) -> dict[str, str]:
    """Write the entries below ``root``; return their ids in ``data`` by their ULID."""
    (root / "global").mkdir()
    names = {}
    for number, item in enumerate(data["entries"]):
        ulid = f"{number:026d}"
        names[ulid] = item["id"]
        entry = Entry(
            ulid, "global", item["kind"], item["summary"], item["body"], number,
            tags=tuple(item["tags"]),
        )  # fmt: skip
        (root / "global" / f"{ulid}.md").write_text(render(entry), "utf-8")
    return names


def text_of(item: dict) -> str:
    return f"{item['summary']}\n{item['body']}\n{' '.join(item['tags'])}".lower()


def substring(data: dict) -> Callable[[str], list[Answer]]:
    texts = [(item["id"], text_of(item)) for item in data["entries"]]

    def search(query: str) -> list[Answer]:
        asked = query.lower().split()
        scores = {name: sum(word in text for word in asked) for name, text in texts}
        return best(scores)

    return search


def okapi(data: dict) -> Callable[[str], list[Answer]]:
    docs = {item["id"]: text_of(item).split() for item in data["entries"]}
    counts = {name: Counter(doc) for name, doc in docs.items()}
    average = mean(map(len, docs.values()))
    having = Counter(word for doc in counts.values() for word in doc)
    total = len(docs)

    def search(query: str) -> list[Answer]:
        scores = {}
        for name, count in counts.items():
            norm = 1.5 * (0.25 + 0.75 * len(docs[name]) / average)
            scores[name] = sum(
                math.log((total - having[word] + 0.5) / (having[word] + 0.5))
                * count[word] * 2.5 / (count[word] + norm)
                for word in query.lower().split()
            )  # fmt: skip
        return best(scores)

    return search


def fts5(data: dict) -> Callable[[str], list[Answer]]:
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE f USING fts5(id UNINDEXED, summary, body, tags, tokenize='porter')"
    )
    for item in data["entries"]:
        row = (item["id"], item["summary"], item["body"], " ".join(item["tags"]))
        db.execute("INSERT INTO f VALUES (?,?,?,?)", row)

    def search(query: str) -> list[Answer]:
        asked = " OR ".join(f'"{word}" *' for word in re.findall(r"\w+", query))
        rank = "ORDER BY bm25(f, 0, 3, 1, 2) LIMIT ?"
        rows = db.execute(f"SELECT id FROM f WHERE f MATCH ? {rank}", (asked, LISTED))
        return [Answer(name, relevant=True) for (name,) in rows]

    return search


def best(scores: dict[str, float]) -> list[Answer]:
    found = sorted((name for name in scores if scores[name] > 0), key=lambda name: -scores[name])
    return [Answer(name, relevant=True) for name in found[:LISTED]]


def main(path: Path) -> None:
    """Measure every engine and print a table."""
    data = json.loads(path.read_text("utf-8"))
    results = {}
    for by, name in (("relevance", "agent-memory"), ("drover", "--ranking drover")):
        with product(data, by) as search:
            results[name] = measure(data, search)
    if semantic.installed():
        with product(data, model=semantic.model(wait=True)) as search:
            results["agent-memory[semantic]"] = measure(data, search)
    for engine in (substring, okapi, fts5):
        results[engine.__name__] = measure(data, engine(data))
    print(f"{path.name}: {len(data['entries'])} entries, {len(data['queries'])} queries\n")
    print("| engine | recall@5 | MRR | marked | nothing |\n|---|---|---|---|---|")
    for name, quality in results.items():
        figures = " | ".join(f"{value:.3f}" for value in quality["all"][1:])
        print(f"| {name} | {figures} |")
    kinds = [name for name in results["agent-memory"] if name not in ("all", "nothing")]
    print(f"\n| recall@5 | {' | '.join(kinds)} |\n|---|{'---|' * len(kinds)}")
    for name, quality in results.items():
        print(f"| {name} | {' | '.join(f'{quality[kind].recall:.2f}' for kind in kinds)} |")


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))  # secrets.py there hides the standard module
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SET)
