"""Directory trees in fences, in the forms in which people draw them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.text import split_lines
from agent_memory.markdown.parser import scan
from agent_memory.markdown.trees import trees_of

NAMES = st.sampled_from(
    ["app.py", "+page.svelte", "src", "tests", "a-b", "x_y.ts", "docs", "@scope", "v1.2"]
)
TREES = st.recursive(
    st.just({}), lambda below: st.dictionaries(NAMES, below, min_size=1, max_size=4), max_leaves=12
)


def paths(text: str) -> list[list[str]]:
    lines = split_lines(text)
    return [[entry.path for entry in tree] for tree in trees_of(lines, scan(lines))]


def flat(tree: dict, outer: str = "") -> list[str]:
    found = []
    for name, below in tree.items():
        found += [outer + name, *flat(below, f"{outer}{name}/")]
    return found


def drawn(tree: dict, before: str, marks: tuple[str, str, str]) -> list[str]:
    lines = []
    for at, (name, below) in enumerate(tree.items()):
        is_last = at == len(tree) - 1
        lines.append(f"{before}{marks[1] if is_last else marks[0]} {name}")
        lines += drawn(below, before + ("    " if is_last else f"{marks[2]}   "), marks)
    return lines


def indented(tree: dict, before: str = "") -> list[str]:
    lines = []
    for name, below in tree.items():
        lines += [f"{before}{name}/", *indented(below, before + "  ")]
    return lines


def fence(lines: list[str], info: str = "") -> str:
    return "\n".join((f"```{info}", *lines, "```", ""))


@given(TREES, st.sampled_from([("├──", "└──", "│"), ("|--", "`--", "|"), ("+--", "+--", "|")]))
def test_a_drawn_tree_has_all_its_paths(tree, marks):
    expected = [f"top/{path}" for path in flat(tree)]
    found = paths(fence(["top/", *drawn(tree, "", marks)]))
    assert found == ([["top", *expected]] if expected else [])


@pytest.mark.parametrize(
    ("line", "is_tree"),
    [
        ("  *.ts      Models", True),
        ("  <name>.ts # one per part", True),
        ("  use-*.ts", True),
        ("  {id}/", True),
        ("  ...", True),
        ("  *.ts is a model", False),
        ("  *important* to know", False),
        ("  <name> is a part", False),
    ],
)
def test_an_indented_tree_may_have_patterns(line, is_tree):
    found = paths(fence(["shop/", line, "  cart.ts    Prices", "  stock/"]))
    assert found == [["shop", "shop/cart.ts", "shop/stock"]] * is_tree


@pytest.mark.parametrize(
    ("lines", "is_tree"),
    [
        (
            [
                "  cart.ts        GET /cart",
                "  cart-total.ts  GET /total",
                "  cart-items.tsx GET /items",
            ],
            True,
        ),
        (["  cart.ts  GET /cart", "  cart-items.tsx GET /items"], False),
        (["  cart.ts GET /cart", "  page.ts GET /page"], False),
    ],
)
def test_notes_in_one_column_belong_to_a_tree(lines, is_tree):
    """A name as long as the column leaves one space before its note."""
    found = paths(fence(["shop/", *lines]))
    names = [line.split()[0] for line in lines]
    assert found == [["shop", *(f"shop/{name}" for name in names)]] * is_tree


@given(TREES)
def test_an_indented_tree_has_all_its_paths(tree):
    found = paths(fence(indented(tree), "text"))
    assert found == ([flat(tree)] if len(flat(tree)) > 1 else [])


@given(st.lists(st.text("├└│─|+`- \tabc/.#", max_size=12), max_size=12))
def test_any_lines_give_entries_that_are_in_them(lines):
    text = fence(lines)
    every = split_lines(text)
    for tree in trees_of(every, scan(every)):
        for entry in tree:
            name = every[entry.line][entry.start : entry.end]
            assert entry.line < entry.below <= len(every)
            assert entry.path.endswith(name.removeprefix("./").strip("/").removeprefix("."))


def test_notes_and_gaps_are_not_entries():
    text = fence(["src/", "├── app.py  # the entry", "│", "│   it has no tests", "└── b.py"])
    assert paths(text) == [["src", "src/app.py", "src/b.py"]]


def test_what_is_below_a_placeholder_is_left_out():
    text = fence(["src/", "├── <name>/", "│   └── a.py", "├── *.sql", "├── ...", "└── b.py"])
    assert paths(text) == [["src", "src/b.py"]]


def test_a_title_is_not_a_folder():
    assert paths(fence(["The project:", "├── a.py", "└── b.py"])) == [["a.py", "b.py"]]


def test_an_entry_knows_its_place_and_its_end():
    text = fence(["src/", "├── cli/  # commands", "│   └── run.py", "└── b.py"])
    lines = split_lines(text)
    cli = trees_of(lines, scan(lines))[0][1]
    assert (cli.line, cli.start, cli.end, cli.below) == (2, 4, 8, 4)
    assert cli.note == "# commands"
    assert cli.is_folder


@pytest.mark.parametrize(
    "lines",
    [
        ["app.py starts the server", "  src/ holds it"],
        ["a.py", "b.py"],
        ["$ ls src/", "app.py"],
        ["only/"],
    ],
)
def test_other_text_has_no_tree(lines):
    assert paths(fence(lines)) == []


def test_code_in_a_language_has_no_tree():
    assert paths(fence(["src/", "  app.py"], "python")) == []


def test_names_with_spaces_are_left_out_with_their_files():
    tree = ["├── app.py", "├── my files/  # of users", "│   └── a.txt", "└── some notes.md", "+ b/"]
    assert paths(fence(tree)) == []
    tree += ["├── docs the wiki", "└── src"]
    assert paths(fence(tree)) == [["app.py", "docs", "src"]]


def test_a_tree_ends_with_its_list_item():
    assert paths("- ```\n  ├── src/\n  └── app.py\nText\n") == [["src", "app.py"]]


def test_only_newlines_separate_the_lines_of_a_tree():
    lines = split_lines(fence(["├── app.py  # a\u2028b\x0cc", "└── cli.py"]))
    ((app, cli),) = trees_of(lines, scan(lines))
    assert (app.line, cli.line) == (1, 2)
