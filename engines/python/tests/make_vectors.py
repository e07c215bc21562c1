"""Writes engines/protocol-vectors.json: frames of every type as bytes and as fields.

The bytes are put together here by hand from docs/ENGINE_PROTOCOL.md, without the package, so that every codec can be
tested against them. Run as ``python make_vectors.py > ../../protocol-vectors.json``.
"""

from __future__ import annotations

import json
import struct
from typing import Any

DOOR, AGENT = "door to agent", "agent to door"


def u32(*values: int) -> bytes:
    return b"".join(struct.pack("<I", v) for v in values)


def i32(*values: int) -> bytes:
    return b"".join(struct.pack("<i", v) for v in values)


def u64(value: int) -> bytes:
    return struct.pack("<Q", value)


def i64(value: int) -> bytes:
    return struct.pack("<q", value)


def f32(*values: float) -> bytes:
    return b"".join(struct.pack("<f", v) for v in values)


def text(value: str) -> bytes:
    raw = value.encode("utf-8")
    while len(raw) % 4:
        raw += b"\0"
    return u32(len(value.encode("utf-8"))) + raw


def tokens(*values: int) -> bytes:
    return u32(len(values)) + i32(*values)


def frame(kind: int, sequence: int, body: bytes) -> bytes:
    return u32(len(body), kind) + u64(sequence) + body


def vector(name: str, direction: str, kind: int, sequence: int, body: bytes, fields: dict[str, Any]) -> dict[str, Any]:
    types = {1: "HELLO", 2: "WELCOME", 3: "REFUSED", 4: "STEP", 5: "DRAFTS"}
    return {
        "name": name,
        "direction": direction,
        "type": types[kind],
        "sequence": sequence,
        "fields": fields,
        "hex": frame(kind, sequence, body).hex(),
    }


def hello(vocabulary: int, requests: int, most: int, flags: int, *words: str) -> bytes:
    return u32(1, vocabulary, requests, most, flags) + b"".join(map(text, words))


def step(nanos: int, requests: int, rows: int, most: int, *operations: bytes) -> bytes:
    return u64(nanos) + u32(requests, rows, most, len(operations)) + b"".join(operations)


def handshakes() -> list[dict[str, Any]]:
    words = ("host-1:tiny:0", "tiny", "main", "sha256:0123456789abcdef")
    named = dict(zip(("engine", "model", "revision", "tokenizer"), words, strict=True))
    wide = ("é" * 100, "Modèle 模型", "v1/2", "sha256:ffffffffffffffff")
    wide_named = dict(zip(("engine", "model", "revision", "tokenizer"), wide, strict=True))
    return [
        vector(
            "HELLO of an engine that verifies lines",
            DOOR,
            1,
            0,
            hello(32_000, 256, 16, 0, *words),
            {"version": 1, "vocabulary": 32_000, "requestsMax": 256, "draftTokensMax": 16, "trees": False, **named},
        ),
        vector(
            "HELLO at its limits, with trees and characters of several bytes",
            DOOR,
            1,
            0,
            hello(1, 4_096, 64, 1, *wide),
            {"version": 1, "vocabulary": 1, "requestsMax": 4_096, "draftTokensMax": 64, "trees": True, **wide_named},
        ),
        vector(
            "WELCOME",
            AGENT,
            2,
            0,
            u32(1) + text("tailrace agent 0.1.0") + text("chat"),
            {"version": 1, "agent": "tailrace agent 0.1.0", "scope": "chat"},
        ),
        vector(
            "WELCOME of an agent that chooses no scope",
            AGENT,
            2,
            0,
            u32(1) + text("tailrace agent 0.1.0") + text(""),
            {"version": 1, "agent": "tailrace agent 0.1.0", "scope": ""},
        ),
        vector(
            "REFUSED, the answer to HELLO",
            AGENT,
            3,
            0,
            u32(2) + text("tokenizer sha256:ffff is not the lane's"),
            {"code": 2, "words": "tokenizer sha256:ffff is not the lane's"},
        ),
        vector(
            "REFUSED without words, the answer to a STEP", AGENT, 3, 77, u32(4) + text(""), {"code": 4, "words": ""}
        ),
    ]


