"""The mock model reads bodies of a limited size only."""

from __future__ import annotations

import gzip
import socket
import time

import pytest

from agent_memory.verify import mock_model
from agent_memory.verify.mock_model import MockModel

CHUNKED = b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
SIZED = b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
GZIP = SIZED.replace(b"Host", b"Content-Encoding: gzip\r\nHost")


def answer(model, request):
    """Send the bytes ``request`` over a connection that stays open; return the answer."""
    with socket.create_connection(("127.0.0.1", model.port), timeout=5) as connection:
        connection.sendall(request)
        with connection.makefile("rb") as stream:
            return stream.readline()


def chunks(*texts):
    return b"".join(b"%x\r\n%s\r\n" % (len(text), text) for text in texts)


def test_a_chunked_body_is_joined():
    with MockModel() as model:
        end = b"0\r\n\r\n"
        assert b"200" in answer(model, CHUNKED + chunks(b'{"a"', b": 1}") + end)
        assert model.requests == [("/v1/messages", {"a": 1})]


@pytest.mark.parametrize(
    "request_bytes",
    [
        CHUNKED + chunks(b"x" * 600, b"y" * 600),  # more chunks could follow
        CHUNKED + b"-1\r\n",  # of an unknown size
        SIZED % -1,
        SIZED % 2_000 + b"x" * 1_000,
    ],
    ids=["chunks", "negative chunk", "negative size", "size"],
)
def test_a_body_over_the_limit_is_not_read_to_its_end(request_bytes, monkeypatch):
    monkeypatch.setattr(mock_model, "MAX_BYTES", 1_000)
    with MockModel() as model:
        assert b"200" in answer(model, request_bytes)
        assert model.requests == [("/v1/messages", {})]


@pytest.mark.parametrize("body", [b"[1]", b"1", b"no JSON"])
def test_a_body_that_is_not_an_object_is_answered(body):
    with MockModel() as model:
        assert b"200" in answer(model, SIZED % len(body) + body)
        assert model.requests == [("/v1/messages", {})]


@pytest.mark.parametrize(
    "request_bytes",
    [
        GZIP % 4 + b"{}{}",
        GZIP % 15 + gzip.compress(b'{"a": 1}')[:15],
        CHUNKED + b"size\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"\r\n",
        SIZED.replace(b"%d", b"size") + b"{}",
    ],
    ids=["gzip", "start of gzip", "chunk size", "empty chunk size", "size"],
)
def test_an_invalid_body_is_answered(request_bytes):
    with MockModel() as model:
        assert b"200" in answer(model, request_bytes)
        assert model.requests == [("/v1/messages", {})]


def test_a_valid_request_follows_an_invalid_gzip_body():
    with MockModel() as model:
        valid = SIZED % 8 + b'{"a": 1}'
        assert b"200" in answer(model, GZIP % 4 + b"{}{}" + valid)
        deadline = time.monotonic() + 5
        while len(model.requests) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert model.requests == [("/v1/messages", {}), ("/v1/messages", {"a": 1})]
