"""SARIF against its official schema, if installed, and against a strict schema of our fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlparse

import jsonschema
import pytest

from kit import cli, project

OFFICIAL = Path(__file__).parents[3] / ".cache" / "sarif-2.1.0.json"
HIDDEN = "- \U0001f600 a\u200bb\n"


@pytest.fixture
def ctx(tmp_path):
    same = "- the same long item is said twice\n"
    files = {
        ".deepagents/agent.md": HIDDEN + same + same,
        "agent.md": "- other\n",
        "a b%#é/AGENTS.md": "\u200b",
    }
    return project(tmp_path, files, {".deepagents/agent/agent.md": HIDDEN})


@pytest.fixture
def log(ctx):
    home = str(ctx.home / ".deepagents")
    return json.loads(cli(ctx, "check", ".", home, "--format", "sarif").out)


def text() -> dict[str, Any]:
    return shape({"text": {"type": "string", "minLength": 1}})


def shape(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    properties = {**required, **(optional or {})}
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def strict() -> dict[str, Any]:
    """The specification (3.13 to 3.49) of the properties we write; no others are allowed."""
    string, count = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 1}
    uri = {"type": "string", "format": "uri"}
    level = {"enum": ["none", "note", "warning", "error"]}
    number = {"type": "integer", "minimum": 0}
    region = shape(dict.fromkeys(["startLine", "startColumn", "endLine", "endColumn"], count))
    file = shape({"uri": {"type": "string", "format": "uri-reference"}}, {"uriBaseId": string})
    physical = shape({"artifactLocation": file, "region": region})
    location = shape({"physicalLocation": physical}, {"id": number, "message": text()})
    rule = {
        "id": {"type": "string", "pattern": "^AM[0-9]{3}$"},
        "name": {"type": "string", "pattern": "^[A-Z][A-Za-z0-9]*$"},
        "shortDescription": text(),
        "help": shape({"text": string, "markdown": string}),
        "helpUri": uri,
        "defaultConfiguration": shape({"level": level, "enabled": {"type": "boolean"}}),
        "properties": shape(
            {"tags": {"type": "array", "items": string}},
            {"security-severity": {"type": "string", "pattern": r"^\d+\.\d$"}},
        ),
    }
    driver = {
        "name": {"const": "agent-memory"},
        "version": string,
        "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
        "informationUri": uri,
        "rules": {"type": "array", "items": shape(rule), "uniqueItems": True},
    }
    result = {
        "ruleId": string,
        "ruleIndex": number,
        "level": level,
        "message": text(),
        "locations": {"type": "array", "items": location, "minItems": 1},
        "partialFingerprints": {"type": "object", "additionalProperties": string},
        "properties": {"type": "object"},
    }
    inserted = shape({"text": {"type": "string"}})
    change = shape({"deletedRegion": region}, {"insertedContent": inserted})
    changes = shape({"artifactLocation": file, "replacements": {"type": "array", "items": change}})
    fix = shape({"description": text(), "artifactChanges": {"type": "array", "items": changes}})
    run = {
        "tool": shape({"driver": shape(driver)}),
        "invocations": {
            "type": "array",
            "items": shape({"executionSuccessful": {"type": "boolean"}}),
        },
        "originalUriBaseIds": {"type": "object", "additionalProperties": shape({"uri": uri})},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {
            "type": "array",
            "items": shape(
                result,
                {
                    "relatedLocations": {"type": "array", "items": location},
                    "fixes": {"type": "array", "items": fix, "minItems": 1},
                },
            ),
        },
    }
    return shape(
        {
            "$schema": uri,
            "version": {"const": "2.1.0"},
            "runs": {"type": "array", "items": shape(run), "minItems": 1},
        }
    )


def test_sarif_has_the_specified_fields(log):
    jsonschema.validate(log, strict())
    assert len(log["runs"][0]["results"]) >= 5


def test_strict_schema_rejects_invalid_documents(log):
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError, match="minimum of 1"):
        jsonschema.validate(log, strict())


@pytest.mark.skipif(not OFFICIAL.exists(), reason="`make test` fetches the schema from its package")
def test_sarif_is_valid_by_the_official_schema(log):
    schema = json.loads(OFFICIAL.read_text("utf-8"))
    assert list(jsonschema.Draft4Validator(schema).iter_errors(log)) == []
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert list(jsonschema.Draft4Validator(schema).iter_errors(log))


def test_every_location_resolves_to_its_file(ctx, log):
    run = log["runs"][0]
    base = run["originalUriBaseIds"]["SRCROOT"]["uri"]
    paths = set()
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        for place in result["locations"] + result.get("relatedLocations", []):
            artifact = place["physicalLocation"]["artifactLocation"]
            inside = artifact.get("uriBaseId") == "SRCROOT"
            uri = urljoin(base, artifact["uri"]) if inside else artifact["uri"]
            path = Path(unquote(urlparse(uri).path))
            assert path.exists()
            paths.add(path)
    assert ctx.cwd / "a b%#é" / "AGENTS.md" in paths
    assert ctx.home / ".deepagents" / "agent" / "agent.md" in paths


def test_columns_are_utf16_units_from_1(log):
    (place,) = [
        result["locations"][0]["physicalLocation"]["region"]
        for result in log["runs"][0]["results"]
        if result["ruleId"] == "AM107"
        and ".deepagents/agent.md" in str(result["locations"])
        and "SRCROOT" in str(result["locations"])
    ]
    assert place == {"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 8}


def test_fingerprint_is_stable_when_lines_move(ctx, log):
    path = ctx.cwd / ".deepagents" / "agent.md"
    path.write_text("- first\n" + path.read_text("utf-8"), "utf-8")
    moved = json.loads(cli(ctx, "check", ".", "--format", "sarif").out)

    def prints(value: dict[str, Any]) -> set[str]:
        results = value["runs"][0]["results"]
        return {
            r["partialFingerprints"]["agentMemory/v1"] for r in results if r["ruleId"] == "AM107"
        }

    assert prints(moved) <= prints(log)
