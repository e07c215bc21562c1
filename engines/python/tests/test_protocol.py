"""Frames say what the page says, both ways."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tailrace import protocol
from tailrace.protocol import (
    Begin,
    Draft,
    Drafts,
    End,
    Extend,
    Hello,
    Message,
    Operation,
    Proposal,
    ProtocolError,
    Refused,
    Step,
    StepWriter,
    Welcome,
)

VECTORS_FILE = Path(__file__).parents[2] / "protocol-vectors.json"
VECTORS = json.loads(VECTORS_FILE.read_text())
SEED = 19


def message_of(kind: str, f: dict[str, Any]) -> Message:
    """A message from a vector's fields."""
    match kind:
        case "HELLO":
            limits = (f["vocabulary"], f["requestsMax"], f["draftTokensMax"])
            return Hello(*limits, f["engine"], f["model"], f["revision"], f["tokenizer"], f["trees"], f["version"])
        case "WELCOME":
            return Welcome(f["agent"], f["scope"], f["version"])
        case "REFUSED":
            return Refused(f["code"], f["words"])
        case "STEP":
            operations = tuple(map(operation_of, f["operations"]))
            return Step(operations, f["nanos"], f["requests"], f["rows"], f["draftTokensMax"])
        case _:
            drafts = tuple(
                Proposal(
                    d["request"],
                    tuple(d["tokens"]),
                    tuple(d["parents"]),
                    tuple(d["probabilities"]),
                    tuple(d["sources"]),
                )
                for d in f["drafts"]
            )
            return Drafts(drafts, f["reports"], f["off"], f["pause"])


def operation_of(f: dict[str, Any]) -> Operation:
    match f["kind"]:
        case "begin":
            head = (f["request"], f["requestId"], tuple(f["tokens"]), f["promptTokens"])
            return Begin(*head, f["arrivedMillis"], f["temperature"], f["scope"], f["private"])
        case "extend":
            return Extend(f["request"], f["verified"], tuple(f["tokens"]))
        case "end":
            return End(f["request"], f["reason"], f["saidMillis"])
        case _:
            return Draft(f["request"], f["tokensMax"])


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda v: v["name"])
def test_a_vector_is_written_and_read_as_its_fields_say(vector: dict[str, Any]) -> None:
    message = message_of(vector["type"], vector["fields"])
    assert protocol.encode(vector["sequence"], message).hex() == vector["hex"]
    assert protocol.decode(bytes.fromhex(vector["hex"])) == (vector["sequence"], message)


@pytest.mark.parametrize("vector", VECTORS["broken"], ids=lambda v: v["name"])
def test_a_broken_vector_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        protocol.decode(bytes.fromhex(vector["hex"]))


def test_the_file_of_vectors_is_what_its_script_writes() -> None:
    script = Path(__file__).with_name("make_vectors.py")
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, encoding="utf-8")
    assert made.stdout == VECTORS_FILE.read_text(encoding="utf-8")


def test_random_messages_come_back_as_they_were() -> None:
    rng = random.Random(SEED)
    for case in range(3000):
        message = random_message(rng)
        sequence = 0 if isinstance(message, Hello | Welcome) else rng.randint(1, 2**64 - 1)
        frame = protocol.encode(sequence, message)
        assert protocol.decode(frame) == (sequence, message), f"seed {SEED}, case {case}"
        assert len(frame) % 4 == 0


def test_flipped_and_cut_frames_are_read_or_refused_in_words() -> None:
    rng = random.Random(SEED)
    refused = 0
    for _ in range(3000):
        message = random_message(rng)
        frame = bytearray(protocol.encode(0 if isinstance(message, Hello | Welcome) else 1, message))
        for _ in range(rng.randint(1, 4)):
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        if rng.random() < 0.3:
            del frame[rng.randrange(len(frame)) :]
        try:
            protocol.decode(frame)
        except ProtocolError as e:
            refused += 1
            assert str(e)
    assert refused > 500


