"""Words selected inside a comment or docstring are prose; anything with code is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.remember.comment_region import _FAMILY, words_of_comment

RULE = "Never retry writes to the ledger."
PYTHON = f'''"""{RULE}"""
import os

# {RULE}
# It is slow.
URL = "http://x#y"  # {RULE}
SQL = """
{RULE} sql
"""

def pay(amount):
    """Pay.

    {RULE}

    >>> pay(1)
    """
    return run(
        """{RULE} argument""", amount
    )
'''
SCRIPT = f"""const url = "http://x"; // {RULE}
/** {RULE} */
/**
 * {RULE}
 * It is slow.
 */
const text = `// ${{1}} template`;
const glob = "/*"; run();
"""
RUST = f"""fn pay<'a>(x: &'a str) -> char {{
    // {RULE}
    let c = '"'; /* {RULE} block */
    'x'
}}
"""
SHELL = f'echo "${{x#y}} # no" $# # {RULE}\ncurl http://x#anchor\n'
FILES = {"python": PYTHON, "typescript": SCRIPT, "rust": RUST, "shellscript": SHELL}


def selected(text, words, language, occurrence=0):
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(words, start + 1)
    return words_of_comment(text, start, start + len(words), language)


@pytest.mark.parametrize(
    ("language", "occurrence", "found"),
    [
        ("python", 0, RULE),  # the docstring of the module
        ("python", 1, RULE),  # a comment
        ("python", 2, RULE),  # after a statement
        ("python", 3, ""),  # a value
        ("python", 4, RULE),  # the docstring of a function
        ("python", 5, ""),  # an argument
        ("typescript", 0, RULE),
        ("typescript", 1, RULE),
        ("typescript", 2, RULE),
        ("rust", 0, RULE),
        ("rust", 1, RULE),
        ("shellscript", 0, RULE),
    ],
)
def test_words_in_a_comment_are_prose(language, occurrence, found):
    assert selected(FILES[language], RULE, language, occurrence) == found


@pytest.mark.parametrize(
    ("language", "words", "found"),
    [
        ("python", f"{RULE}\n# It is slow.", f"{RULE}\nIt is slow."),
        ("python", f"# {RULE}\n# It is slow.\n", f"{RULE}\nIt is slow."),
        ("python", f'"""{RULE}"""', RULE),
        ("python", f"Pay.\n\n    {RULE}\n", f"Pay.\n\n    {RULE}"),
        ("python", ">>> pay(1)", ""),
        ("python", "It is slow.\nURL", ""),
        ("python", "x#y", ""),
        ("typescript", f"/** {RULE} */", RULE),
        ("typescript", f"{RULE}\n * It is slow.", f"{RULE}\nIt is slow."),
        ("typescript", f"/**\n * {RULE}\n * It is slow.\n */", f"{RULE}\nIt is slow."),
        ("typescript", f"// {RULE}\n/** Never", ""),
        ("typescript", "x", ""),
        ("typescript", "template", ""),
        ("typescript", "run()", ""),
        ("rust", "'x'", ""),
        ("rust", f"/* {RULE} block */", f"{RULE} block"),
        ("shellscript", "anchor", ""),
        ("shellscript", "no", ""),
        ("shellscript", "y}", ""),
    ],
)
def test_only_the_words_of_one_comment_are_taken(language, words, found):
    assert selected(FILES[language], words, language) == found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (".sql", "select 1 -- {}\n"),
        ("lua", "x = 1 --[[ {} ]]\n"),
        ("haskell", "x = 1 {{- {} -}}\n"),
        ("html", "<p>x</p><!-- {} -->\n"),
        ("clojure", "(x) ; {}\n"),
        ("css", "a {{}} /* {} */\n"),
        ("powershell", "<# {} #>\nRun"),
        ("yaml", "a: 1 # {}\n"),
        ("go", "x := 1 // {}\n"),
        ("erlang", "% {}\n"),
        ("php", "$x = 1; # {}\n"),
    ],
)
def test_each_family_of_languages_has_comments(language, text):
    text = text.format(RULE)
    assert selected(text, RULE, language) == RULE
    assert words_of_comment(text, 0, len(text), language) in ("", RULE)


@pytest.mark.parametrize("words", ["See [[wiki]]", "See [[wiki]]\n * Never", "* See [[wiki]]\n */"])
def test_brackets_at_the_end_of_a_line_stay(words):
    found = selected("/**\n * See [[wiki]]\n * Never\n * See [[wiki]]\n */", words, "typescript")
    assert found.startswith("See [[wiki]]")


def test_an_unknown_language_has_none():
    assert words_of_comment(f"# {RULE}", 2, 9, "cobol") == ""


PIECES = st.lists(st.sampled_from([*"\"'`#/*-;\\\n ab", '"""', "/*", "*/", "//", "<!--", "--[["]))


@given(PIECES.map("".join), st.sampled_from(sorted(_FAMILY)), st.data())
def test_no_selection_raises_or_invents_words(text, language, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    words = words_of_comment(text, start, end, language)
    assert all(line in text[start:end] for line in words.split("\n"))
