"""Random trees give the same bytes in the installed runtime and in ours."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.compare import listed, ours, theirs, verdict
from conformance.install import ENVIRONMENTS
from conformance.place import Place

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

COMPARED = [name for name, it in ENVIRONMENTS.items() if it.kind.startswith("deepagents")]
PIECES = [
    "# Title", "- item", "word ", " ", "\t", "\n", "\r\n", "\r", "\n\n", "<!--", "-->", "---",
    "{", "}", "{agent_memory}", "</agent_memory>", "$&", "\\", "\u00e9", "\U0001f600", "\ufeff",
    "\u2028", "\x0c", "\x1c", "\x85", "\u00a0", "\x00",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join).map(str.encode)
BYTES = st.one_of(TEXTS, TEXTS, TEXTS, st.binary(max_size=6))
SCALARS = st.sampled_from(
    ["a", "a-b", "A", "yes", "1", "1.5", "2e3", "null", "'q'", '"q\\n"', "a: b", "[x]", "# c", "",
     "~", "a # b", "caf\u00e9", "'2024-01-01'", "2024-01-01", "|\n  x\n  y", ">\n  x\n  y", "-",
     "&a b", "!!str 5", "010", "0x1F", "1:30", "+1", ".5", "=", "x" * 70]
)  # fmt: skip
LINES = st.tuples(
    st.sampled_from(["name", "description", "license", "compatibility", "allowed-tools", "other"]),
    SCALARS,
).map(lambda pair: f"{pair[0]}: {pair[1]}\n")
FRONTS = st.lists(LINES, max_size=5).map("".join)
SKILLS = st.one_of(
    FRONTS.map(lambda front: f"---\nname: s\ndescription: d\n{front}---\nbody\n".encode()),
    FRONTS.map(lambda front: f"---\n{front}---\nbody\n".encode()),
    BYTES,
)
TREE = st.fixed_dictionaries(
    {
        "git": st.sampled_from(["folder", "none", "live", "dead"]),
        "user": st.none() | BYTES,
        "project": st.none() | BYTES,
        "root": st.none() | BYTES,
        "user_skills": st.dictionaries(st.sampled_from(["s", "a-b", "a"]), SKILLS, max_size=2),
        "project_skills": st.dictionaries(st.sampled_from(["s", "a b", "B"]), SKILLS, max_size=2),
        "shared_skills": st.dictionaries(st.sampled_from(["s", "c"]), SKILLS, max_size=1),
    }
)


def build(tree, folder: Path) -> Place:
    place = Place(folder)
    if tree["git"] == "folder":
        place.git()
    elif tree["git"] != "none":
        target = "real" if tree["git"] == "live" else "gone"
        (place.root / "real").mkdir()
        (place.root / ".git").write_text(f"gitdir: {target}\n")
    for key, write in (
        ("user", place.user),
        ("project", place.project),
        ("root", place.at_root),
    ):
        if tree[key] is not None:
            write(tree[key])
    for key, skills in (
        ("user_skills", place.user_skills),
        ("project_skills", place.project_skills),
        ("shared_skills", place.home / ".agents/skills"),
    ):
        for name, text in tree[key].items():
            place.skill(skills, name, text)
    return place


@pytest.mark.parametrize("name", COMPARED)
def test_random_trees_give_the_bytes_of_the_real_runtime(name, drivers):
    driver = drivers(name)
    outcomes = []

    @given(TREE)
    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    def compare(tree):
        with tempfile.TemporaryDirectory() as folder:
            place = build(tree, Path(folder).resolve())
            prompt = ours(place, name)
            options = {}
            if driver.kind == "deepagents":
                options["sources"] = listed(prompt)
            outcomes.append(verdict(theirs(driver, place, **options), prompt))

    compare()
    assert outcomes.count("equal") > len(outcomes) / 4
