"""Messages in German: the catalog, its check for releases, and the fallback to English."""

import ast
import importlib.util
import json
import re
from pathlib import Path

import pytest

import agent_memory
from agent_memory import l10n, secrets
from kit import fresh, write
from unit.secrets.generate import Maker

PACKAGE = Path(agent_memory.__file__).parent
CATALOGS = Path(l10n.__file__).parent
TOOLS = Path(__file__).parents[2] / "tools"
HOLE = re.compile(r"\{\d+[^}]*\}")


@pytest.fixture(autouse=True)
def _english_again():
    yield
    l10n.use(None)


def catalog(language):
    return json.loads((CATALOGS / f"{language}.json").read_text("utf-8"))


def test_message_without_translation_is_shown_in_english():
    l10n.use("de")
    assert l10n.t("no catalog has {0} of these", 2) == "no catalog has 2 of these"


@pytest.fixture
def check(monkeypatch):
    """Return tools/l10n_check.py as a module that finds the catalog ``known``."""
    spec = importlib.util.spec_from_file_location("l10n_check", TOOLS / "l10n_check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(known):
        monkeypatch.setattr(module, "catalog", lambda _: known)
        return module.main()

    run.messages = module.messages()
    run.module = module
    return run


@pytest.mark.slow
def test_release_check_lists_missing_translations_of_the_extension(
    check, capsys, monkeypatch, tmp_path
):
    catalogs = {
        "l10n/bundle.l10n.json": {"Save": "Save", "Open": "Open"},
        "l10n/bundle.l10n.de.json": {"Save": "Speichern", "Old": "Alt"},
        "package.nls.json": {"command.save": "Save"},
        "package.nls.de.json": {},
    }
    write(tmp_path, {name: json.dumps(texts) for name, texts in catalogs.items()})
    monkeypatch.setattr(check.module, "EXTENSION", tmp_path)
    assert check(dict.fromkeys(check.messages, "x")) == 1
    assert capsys.readouterr().out.splitlines() == [
        "l10n/bundle.l10n.de.json: not translated: Open",
        "l10n/bundle.l10n.de.json: translated but not used: Old",
        "package.nls.de.json: not translated: command.save",
    ]


@pytest.mark.slow
def test_release_check_lists_missing_and_unused_translations(check, capsys):
    known = dict.fromkeys(check.messages, "x")
    assert check(known) == 0
    del known["Remove the comment"]
    assert check({**known, "old message": "x"}) == 1
    assert capsys.readouterr().out.splitlines() == [
        "server/agent_memory/l10n/de.json: not translated: Remove the comment",
        "server/agent_memory/l10n/de.json: translated but not used: old message",
    ]


@pytest.mark.parametrize("language", l10n.LANGUAGES)
def test_translation_has_the_placeholders_of_its_message(language):
    for english, translated in catalog(language).items():
        assert translated.strip(), english
        assert sorted(HOLE.findall(translated)) == sorted(HOLE.findall(english)), english


def test_every_language_has_a_catalog():
    assert {path.stem for path in CATALOGS.glob("*.json")} == set(l10n.LANGUAGES)


def test_messages_are_literals():
    """`t(f"…")` would look for a sentence that no catalog has."""
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


def test_no_code_decides_by_a_message():
    """A comparison with `t("…")` depends on the wording; a field of the object does not."""
    guilty = [
        f"{path.name}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Compare)
        and any(
            isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "t"
            for part in (node.left, *node.comparators)
        )
    ]
    assert guilty == []


def test_numbers_use_the_separators_of_the_language():
    assert l10n.t("{0:,} tokens", 1240) == "1,240 tokens"
    l10n.use("de")
    assert l10n.t("{0:,} tokens", 1240) == "1.240 Token"
    assert l10n.t("Added to the end of {0} (line {1})", "x.md", 1240).endswith("(Zeile 1240)")


@pytest.mark.parametrize("locale", ["de", "de-AT", "de_DE", "DE"])
def test_locale_selects_the_language(locale):
    l10n.use(locale)
    assert l10n.t("Remove the comment") == "Kommentar entfernen"


@pytest.mark.parametrize("locale", [None, "", "en", "fr", "der", "../de", 7, ["de"]])
def test_unknown_locale_selects_english(locale):
    l10n.use("de")
    l10n.use(locale)
    assert l10n.t("Remove the comment") == "Remove the comment"


def test_braces_are_literal_in_values_and_without_values():
    l10n.use("de")
    assert l10n.t("unknown setting. Known: {0}", "{1}").endswith(" Bekannt: {1}")
    assert l10n.t("a {brace}") == "a {brace}"


def test_cached_titles_follow_the_language():
    text = "- the password for staging is " + Maker("language").make("{an:14}7")
    (english,) = secrets.find(text)
    l10n.use("de")
    (german,) = secrets.find(text)
    assert english.title.startswith("Value of")
    assert german.title != english.title


def test_command_line_is_english_and_opens_no_catalog(tmp_path):
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


def without_code(text):
    return re.sub(r"`[^`]*`", "", text)


def test_quotes_are_those_of_the_language():
    german = catalog("de")
    assert [text for text in german if re.search("[\u201c\u201d\u201e\u2018\u2019]", text)] == []
    straight = re.compile(r"(?<![\w`])['\"](?=[\w{])")
    assert [text for text in german.values() if straight.search(without_code(text))] == []
