"""Messages in German: the catalogue is whole, and English costs nothing."""

import ast
import json
import re
from pathlib import Path

import pytest

import agent_memory
from agent_memory import l10n, secrets
from agent_memory.base.model import Scope, Severity, Status
from agent_memory.fs.reader import Failure
from agent_memory.lint.rules import RULES
from kit import fresh
from unit.secrets.generate import Maker

PACKAGE = Path(agent_memory.__file__).parent
CATALOGUE = Path(l10n.__file__).parent
HOLE = re.compile(r"\{\d+[^}]*\}")


@pytest.fixture(autouse=True)
def _english_again():
    yield
    l10n.use(None)


def written():
    """Return the first argument of each call of `t` and `untranslated` that is a literal."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("t", "untranslated")
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(node.args[0].value)
    return found


def spoken():
    """Return every sentence that may be said: those written, and the words of tables."""
    words = {rule.summary for rule in RULES} | {item.words for item in Failure}
    return written() | words | {str(item) for kind in (Scope, Status, Severity) for item in kind}


def catalogue(language):
    return json.loads((CATALOGUE / f"{language}.json").read_text("utf-8"))


@pytest.mark.parametrize("language", l10n.LANGUAGES)
def test_every_sentence_is_translated_and_nothing_else_is(language):
    assert set(catalogue(language)) == spoken()


@pytest.mark.parametrize("language", l10n.LANGUAGES)
def test_a_translation_has_the_holes_of_its_sentence(language):
    for english, translated in catalogue(language).items():
        assert translated.strip(), english
        assert sorted(HOLE.findall(translated)) == sorted(HOLE.findall(english)), english


def test_each_catalogue_is_a_language_and_each_language_has_one():
    assert {path.stem for path in CATALOGUE.glob("*.json")} == set(l10n.LANGUAGES)


def test_no_message_is_put_together_before_it_is_translated():
    """`t(f"…")` would look for a sentence that no catalogue has."""
    guilty = [
        f"{path.name}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("t", "untranslated")
        and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
    ]
    assert guilty == []


def test_numbers_have_the_separators_of_the_language():
    assert l10n.t("{0:,} tokens", 1240) == "1,240 tokens"
    l10n.use("de")
    assert l10n.t("{0:,} tokens", 1240) == "1.240 Token"
    assert l10n.t("Added to the end of {0} (line {1})", "x.md", 1240).endswith("(Zeile 1240)")


@pytest.mark.parametrize("locale", ["de", "de-AT", "de_DE", "DE"])
def test_a_locale_chooses_its_language(locale):
    l10n.use(locale)
    assert l10n.t("a folder") == "ein Ordner"


@pytest.mark.parametrize("locale", [None, "", "en", "fr", "der", "../de", 7, ["de"]])
def test_any_other_locale_is_english(locale):
    l10n.use("de")
    l10n.use(locale)
    assert l10n.t("a folder") == "a folder"


def test_braces_of_a_value_and_of_a_sentence_without_values_stay():
    l10n.use("de")
    assert l10n.t("did you mean '{0}'?", "{1}") == "war „{1}“ gemeint?"
    assert l10n.t("a {brace}") == "a {brace}"


def test_what_was_found_in_one_language_is_named_in_the_next():
    text = "- the password for staging is " + Maker("language").make("{an:14}7")
    (english,) = secrets.find(text)
    l10n.use("de")
    (german,) = secrets.find(text)
    assert english.title.startswith("Value of")
    assert german.title != english.title


def test_english_opens_no_catalogue_and_the_command_line_stays_english(tmp_path):
    program = (
        "import sys; from agent_memory.cli import main\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, args: name == 'open' and opened.append(str(args[0])))\n"
        "main(['sources'])\n"
        "print(any('l10n' in path and path.endswith('.json') for path in opened), len(opened) > 0)"
    )
    done = fresh(program, tmp_path, LANG="de_DE.UTF-8")
    assert "the file does not exist" in done.stdout
    assert done.stdout.endswith("False True\n")