def test_what_a_frame_cannot_say_is_refused() -> None:
    for message in (
        Hello(0, 1, 1, "e", "m", "r", "t"),
        Hello(2**31, 1, 1, "e", "m", "r", "t"),
        Hello(1, 1, 1, "x" * 201, "m", "r", "t"),
        Hello(1, 1, 1, "e", "m", "", "t"),
        Hello(1, 1, 1, "e", "m", "r", ""),
        Refused(6, ""),
        Welcome("x" * 1025),
        Step((Begin(1, "r", (1,), 2),)),
        Step((Begin(1, "", (), 0),)),
        Step((Extend(1, 0, (-1,)),)),
        Step((Extend(1, 0, (2**31,)),)),
        Step((Draft(1, 65),)),
        Step((), nanos=2**63),
        Step((), rows=2**31),
        Drafts((), 2**63),
        Drafts((Proposal(1, (1,), (0,), (0.5,), (0,)),)),
        Drafts((Proposal(1, (1, 2), (-1,), (0.5,), (0,)),)),
    ):
        with pytest.raises(ProtocolError):
            protocol.encode(1, message)
    with pytest.raises(ProtocolError):
        protocol.encode(1, Step((Begin(1, "r", (0,) * 4_200_000, 0),)))


def test_the_fast_writer_writes_what_the_codec_writes() -> None:
    rng = random.Random(SEED)
    for case in range(2000):
        step = random_step(rng)
        writer = StepWriter()
        at = 0
        while at < len(step.operations):
            at += write(writer, step.operations, at)
        frame = writer.frame(7, step.nanos, step.requests, step.rows, step.draft_tokens_max)
        assert frame == protocol.encode(7, step), f"seed {SEED}, case {case}"


def write(writer: StepWriter, operations: tuple[Operation, ...], at: int) -> int:
    """Writes one operation, or an EXTEND and its DRAFT together; how many it was."""
    op = operations[at]
    match op:
        case Begin():
            strings = protocol.string(op.request_id) + protocol.string(op.scope)
            packed = protocol.pack_tokens(op.tokens)
            writer.begin(op.request, packed, op.prompt_tokens, op.arrived_ms, op.temperature, strings, op.private)
        case Extend():
            after = operations[at + 1] if at + 1 < len(operations) else None
            if isinstance(after, Draft) and after.request == op.request:
                writer.extend_draft(op.request, op.verified, op.tokens, after.tokens_max)
                return 2
            writer.extend(op.request, op.verified, op.tokens)
        case End():
            writer.end(op.request, op.reason, op.said_ms)
        case Draft():
            writer.draft(op.request, op.tokens_max)
    return 1


def test_the_fast_reader_reads_what_the_codec_reads() -> None:
    rng = random.Random(SEED)
    for case in range(2000):
        drafts = tuple(random_line(rng, request) for request in range(rng.randrange(6)))
        asked = [(d.request, rng.randint(len(d.tokens), 64)) for d in drafts]
        message = Drafts(drafts, rng.randrange(2**63), rng.random() < 0.5)
        frame = bytearray(protocol.encode(9, message) + rng.randbytes(rng.randrange(9)))
        end = 16 + protocol.read_header(frame)[0]
        assert end - 16 <= protocol.drafts_bytes_max(asked)
        read = protocol.read_drafts(frame, 16, end, asked, 3000)
        assert read == (message.reports, message.off, message.pause, [list(d.tokens) for d in drafts]), (
            f"seed {SEED}, case {case}"
        )


def test_the_fast_reader_refuses_what_was_not_asked_for() -> None:
    line = Proposal(3, (1, 2), (-1, 0), (0.5, 0.5), (0, 0))
    frame = bytearray(protocol.encode(1, Drafts((line,))))
    for asked, vocabulary in (([], 10), ([(4, 2)], 10), ([(3, 1)], 10), ([(3, 2)], 2), ([(3, 2), (4, 1)], 10)):
        with pytest.raises(ProtocolError):
            protocol.read_drafts(frame, 16, len(frame), asked, vocabulary)
    frame[16:24] = (2**63).to_bytes(8, "little")
    with pytest.raises(ProtocolError, match="reports"):
        protocol.read_drafts(frame, 16, len(frame), [(3, 2)], 10)
    tree = bytearray(protocol.encode(1, Drafts((Proposal(3, (1, 2), (-1, -1), (0.5, 0.5), (0, 0)),))))
    with pytest.raises(ProtocolError):
        protocol.read_drafts(tree, 16, len(tree), [(3, 2)], 10)