def steps() -> list[dict[str, Any]]:
    begin = (
        u32(1, 7, 0, 4)
        + i64(1_767_225_600_123)
        + f32(0.0)
        + text("cmpl-1")
        + text("acme")
        + tokens(1, 80, 654, 386, 98)
    )
    begun = {
        "kind": "begin",
        "request": 7,
        "private": False,
        "promptTokens": 4,
        "arrivedMillis": 1_767_225_600_123,
        "temperature": 0.0,
        "requestId": "cmpl-1",
        "scope": "acme",
        "tokens": [1, 80, 654, 386, 98],
    }
    secret = u32(1, 4_294_967_295, 1, 0) + i64(-1) + f32(-1.0) + text("模" * 66) + text("") + tokens()
    secret_fields = {
        "kind": "begin",
        "request": 4_294_967_295,
        "private": True,
        "promptTokens": 0,
        "arrivedMillis": -1,
        "temperature": -1.0,
        "requestId": "模" * 66,
        "scope": "",
        "tokens": [],
    }
    said = u32(2, 7, 3) + tokens(5, 2_147_483_646)
    said_fields = {"kind": "extend", "request": 7, "verified": 3, "tokens": [5, 2_147_483_646]}
    return [
        vector("STEP that says nothing", DOOR, 4, 1, step(0, 0, 0, 0), _step(0, 0, 0, 0)),
        vector(
            "STEP that begins a request and wants its draft",
            DOOR,
            4,
            2,
            step(0, 1, 5, 2_047, begin, u32(4, 7, 16)),
            _step(0, 1, 5, 2_047, begun, {"kind": "draft", "request": 7, "tokensMax": 16}),
        ),
        vector(
            "STEP with every operation",
            DOOR,
            4,
            4_294_967_296,
            step(
                9_876_543_210,
                3,
                9,
                40,
                u32(2, 3, 0) + tokens(2),
                u32(3, 3, 1) + i64(1_767_225_601_000),
                said,
                u32(4, 7, 64),
                secret,
                u32(2, 9, 64) + tokens(),
                u32(4, 9, 1),
            ),
            _step(
                9_876_543_210,
                3,
                9,
                40,
                {"kind": "extend", "request": 3, "verified": 0, "tokens": [2]},
                {"kind": "end", "request": 3, "reason": 1, "saidMillis": 1_767_225_601_000},
                said_fields,
                {"kind": "draft", "request": 7, "tokensMax": 64},
                secret_fields,
                {"kind": "extend", "request": 9, "verified": 64, "tokens": []},
                {"kind": "draft", "request": 9, "tokensMax": 1},
            ),
        ),
    ]


def _step(nanos: int, requests: int, rows: int, most: int, *operations: dict[str, Any]) -> dict[str, Any]:
    return {"nanos": nanos, "requests": requests, "rows": rows, "draftTokensMax": most, "operations": list(operations)}


def drafts() -> list[dict[str, Any]]:
    line = u32(7, 3) + i32(10, 11, 12) + i32(-1, 0, 1) + f32(0.75, 0.5, 0.25) + i32(0, 8, 9)
    line_fields = {
        "request": 7,
        "tokens": [10, 11, 12],
        "parents": [-1, 0, 1],
        "probabilities": [0.75, 0.5, 0.25],
        "sources": [0, 8, 9],
    }
    empty = {"request": 8, "tokens": [], "parents": [], "probabilities": [], "sources": []}
    tree = u32(9, 4) + i32(1, 2, 3, 4) + i32(-1, -1, 0, 2) + f32(1.0, 0.0, 0.5, 0.5) + i32(1, 2, 3, 0)
    tree_fields = {
        "request": 9,
        "tokens": [1, 2, 3, 4],
        "parents": [-1, -1, 0, 2],
        "probabilities": [1.0, 0.0, 0.5, 0.5],
        "sources": [1, 2, 3, 0],
    }
    return [
        vector(
            "DRAFTS without a draft",
            AGENT,
            5,
            1,
            u64(0) + u32(0, 0),
            {"reports": 0, "off": False, "pause": 0, "drafts": []},
        ),
        vector(
            "DRAFTS with a line and an empty draft",
            AGENT,
            5,
            2,
            u64(1) + u32(0, 2) + line + u32(8, 0),
            {"reports": 1, "off": False, "pause": 0, "drafts": [line_fields, empty]},
        ),
        vector(
            "DRAFTS with a tree, while the policy says not to draft",
            AGENT,
            5,
            4_294_967_296,
            u64(4_294_967_295) + u32(1, 1) + tree,
            {"reports": 4_294_967_295, "off": True, "pause": 0, "drafts": [tree_fields]},
        ),
        vector(
            "DRAFTS that pause for three steps",
            AGENT,
            5,
            3,
            u64(2) + u32(3 << 8, 1) + u32(8, 0),
            {"reports": 2, "off": False, "pause": 3, "drafts": [empty]},
        ),
    ]


