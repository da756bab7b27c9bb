"""What is offered is handled, and what is handled is offered."""

from lsprotocol import types
from lsprotocol.converters import get_converter

from agent_memory.lsp.protocol import capabilities
from agent_memory.lsp.protocol.client_capabilities import Client
from agent_memory.lsp.server import MemoryServer
from agent_memory.lsp.transport.pygls_adapter import Features
from lsp_kit import PRESETS

PROVIDERS = {
    "codeActionProvider": {"textDocument/codeAction"},
    "completionProvider": {"textDocument/completion"},
    "hoverProvider": {"textDocument/hover"},
    "definitionProvider": {"textDocument/definition"},
    "referencesProvider": {"textDocument/references"},
    "renameProvider": {"textDocument/rename", "textDocument/prepareRename"},
    "codeLensProvider": {"textDocument/codeLens"},
    "inlayHintProvider": {"textDocument/inlayHint"},
    "workspaceSymbolProvider": {"workspace/symbol"},
    "documentSymbolProvider": {"textDocument/documentSymbol"},
    "foldingRangeProvider": {"textDocument/foldingRange"},
    "documentLinkProvider": {"textDocument/documentLink"},
    "diagnosticProvider": {"textDocument/diagnostic", "workspace/diagnostic"},
    "executeCommandProvider": {"workspace/executeCommand"},
}


def offered(kind, **options):
    params = {"capabilities": PRESETS[kind], "initializationOptions": options}
    return capabilities.answer(Client(params))["capabilities"]


def test_every_capability_has_its_handler(tmp_path):
    server = MemoryServer(tmp_path)
    handled = server.connection.handlers.keys() | server.connection.features
    for name in offered("vscode").keys() & PROVIDERS.keys():
        assert PROVIDERS[name] <= handled, name
    assert offered("vscode").keys() - PROVIDERS.keys() == {
        "positionEncoding",
        "textDocumentSync",
        "workspace",
    }


def test_the_features_of_pygls_are_those_that_load_it(tmp_path):
    features = Features(MemoryServer(tmp_path))
    assert features.protocol.fm.features.keys() == capabilities.TYPED


def test_the_answer_is_one_that_the_protocols_own_types_take():
    for kind, preset in PRESETS.items():
        answer = capabilities.answer(Client({"capabilities": preset}))
        read = get_converter().structure(answer, types.InitializeResult)
        assert read.capabilities.position_encoding == offered(kind)["positionEncoding"]


def test_an_odd_client_is_one_that_can_nothing():
    for odd in ({}, {"capabilities": 5}, {"capabilities": {"workspace": [1], "general": "x"}}):
        client = Client(odd)
        assert (client.encoding, client.pull, client.document_changes) == ("utf-16", False, False)
