"""Every announced capability has its handlers, and every handler is in the table."""

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from agent_memory.base.version import REPOSITORY
from agent_memory.lsp.host import Host
from agent_memory.lsp.protocol import capabilities
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.protocol.methods import (
    COMMANDS,
    FAST,
    METHODS,
    PYGLS,
    TABLE,
    features,
)
from lsp_kit import PRESETS

FAST_LANE = {
    *("initialize", "initialized", "shutdown", "exit"),
    *("textDocument/didOpen", "textDocument/didChange"),
    *("textDocument/didSave", "textDocument/didClose"),
    *("textDocument/diagnostic", "workspace/diagnostic"),
}
PYGLS_OWN = {"workspace/executeCommand", "$/setTrace"}


def announced(kind, **options):
    params = {"capabilities": PRESETS[kind], "initializationOptions": options}
    return capabilities.answer(ClientCapabilities(params))["capabilities"]


@pytest.fixture
def host(tmp_path):
    return Host(tmp_path)


def test_the_fast_lane_is_a_fixed_list(host):
    assert host.fast_lane.handlers.keys() == FAST_LANE
    assert {name for name, row in METHODS.items() if row.lane == FAST} == FAST_LANE


def test_all_other_methods_are_registered_on_pygls(host):
    expected = {name for name, row in METHODS.items() if row.lane == PYGLS}
    manager = host.server().protocol.fm
    assert manager.features.keys() == expected - PYGLS_OWN
    assert manager.builtin_features.keys() == PYGLS_OWN
    assert manager.commands.keys() == set(COMMANDS)


def test_every_capability_of_the_table_is_announced(host):
    everything = announced("vscode")
    for row in TABLE:
        found = everything
        for key in row.capability.split(".") if row.capability else ():
            found = found[key]
    assert everything.keys() - {row.capability.partition(".")[0] for row in TABLE} == {
        "positionEncoding"
    }


def test_every_feature_is_created_once(host):
    host.server()
    names = [*features(early=True), *features(early=False)]
    assert [type(item).__name__ for item in host.events.features] == [
        name.partition(".")[2] for name in names
    ]


@pytest.mark.parametrize(
    "row", [row for row in METHODS.values() if row.params], ids=lambda row: row.name
)
def test_parameter_types_are_those_of_the_protocol(row):
    message = types.METHOD_TO_TYPES[row.name][0]
    assert row.params in str(message.__annotations__["params"])


def test_the_answer_is_a_valid_initialize_result():
    for kind, preset in PRESETS.items():
        answer = capabilities.answer(ClientCapabilities({"capabilities": preset}))
        read = get_converter().structure(answer, types.InitializeResult)
        assert read.capabilities.position_encoding == announced(kind)["positionEncoding"]


def test_malformed_capabilities_count_as_missing():
    for odd in ({}, {"capabilities": 5}, {"capabilities": {"workspace": [1], "general": "x"}}):
        client = ClientCapabilities(odd)
        assert (client.encoding, client.pull, client.document_changes) == ("utf-16", False, False)


@pytest.mark.parametrize(
    ("given", "page"),
    [
        ("command:open?%5B%22{code}%22%5D", "command:open?%5B%22AM501%22%5D"),
        ("no place for it", f"{REPOSITORY}/blob/main/docs/rules/AM501.md"),
        (None, f"{REPOSITORY}/blob/main/docs/rules/AM501.md"),
    ],
)
def test_rule_pages_open_in_the_client(given, page):
    client = ClientCapabilities({"initializationOptions": {"rulePages": given}})
    assert client.rule_page("AM501") == page
