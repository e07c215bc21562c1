"""The scope comes from the header and from nowhere else."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tailrace.scope import KEY, ScopeFromHeader, with_scope
from tailrace.settings import SCOPE_HEADER

CHAT = "/v1/chat/completions"


def ask(path: str, body: bytes, headers: list[tuple[bytes, bytes]], parts: int = 1) -> tuple[dict[str, Any], bytes]:
    """What the application behind the middleware gets: its scope, and the body."""
    got: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        got["scope"], got["body"] = scope, b""
        while True:
            message = await receive()
            got["body"] += message["body"]
            if not message["more_body"]:
                return

    size = max(1, -(-len(body) // parts))
    pieces = [body[i : i + size] for i in range(0, len(body), size)] or [b""]
    messages = [{"type": "http.request", "body": p, "more_body": i + 1 < len(pieces)} for i, p in enumerate(pieces)]

    async def receive() -> Any:
        return messages.pop(0)

    async def send(_: Any) -> None:
        pass

    headers = [*headers, (b"content-length", str(len(body)).encode())]
    scope: Any = {"type": "http", "method": "POST", "path": path, "headers": headers}
    asyncio.run(ScopeFromHeader(app)(scope, receive, send))
    return got["scope"], got["body"]


@pytest.fixture(autouse=True)
def header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SCOPE_HEADER, "X-Tenant")


def test_the_headers_scope_reaches_the_scheduler() -> None:
    scope, body = ask(CHAT, json.dumps({"messages": []}).encode(), [(b"x-tenant", b"acme")], parts=3)
    assert json.loads(body) == {"messages": [], "vllm_xargs": {KEY: "acme"}}
    assert dict(scope["headers"])[b"content-length"] == str(len(body)).encode()


def test_a_clients_own_scope_is_removed() -> None:
    stolen = {"vllm_xargs": {KEY: "victim", "other": 1}, "sampling_params": {"extra_args": {KEY: "victim"}}, KEY: "x"}
    for headers, expected in (([(b"x-tenant", b"acme")], {"other": 1, KEY: "acme"}), ([], {"other": 1})):
        body = json.loads(ask("/v1/completions", json.dumps(stolen).encode(), headers)[1])
        assert body == {"vllm_xargs": expected, "sampling_params": {"extra_args": {}}}
    escaped = json.dumps(stolen).replace("tailrace", "\\u0074ailrace").encode()
    assert "victim" not in ask(CHAT, escaped, [])[1].decode()
    batch = {"requests": [{"vllm_xargs": {KEY: "victim"}}]}
    assert "victim" not in ask("/v1/other", json.dumps(batch).encode(), [])[1].decode()


def test_a_header_that_comes_twice_is_no_scope() -> None:
    twice = [(b"x-tenant", b"acme"), (b"X-Tenant", b"victim")]
    assert json.loads(ask(CHAT, b"{}", twice)[1]) == {}


def test_what_is_no_json_object_passes_as_it_is() -> None:
    for body in (b"", b"{", b"[1]", b"\xff\xfe", b'--form\r\nname="vllm_xargs"'):
        assert ask(CHAT, body, [(b"x-tenant", b"acme")])[1] == body


def test_other_paths_get_no_new_fields() -> None:
    assert with_scope(b'{"a": 1}', "/v1/embeddings", "acme") is None
    assert json.loads(with_scope(b"{}", "/inference/v1/generate", "acme") or b"") == {
        "sampling_params": {"extra_args": {KEY: "acme"}}
    }
    assert json.loads(with_scope(b'{"vllm_xargs": null}', CHAT, "acme") or b"") == {"vllm_xargs": {KEY: "acme"}}
    assert with_scope(b'{"vllm_xargs": 5}', CHAT, "acme") is None


def test_without_the_setting_everything_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SCOPE_HEADER)
    body = json.dumps({"vllm_xargs": {KEY: "x"}}).encode()
    assert ask(CHAT, body, [(b"x-tenant", b"acme")])[1] == body