def broken() -> list[dict[str, Any]]:
    """Frames that break one rule each."""
    words = ("e", "m", "r", "t")
    good = hello(10, 1, 1, 0, *words)
    begin = u32(1, 1, 0, 0) + i64(0) + f32(0.0)
    cases = [
        ("type 6", DOOR, frame(6, 1, b"")),
        ("a header that says more than 16 MiB", DOOR, u32(16_777_217, 4) + u64(1)),
        ("a HELLO with a sequence", DOOR, frame(1, 1, good)),
        ("a STEP without a sequence", DOOR, frame(4, 0, step(0, 0, 0, 0))),
        ("a HELLO without a vocabulary", DOOR, frame(1, 0, hello(0, 1, 1, 0, *words))),
        ("a HELLO with a vocabulary of 2^31", DOOR, frame(1, 0, hello(2**31, 1, 1, 0, *words))),
        ("a HELLO without a model", DOOR, frame(1, 0, hello(10, 1, 1, 0, "e", "", "r", "t"))),
        ("a HELLO with 4,097 requests", DOOR, frame(1, 0, hello(10, 4_097, 1, 0, *words))),
        ("a HELLO with 65 draft tokens", DOOR, frame(1, 0, hello(10, 1, 65, 0, *words))),
        ("an engine without a name", DOOR, frame(1, 0, hello(10, 1, 1, 0, "", "m", "r", "t"))),
        ("an engine with # in its name", DOOR, frame(1, 0, hello(10, 1, 1, 0, "a#b", "m", "r", "t"))),
        ("a byte after the body's last field", DOOR, frame(1, 0, good + b"\0")),
        ("a string that goes on after the body's end", DOOR, frame(1, 0, good[:20] + u32(99))),
        ("a string that is not UTF-8", DOOR, frame(1, 0, good[:20] + u32(1) + b"\xff\0\0\0" + good[28:])),
        ("a string that is not filled up with zeros", DOOR, frame(1, 0, good[:20] + u32(1) + b"e\0\0x" + good[28:])),
        ("a string of 1,025 bytes", DOOR, frame(1, 0, hello(10, 1, 1, 0, "e", "m" * 1_025, "r", "t"))),
        ("more nanoseconds than 2^63 - 1", DOOR, frame(4, 1, step(2**63, 1, 1, 0))),
        ("a STEP of 2^31 requests", DOOR, frame(4, 1, step(0, 2**31, 1, 0))),
        ("a STEP of 2^31 rows", DOOR, frame(4, 1, step(0, 1, 2**31, 0))),
        ("a STEP with room for 2^32 - 1 draft tokens", DOOR, frame(4, 1, step(0, 1, 1, 2**32 - 1))),
        ("an operation of kind 5", DOOR, frame(4, 1, step(0, 0, 0, 0, u32(5, 1, 1)))),
        ("an operation too few", DOOR, frame(4, 1, u64(0) + u32(0, 0, 0, 1))),
        ("a request id of no bytes", DOOR, frame(4, 1, step(0, 0, 0, 0, begin + text("") + text("") + tokens()))),
        (
            "a request id of 201 bytes",
            DOOR,
            frame(4, 1, step(0, 0, 0, 0, begin + text("r" * 201) + text("") + tokens())),
        ),
        (
            "a prompt longer than all tokens",
            DOOR,
            frame(4, 1, step(0, 0, 0, 0, u32(1, 1, 0, 2) + i64(0) + f32(0.0) + text("r") + text("") + tokens(1))),
        ),
        ("a negative token", DOOR, frame(4, 1, step(0, 0, 0, 0, u32(2, 1, 0) + tokens(-1)))),
        ("a reason of 5", DOOR, frame(4, 1, step(0, 0, 0, 0, u32(3, 1, 5) + i64(0)))),
        ("a draft of at most no tokens", DOOR, frame(4, 1, step(0, 0, 0, 0, u32(4, 1, 0)))),
        ("a WELCOME without a scope", AGENT, frame(2, 0, u32(1) + text("tailrace agent 0.1.0"))),
        ("a refusal with code 6", AGENT, frame(3, 0, u32(6) + text(""))),
        ("reports up to 2^63", AGENT, frame(5, 1, u64(2**63) + u32(0, 0))),
        ("a draft of 65 tokens", AGENT, frame(5, 1, u64(0) + u32(0, 1) + u32(1, 65) + bytes(16 * 65))),
        (
            "a token that is its own parent",
            AGENT,
            frame(5, 1, u64(0) + u32(0, 1, 1, 1) + i32(3, 0) + f32(0.5) + i32(0)),
        ),
        ("a probability above 1", AGENT, frame(5, 1, u64(0) + u32(0, 1, 1, 1) + i32(3, -1) + f32(1.5) + i32(0))),
        (
            "a probability that is no number",
            AGENT,
            frame(5, 1, u64(0) + u32(0, 1, 1, 1) + i32(3, -1) + f32(float("nan")) + i32(0)),
        ),
        ("a source of 10", AGENT, frame(5, 1, u64(0) + u32(0, 1, 1, 1) + i32(3, -1) + f32(0.5) + i32(10))),
    ]
    return [{"name": name, "direction": direction, "hex": bytes_.hex()} for name, direction, bytes_ in cases]


def main() -> None:
    vectors = {"version": 1, "frames": handshakes() + steps() + drafts(), "broken": broken()}
    print(json.dumps(vectors, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
