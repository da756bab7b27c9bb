"""The first tasks of the quickstart: at most three steps each, with a picture."""

from __future__ import annotations

import re

import pytest

from docs.pages import ROOT

DOCS = ROOT / "docs"

PAGE = (DOCS / "quickstart.md").read_text("utf-8")
TASKS = dict(
    re.findall(
        r"^### (.+)\n((?:(?!^##).*\n)*)", PAGE.partition("## In a terminal")[0], re.MULTILINE
    )
)


def test_there_are_five():
    assert len(TASKS) == 5


@pytest.mark.parametrize("task", TASKS)
def test_a_task_has_at_most_three_steps_and_a_picture(task):
    steps = re.findall(r"^(\d)\. ", TASKS[task], re.MULTILINE)
    assert steps == ["1", "2", "3"][: len(steps)]
    assert len(steps) > 1
    [picture] = re.findall(r"^!\[.+\]\((.+)\)$", TASKS[task], re.MULTILINE)
    assert (DOCS / picture).is_file()
