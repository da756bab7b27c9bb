"""The built packages: metadata, links, contents, and the same bytes from every build."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

from agent_memory.base.version import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = ("server/agent_memory", "docs/rules", "tools/hatch_metadata.py")
FILES = ("pyproject.toml", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE")


def build(source, target):
    """Build the wheel and the sdist of ``source``; return their paths."""
    # a fixed date: the archives do not contain the time of the build
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("wheel", "sdist"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", name, "-d", str(target)]
        subprocess.run(command, cwd=source, env=env, check=True, capture_output=True)
    return next(target.glob("*.whl")), next(target.glob("*.tar.gz"))


def copied(target):
    """Return a copy of what a build needs, with other times of the files."""
    for name in NEEDED:
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns("__pycache__")
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place, ignore=ignored, copy_function=shutil.copyfile)
        else:
            shutil.copyfile(ROOT / name, place)
    for name in FILES:
        shutil.copyfile(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    return build(copied(folder / "source"), folder / "dist")


@pytest.fixture(scope="module")
def metadata(built):
    with zipfile.ZipFile(built[0]) as wheel:
        name = f"agent_memory_ls-{__version__}.dist-info/METADATA"
        return BytesParser().parsebytes(wheel.read(name))


def test_links_of_the_description_are_absolute(metadata):
    text = metadata.get_payload()
    assert "make run" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert [link for link in links if not link.startswith("https://")] == []
    home = PROJECT["urls"]["Repository"]
    files = [link.removeprefix(home).split("/", 3)[3] for link in links if link.startswith(home)]
    assert [name for name in files if not (ROOT / name.partition("#")[0]).exists()] == []


def test_metadata_names_urls_and_classifiers(metadata):
    urls = {line.partition(",")[0] for line in metadata.get_all("Project-URL")}
    assert urls == {"Changelog", "Documentation", "Issues", "Repository"}
    assert any("Windows" in item for item in metadata.get_all("Classifier"))


def test_the_command_has_the_name_of_the_package_too():
    assert PROJECT["scripts"][PROJECT["name"]] == PROJECT["scripts"]["agent-memory"]


def test_the_extra_for_development_has_what_the_tests_import():
    extras = PROJECT["optional-dependencies"]
    assert set(extras["mcp"]) <= set(extras["dev"])


def test_the_source_package_builds_the_same_wheel(built, tmp_path):
    wheel, sdist = built
    with tarfile.open(sdist) as archive:
        assert not [name for name in archive.getnames() if "/tests/" in name]
        archive.extractall(tmp_path, filter="data")
    again, _ = build(tmp_path / sdist.name.removesuffix(".tar.gz"), tmp_path / "dist")
    assert again.read_bytes() == wheel.read_bytes()


def test_two_builds_are_the_same_bytes(built, tmp_path):
    twice = build(copied(tmp_path / "other"), tmp_path / "dist")
    assert [file.read_bytes() for file in twice] == [file.read_bytes() for file in built]


def test_the_extension_and_the_changelog_have_the_version_of_the_server():
    extension = json.loads((ROOT / "vscode-extension" / "package.json").read_text("utf-8"))
    assert extension["version"] == __version__
    assert f"\n## {__version__} " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_sbom_names_every_bundled_package():
    command = [sys.executable, str(ROOT / "tools" / "sbom.py")]
    sbom = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert (sbom["bomFormat"], sbom["metadata"]["component"]["version"]) == (
        "CycloneDX",
        __version__,
    )
    names = {item["name"] for item in sbom["components"]}
    assert {"pygls", "lsprotocol", "vscode-languageclient", "vscode-jsonrpc"} <= names
    assert [item["name"] for item in sbom["components"] if not item.get("licenses")] == []