def test_the_fast_reader_survives_any_bytes() -> None:
    rng = random.Random(SEED)
    for _ in range(5000):
        drafts = tuple(random_line(rng, request) for request in range(rng.randrange(4)))
        asked = [(d.request, 64) for d in drafts]
        frame = bytearray(protocol.encode(9, Drafts(drafts)))
        for _ in range(rng.randint(1, 4)):
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        end = rng.choice([len(frame), rng.randint(16, len(frame))])
        try:
            lists = protocol.read_drafts(frame, 16, end, asked, 3000)[3]
        except ProtocolError:
            continue
        assert all(0 <= t < 3000 for tokens in lists for t in tokens)


def random_message(rng: random.Random) -> Message:
    def words(most: int = 20) -> str:
        return "".join(rng.choice("aé模😀 /:") for _ in range(rng.randint(1, most)))

    match rng.randrange(5):
        case 0:
            limits = (rng.randint(1, 2**31 - 1), rng.randint(1, 4096), rng.randint(1, 64))
            return Hello(*limits, words(50), words(), words(), words(), rng.random() < 0.5, rng.randrange(3))
        case 1:
            return Welcome(words(), words(), rng.randrange(3))
        case 2:
            return Refused(rng.randint(1, 5), words())
        case 3:
            return random_step(rng)
        case _:
            drafts = tuple(random_tree(rng, rng.randrange(2**32)) for _ in range(rng.randrange(5)))
            return Drafts(drafts, rng.randrange(2**63), rng.random() < 0.5)


def random_step(rng: random.Random) -> Step:
    operations: list[Operation] = []
    for _ in range(rng.randrange(8)):
        request = rng.randrange(2**32)
        tokens = tuple(rng.randrange(2**31 - 1) for _ in range(rng.choice([0, 1, 2, 17, 64, 65, 66, 200])))
        match rng.randrange(5):
            case 0:
                rid = "".join(rng.choice("ab-模") for _ in range(rng.randint(1, 66)))
                scope = rng.choice(["", "acme", "模" * 341])
                prompt = rng.randint(0, len(tokens))
                times = (rng.randint(-(2**63), 2**63 - 1), rng.choice([0.0, -1.0, 0.75]))
                operations.append(Begin(request, rid, tokens, prompt, *times, scope, rng.random() < 0.5))
            case 1:
                operations.append(Extend(request, rng.randrange(65), tokens))
            case 2:
                operations.append(End(request, rng.randint(1, 4), rng.randint(-(2**63), 2**63 - 1)))
            case 3:
                operations.append(Draft(request, rng.randint(1, 64)))
            case _:
                operations += [Extend(request, rng.randrange(65), tokens), Draft(request, rng.randint(1, 64))]
    counts = [rng.randrange(2**31) for _ in range(3)]
    return Step(tuple(operations), rng.randrange(2**63), *counts)


def random_tree(rng: random.Random, request: int) -> Proposal:
    n = rng.choice([0, 1, 2, 16, 64])
    columns = (
        tuple(rng.randrange(2**31 - 1) for _ in range(n)),
        tuple(rng.randint(-1, i - 1) for i in range(n)),
        tuple(rng.randrange(17) / 16 for _ in range(n)),
        tuple(rng.randrange(6) for _ in range(n)),
    )
    return Proposal(request, *columns)


def random_line(rng: random.Random, request: int) -> Proposal:
    tree = random_tree(rng, request)
    n = len(tree.tokens)
    return Proposal(
        request, tuple(t % 3000 for t in tree.tokens), tuple(range(-1, n - 1)), tree.probabilities, tree.sources
    )
