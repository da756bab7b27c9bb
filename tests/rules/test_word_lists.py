"""The word lists: each entry matches its example, and each list is valid TOML."""

from __future__ import annotations

import re
import tomllib

import pytest

from agent_memory.base.toml_tables import read_tables
from agent_memory.language.exclusive_choices import DATA
from agent_memory.lint.shared.word_lists import FOLDER, word_list, words_of

LISTS = sorted(path.stem for path in FOLDER.glob("*.toml"))
WHOLE = {"build_folders"}
NAMES = {"common_names", "example_names", "placeholder_names"}
ANY_CASE = {
    "section_hedges",
    "prescribed",
    "inventories",
    "recipes",
    "parts",
    "part_headings",
    "subject_headings",
    "contrast",
    "generated_blocks",
    "search_orders",
    "past_titles",
} | NAMES
ENTRIES = [
    (name, *entry) for name in LISTS if name not in WHOLE for entry in words_of(name).items()
]


@pytest.mark.parametrize("path", [*FOLDER.glob("*.toml"), DATA], ids=lambda path: path.stem)
def test_list_is_read_as_toml(path):
    assert read_tables(path) == tomllib.loads(path.read_text("utf-8"))


@pytest.mark.parametrize(("name", "pattern", "example"), ENTRIES)
def test_entry_matches_its_example(name, pattern, example):
    text = example.lower() if name in ANY_CASE else example
    assert re.search(pattern, text)
    assert word_list(name).search(text)


@pytest.mark.parametrize("name", LISTS)
def test_patterns_are_in_lower_case(name):
    letters = re.sub(r"\\[A-Za-z]", "", "".join(words_of(name)))  # without escapes such as \Z
    assert letters == letters.lower()


@pytest.mark.parametrize(("folder", "path"), words_of("build_folders").items())
def test_build_folder_is_in_its_example(folder, path):
    assert path.startswith(f"{folder}/")


@pytest.mark.parametrize("name", sorted({*LISTS} - NAMES))
def test_no_entry_matches_a_sentence_without_a_hedge(name):
    assert not word_list(name).search("it reads ` ` first")
