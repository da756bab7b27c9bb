"""Compare token estimates with o200k: ``python benchmarks/tokens.py FOLDER``.

Needs the package rs-bpe, which ships the vocabulary. FOLDER contains Markdown files.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from rs_bpe.bpe import openai  # type: ignore[import-not-found]

from agent_memory.language import token_estimate

CHARACTERS_MIN = 200  # in shorter texts, one token is several percent


def main() -> None:
    exact = openai.o200k_base()
    texts = [path.read_text("utf-8") for path in Path(sys.argv[1]).rglob("*.md") if path.is_file()]
    texts = [text for text in texts if len(text) >= CHARACTERS_MIN]
    for name, estimate in (
        ("agent-memory", token_estimate.count),
        ("chars/4", lambda text: len(text) / 4),
    ):
        errors = sorted(abs(estimate(text) / exact.count(text) - 1) * 100 for text in texts)
        p95 = errors[int(0.95 * len(errors))]
        print(
            f"{name:<13} {len(texts)} files: mean error {statistics.mean(errors):.1f} %, "
            f"p95 {p95:.1f} %, max {errors[-1]:.1f} %"
        )


if __name__ == "__main__":
    main()
