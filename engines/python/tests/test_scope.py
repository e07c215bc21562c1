"""The scope comes from the header and from nowhere else."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from tailrace import scope
from tailrace.scope import KEY, PRIVATE, ScopeFromHeader, marked, named
from tailrace.settings import SCOPE_HEADER, SCOPE_SECRET, Settings

CHAT = "/v1/chat/completions"
ACME = marked("acme", "secret")


def ask(
    path: str,
    body: bytes,
    headers: list[tuple[bytes, bytes]],
    parts: int = 1,
    reads: Callable[[int], None] = lambda left: None,
) -> tuple[dict[str, Any], bytes]:
    """What the application behind the middleware gets: its scope, and the body."""
    got: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reads(len(messages))
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

    if (b"transfer-encoding", b"chunked") not in headers:
        headers = [*headers, (b"content-length", str(len(body)).encode())]
    scope: Any = {"type": "http", "method": "POST", "path": path, "headers": headers}
    asyncio.run(ScopeFromHeader(app)(scope, receive, send))
    return got["scope"], got["body"]


@pytest.fixture(autouse=True)
def header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SCOPE_HEADER, "X-Tenant")
    monkeypatch.setenv(SCOPE_SECRET, "secret")


def test_the_headers_scope_reaches_the_scheduler() -> None:
    got, body = ask(CHAT, json.dumps({"messages": []}).encode(), [(b"x-tenant", b"acme")], parts=3)
    assert json.loads(body) == {"messages": [], "vllm_xargs": {KEY: ACME}}
    assert dict(got["headers"])[b"content-length"] == str(len(body)).encode()


def test_tenants_whose_names_end_in_other_bytes_are_told_apart() -> None:
    names = ["\u00c5".encode(), "\u00e0".encode(), b" \xc3\x85\t"]  # in latin-1 their second bytes are spaces
    scopes = [json.loads(ask(CHAT, b"{}", [(b"x-tenant", name)])[1])["vllm_xargs"][KEY] for name in names]
    assert scopes[0] != scopes[1]
    assert scopes[0] == scopes[2]


def test_a_clients_own_scope_is_removed() -> None:
    stolen = {"vllm_xargs": {KEY: "victim", "other": 1}, "sampling_params": {"extra_args": {KEY: "victim"}}, KEY: "x"}
    for headers, expected in (([(b"x-tenant", b"acme")], {"other": 1, KEY: ACME}), ([], {"other": 1, PRIVATE: 1})):
        body = json.loads(ask("/v1/completions", json.dumps(stolen).encode(), headers)[1])
        assert body == {"vllm_xargs": expected, "sampling_params": {"extra_args": {}}}
    escaped = json.dumps(stolen).replace("tailrace", "\\u0074ailrace").encode()
    assert "victim" not in ask(CHAT, escaped, [])[1].decode()
    batch = {"requests": [[{"vllm_xargs": {KEY: "victim"}}]]}
    assert "victim" not in ask(CHAT, json.dumps(batch).encode(), [])[1].decode()
    deep = b'{"a":' * 600 + json.dumps(stolen).encode() + b"}" * 600
    assert "victim" not in ask(CHAT, deep, [])[1].decode()


def test_a_header_that_comes_twice_is_no_scope() -> None:
    twice = [(b"x-tenant", b"acme"), (b"X-Tenant", b"victim")]
    assert json.loads(ask(CHAT, b"{}", twice)[1]) == {"vllm_xargs": {PRIVATE: 1}}


def test_what_is_no_json_object_passes_as_it_is() -> None:
    for body in (b"", b"{", b"[1]", b"\xff\xfe", b'--form\r\nname="vllm_xargs"'):
        assert ask(CHAT, body, [(b"x-tenant", b"acme")])[1] == body


JSON = (b"content-type", b"application/json; charset=utf-8")
TENANT = (b"x-tenant", b"acme")
CHUNKED = (b"transfer-encoding", b"chunked")
FORM = (b"content-type", b"multipart/form-data; boundary=x")


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("/v1/audio/transcriptions", FORM),
        ("/v1/embeddings", JSON),
        ("/v1/load_lora_adapter", JSON),
        ("/", JSON),
        (CHAT, FORM),
        (CHAT, (b"content-type", b"text/plain")),
    ],
)
def test_what_does_not_generate_from_json_is_not_read(path: str, header: tuple[bytes, bytes]) -> None:
    unread: list[int] = []
    body = json.dumps({KEY: "x"}).encode()
    assert ask(path, body, [header, TENANT], 4, unread.append)[1] == body
    assert unread == [4]


def test_json_is_read_as_such_or_where_no_type_is_named() -> None:
    for headers in ([TENANT], [JSON, TENANT], [(b"Content-Type", b"application/vnd.x+JSON"), TENANT]):
        assert json.loads(ask(CHAT, b"{}", headers)[1]) == {"vllm_xargs": {KEY: ACME}}


def test_no_more_than_the_bound_is_read_and_what_is_larger_passes_without_a_scope(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scope, "BODY_BYTES_MAX", 100)
    for size, headers, expected in (
        (100, [TENANT], 0),
        (100, [TENANT, CHUNKED], 0),
        (200, [TENANT], 20),  # its length is said
        (200, [TENANT, CHUNKED], 9),
    ):
        unread: list[int] = []
        body = json.dumps({"a": "x" * (size - 9)}).encode()
        got, said = ask(CHAT, body, headers, 20, unread.append)
        assert unread == [expected]
        assert (said == body) == (expected > 0)
        assert (KEY.encode() in said) == (expected == 0)
        if (b"content-length", b"200") in got["headers"]:
            assert len(said) == 200


def test_what_is_nested_too_deeply_is_vllms_to_refuse() -> None:
    body = b'{"a":' * 200_000 + b"1" + b"}" * 200_000
    assert ask(CHAT, body, [TENANT])[1] == body


def test_a_client_that_goes_is_seen_to_go() -> None:
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    got: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        got.extend([await receive(), await receive()])

    async def receive() -> Any:
        return messages.pop(0)

    given: Any = {"type": "http", "method": "POST", "path": CHAT, "headers": [JSON]}
    asyncio.run(ScopeFromHeader(app)(given, receive, MagicMock()))
    assert got == [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]


def test_other_paths_get_no_new_fields() -> None:
    def body(path: str, given: bytes) -> Any:
        return json.loads(ask(path, given, [(b"x-tenant", b"acme")])[1])

    assert body("/v1/embeddings", b'{"a": 1}') == {"a": 1}
    assert body("/inference/v1/generate", b"{}") == {"sampling_params": {"extra_args": {KEY: ACME}}}
    assert body(CHAT, b'{"vllm_xargs": null}') == {"vllm_xargs": {KEY: ACME}}
    assert body(CHAT, b'{"vllm_xargs": 5}') == {"vllm_xargs": 5}


def test_sagemakers_path_is_marked_as_the_others() -> None:
    body = json.loads(ask("/invocations", b'{"store": false}', [(b"x-tenant", b"acme")])[1])
    assert body["vllm_xargs"] == {KEY: ACME, PRIVATE: 1}


def test_a_batch_that_is_not_to_be_stored_gets_a_salt_of_its_own() -> None:
    path = "/v1/chat/completions/batch"
    salts = [json.loads(ask(path, b'{"store": false}', [])[1])["cache_salt"] for _ in range(2)]
    assert len(salts[0]) == 32
    assert salts[0] != salts[1]
    assert json.loads(ask(path, b'{"store": false, "cache_salt": "s"}', [])[1])["cache_salt"] == "s"
    for stored in (b"{}", b'{"store": true}'):
        assert ask(path, stored, [])[1] == stored


@pytest.mark.parametrize("header", ["X-Tenant", ""])
def test_what_is_not_to_be_stored_is_private(monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    monkeypatch.setenv(SCOPE_HEADER, header)
    nobodys = {PRIVATE: 1} if header else None
    for store, expected in ((False, {PRIVATE: 1}), (True, nobodys), (None, nobodys)):
        body = json.loads(ask(CHAT, json.dumps({"store": store}).encode(), [])[1])
        assert body.get("vllm_xargs") == expected


def test_only_what_the_middleware_has_marked_is_a_scope() -> None:
    assert named({KEY: ACME}, "secret") == "acme"
    assert named({KEY: marked("a:b", "secret")}, "secret") == "a:b"
    assert "secret" not in ACME
    long, others = marked("x" * 1025, "secret"), marked("victim", "secret").partition(":")[0] + ":acme"
    for value in ("acme", ":acme", "wrong:acme", "secret:acme", others, "secret:", 5, [ACME], long, "模:a"):
        assert named({KEY: value}, "secret") == ""
    for value in ("acme", ":acme", ACME):
        assert named({KEY: value}, "") == ""
    assert named(None, "secret") == named({}, "secret") == ""


def test_a_scope_that_a_client_has_put_in_leaves_the_request_private(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, attributes in (
        ("torch", ()),
        ("vllm.v1.core.sched.scheduler", ("Scheduler",)),
        ("vllm.v1.outputs", ("DraftTokenIds",)),
        ("vllm.v1.request", ("RequestStatus",)),
    ):
        module: Any = ModuleType(name)
        for attribute in attributes:
            setattr(module, attribute, type(attribute, (), {}) if attribute != "RequestStatus" else MagicMock())
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "tailrace.vllm", raising=False)
    engine_door: Any = importlib.import_module("tailrace.vllm").EngineDoor
    for name in ("tailrace.vllm", "tailrace.vllm_cpu"):  # made with what is no vLLM
        sys.modules.pop(name, None)

    door = SimpleNamespace(_settings=Settings.read())
    for arguments, expected in (({KEY: "acme"}, ("", False)), (None, ("", False)), ({KEY: ACME}, ("acme", True))):
        request = SimpleNamespace(mm_features=None, sampling_params=SimpleNamespace(extra_args=arguments))
        assert engine_door._scope(door, request) == expected
    unknowing = SimpleNamespace(_settings=Settings(door._settings.address))  # its process lacks the header's name
    for arguments, public in (({KEY: ACME}, False), ({"other": "1"}, True), (None, True)):
        request = SimpleNamespace(mm_features=None, sampling_params=SimpleNamespace(extra_args=arguments))
        assert engine_door._scope(unknowing, request) == ("", public)


def test_the_secret_is_made_once_and_only_for_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SCOPE_SECRET, "")
    monkeypatch.delenv(SCOPE_HEADER)
    scope.make_secret()
    assert not os.environ[SCOPE_SECRET]
    monkeypatch.setenv(SCOPE_HEADER, "X-Tenant")
    scope.make_secret()
    made = os.environ[SCOPE_SECRET]
    assert len(made) == 32
    scope.make_secret()
    assert os.environ[SCOPE_SECRET] == made


def test_without_the_secret_no_request_has_a_scope(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(SCOPE_SECRET)
    asked = ask(CHAT, json.dumps({KEY: "x"}).encode(), [(b"x-tenant", b"acme")])[1]
    assert json.loads(asked) == {"vllm_xargs": {PRIVATE: 1}}
    assert SCOPE_SECRET in caplog.text


def test_without_the_setting_everything_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SCOPE_HEADER)
    body = json.dumps({"vllm_xargs": {KEY: "x"}}).encode()
    assert ask(CHAT, body, [(b"x-tenant", b"acme")])[1] == body
