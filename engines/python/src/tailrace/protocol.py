"""The frames of the engine protocol, version 1, in both directions.

``docs/ENGINE_PROTOCOL.md`` specifies every byte. A frame is a header of 16 bytes and a body::

    u32 bytes of the body | u32 type | u64 sequence | body

Two ways of reading and writing stand side by side. :func:`encode` and :func:`decode` handle every message as a plain
object, check every rule, and are what tests and the doctor use. :class:`StepWriter` and :func:`read_drafts` are what a
door calls once a step: they write and read the same bytes without building objects.

Nothing here touches a socket, and nothing raises anything but :class:`ProtocolError`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

VERSION: Final = 1
HEADER_BYTES: Final = 16
BODY_BYTES_MAX: Final = 16_777_216
STRING_BYTES_MAX: Final = 1_024
REQUEST_ID_BYTES_MAX: Final = 200
ENGINE_BYTES_MAX: Final = 200
REQUESTS_MAX: Final = 4_096
DRAFT_TOKENS_MAX: Final = 64
PAUSE_MAX: Final = 255
TOKEN_MAX: Final = 2**31 - 2
U32_COUNT_MAX: Final = 2**31 - 1
U64_COUNT_MAX: Final = 2**63 - 1

HELLO: Final = 1
WELCOME: Final = 2
REFUSED: Final = 3
STEP: Final = 4
DRAFTS: Final = 5
TYPES: Final = (HELLO, WELCOME, REFUSED, STEP, DRAFTS)

BEGIN: Final = 1
EXTEND: Final = 2
END: Final = 3
DRAFT: Final = 4

STOP: Final = 1
LENGTH: Final = 2
ABORTED: Final = 3
OTHER: Final = 4

REFUSED_VERSION: Final = 1
REFUSED_MODEL: Final = 2
REFUSED_FULL: Final = 3
REFUSED_FRAME: Final = 4
REFUSED_STOPPING: Final = 5

_HEADER = struct.Struct("<IIQ")
_U32 = struct.Struct("<I")
_HELLO = struct.Struct("<5I")
_STEP = struct.Struct("<Q4I")
_OP = struct.Struct("<II")
_BEGIN = struct.Struct("<IIIIqf")
_EXTEND = struct.Struct("<4I")
_END = struct.Struct("<IIIq")
_DRAFT = struct.Struct("<3I")
_DRAFTS = struct.Struct("<QII")
_PROPOSAL = struct.Struct("<II")
_PAUSE_SHIFT: Final = 8
# Tokens by count, for the counts a step has: formats that are compiled once.
_TOKENS = [struct.Struct(f"<{n}i") for n in range(DRAFT_TOKENS_MAX + 2)]
_EXTEND_DRAFT = [struct.Struct(f"<4I{n}i3I") for n in range(DRAFT_TOKENS_MAX + 2)]
_LINE = [struct.pack(f"<{n}i", *range(-1, n - 1)) for n in range(DRAFT_TOKENS_MAX + 1)]


Bytes = bytes | bytearray | memoryview


class ProtocolError(Exception):
    """A frame breaks a rule of the protocol. The message says the rule and the value."""


@dataclass(frozen=True)
class Hello:
    """What a door says first: which model it serves and its limits."""

    vocabulary: int
    requests_max: int
    draft_tokens_max: int
    engine: str
    model: str
    revision: str
    tokenizer: str
    trees: bool = False
    version: int = VERSION


@dataclass(frozen=True)
class Welcome:
    """The agent will draft; `scope` is that of requests whose engine names none, empty: they share nothing."""

    agent: str
    scope: str = ""
    version: int = VERSION


@dataclass(frozen=True)
class Refused:
    """The agent will not draft, and says why."""

    code: int
    words: str


@dataclass(frozen=True)
class Begin:
    """A request that the agent does not know yet."""

    request: int
    request_id: str
    tokens: tuple[int, ...]
    prompt_tokens: int
    arrived_ms: int = 0
    temperature: float = 0.0
    scope: str = ""
    private: bool = False


@dataclass(frozen=True)
class Extend:
    """What a request has said since the last BEGIN or EXTEND."""

    request: int
    verified: int
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class End:
    """A request has ended; its number is free again."""

    request: int
    reason: int
    said_ms: int


@dataclass(frozen=True)
class Draft:
    """A draft is wanted for the coming step."""

    request: int
    tokens_max: int


Operation = Begin | Extend | End | Draft


@dataclass(frozen=True)
class Step:
    """What happened in the step that has just ended, and what is wanted for the next."""

    operations: tuple[Operation, ...]
    nanos: int = 0
    requests: int = 0
    rows: int = 0
    draft_tokens_max: int = 0


@dataclass(frozen=True)
class Proposal:
    """The draft for one request: a tree, each token after its parent."""

    request: int
    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    probabilities: tuple[float, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Drafts:
    """The answer to a STEP."""

    drafts: tuple[Proposal, ...]
    reports: int = 0
    off: bool = False
    pause: int = 0


Message = Hello | Welcome | Refused | Step | Drafts


def encode(sequence: int, message: Message) -> bytes:
    """A whole frame. Raises ProtocolError for what the protocol cannot say."""
    try:
        kind, body = _body(message)
        if len(body) > BODY_BYTES_MAX:
            raise ProtocolError(f"a body has at most {BODY_BYTES_MAX} bytes, got {len(body)}")
        return _HEADER.pack(len(body), kind, sequence) + body
    except (struct.error, OverflowError, UnicodeError) as e:
        raise ProtocolError(f"not expressible in a frame: {e}") from e


def decode(frame: Bytes) -> tuple[int, Message]:
    """Sequence and message of one whole frame. Raises ProtocolError for anything else."""
    view = memoryview(frame).cast("B")
    size, kind, sequence = read_header(view)
    if len(view) != HEADER_BYTES + size:
        raise ProtocolError(f"the header says a body of {size} bytes, the frame has {len(view) - HEADER_BYTES}")
    reader = _Reader(view[HEADER_BYTES:])
    message = _READERS[kind](reader)
    reader.end()
    return sequence, message


def read_header(view: Bytes) -> tuple[int, int, int]:
    """Bytes of the body, type, sequence."""
    try:
        size, kind, sequence = _HEADER.unpack_from(view)
    except struct.error as e:
        raise ProtocolError(f"a header has {HEADER_BYTES} bytes: {e}") from e
    if size > BODY_BYTES_MAX:
        raise ProtocolError(f"a body has at most {BODY_BYTES_MAX} bytes, the header says {size}")
    if kind not in TYPES:
        raise ProtocolError(f"a frame's type is 1 to 5, got {kind}")
    if (sequence == 0) != (kind in (HELLO, WELCOME)) and kind != REFUSED:
        raise ProtocolError(f"HELLO and WELCOME have sequence 0, STEPs count from 1, got {sequence} for type {kind}")
    return size, kind, sequence


def string(text: str, bytes_max: int = STRING_BYTES_MAX) -> bytes:
    """A string as it stands in a frame: length, UTF-8, zeros up to a multiple of 4."""
    raw = text.encode()
    if len(raw) > bytes_max:
        raise ProtocolError(f"a string has at most {bytes_max} bytes here, got {len(raw)}")
    return _U32.pack(len(raw)) + raw + bytes(-len(raw) % 4)


def pack_tokens(tokens: Sequence[int]) -> bytes:
    """A token array as it stands in a frame."""
    return struct.pack(f"<I{len(tokens)}i", len(tokens), *tokens)


def all_below(packed: bytes, vocabulary: int) -> bool:
    """Whether each token of a token array is one of the vocabulary."""
    return len(packed) == 4 or int(np.frombuffer(packed, "<u4", offset=4).max()) < vocabulary


def _require(condition: bool, rule: str, value: object) -> None:
    if not condition:
        raise ProtocolError(f"{rule}, got {value!r}")


def _body(message: Message) -> tuple[int, bytes]:
    match message:
        case Hello():
            _check_hello(message)
            flags = 1 if message.trees else 0
            head = _HELLO.pack(
                message.version, message.vocabulary, message.requests_max, message.draft_tokens_max, flags
            )
            words = (message.engine, message.model, message.revision, message.tokenizer)
            return HELLO, head + b"".join(map(string, words))
        case Welcome():
            return WELCOME, _U32.pack(message.version) + string(message.agent) + string(message.scope)
        case Refused():
            _require(1 <= message.code <= 5, "a refusal's code is 1 to 5", message.code)
            return REFUSED, _U32.pack(message.code) + string(message.words)
        case Step():
            _check_step(message)
            head = _STEP.pack(
                message.nanos, message.requests, message.rows, message.draft_tokens_max, len(message.operations)
            )
            return STEP, head + b"".join(map(_operation, message.operations))
        case Drafts():
            _require(message.reports <= U64_COUNT_MAX, "reports are at most 2^63 - 1", message.reports)
            _require(0 <= message.pause <= PAUSE_MAX, "a pause is at most 255 steps", message.pause)
            flags = (1 if message.off else 0) | message.pause << _PAUSE_SHIFT
            head = _DRAFTS.pack(message.reports, flags, len(message.drafts))
            return DRAFTS, head + b"".join(map(_proposal, message.drafts))


def _operation(op: Operation) -> bytes:
    match op:
        case Begin():
            _check_begin(op)
            flags = 1 if op.private else 0
            head = _BEGIN.pack(BEGIN, op.request, flags, op.prompt_tokens, op.arrived_ms, op.temperature)
            return head + string(op.request_id, REQUEST_ID_BYTES_MAX) + string(op.scope) + pack_tokens(op.tokens)
        case Extend():
            _check_extend(op)
            return _OP.pack(EXTEND, op.request) + _U32.pack(op.verified) + pack_tokens(op.tokens)
        case End():
            _check_end(op)
            return _END.pack(END, op.request, op.reason, op.said_ms)
        case Draft():
            _check_draft(op)
            return _DRAFT.pack(DRAFT, op.request, op.tokens_max)


def _proposal(draft: Proposal) -> bytes:
    _check_proposal(draft)
    n = len(draft.tokens)
    return struct.pack(
        f"<II{n}i{n}i{n}f{n}i",
        draft.request,
        n,
        *draft.tokens,
        *draft.parents,
        *draft.probabilities,
        *draft.sources,
    )


def _check_hello(hello: Hello) -> None:
    _require(1 <= hello.vocabulary <= U32_COUNT_MAX, "a vocabulary has 1 to 2^31 - 1 tokens", hello.vocabulary)
    _require(1 <= hello.requests_max <= REQUESTS_MAX, "most requests are 1 to 4096", hello.requests_max)
    _require(1 <= hello.draft_tokens_max <= DRAFT_TOKENS_MAX, "most draft tokens are 1 to 64", hello.draft_tokens_max)
    _require(
        1 <= len(hello.engine.encode()) <= ENGINE_BYTES_MAX and "#" not in hello.engine,
        "an engine's name has 1 to 200 bytes without #",
        hello.engine,
    )
    for words in (hello.model, hello.revision, hello.tokenizer):
        _require(words != "", "model, revision and tokenizer are not empty", hello)


def _check_step(step: Step) -> None:
    _require(step.nanos <= U64_COUNT_MAX, "a step takes at most 2^63 - 1 nanoseconds", step.nanos)
    for count in (step.requests, step.rows, step.draft_tokens_max):
        _require(count <= U32_COUNT_MAX, "requests, rows and draft tokens of a step are at most 2^31 - 1", count)


def _check_begin(op: Begin) -> None:
    _require(op.request_id != "", "a request id has 1 to 200 bytes", op.request_id)
    _require(op.prompt_tokens <= len(op.tokens), f"of {len(op.tokens)} tokens at most all are the prompt's", op)
    _check_tokens(op.tokens)


def _check_extend(op: Extend) -> None:
    _require(op.verified <= DRAFT_TOKENS_MAX, "at most 64 draft tokens are verified", op.verified)
    _check_tokens(op.tokens)


def _check_end(op: End) -> None:
    _require(STOP <= op.reason <= OTHER, "a reason is 1 to 4", op.reason)


def _check_draft(op: Draft) -> None:
    _require(1 <= op.tokens_max <= DRAFT_TOKENS_MAX, "a draft has 1 to 64 tokens at most", op.tokens_max)


def _check_proposal(draft: Proposal) -> None:
    n = len(draft.tokens)
    _require(n <= DRAFT_TOKENS_MAX, "a draft has at most 64 tokens", n)
    same = n == len(draft.parents) == len(draft.probabilities) == len(draft.sources)
    _require(same, "a draft's columns have one length", draft)
    _check_tokens(draft.tokens)
    for i, parent in enumerate(draft.parents):
        _require(-1 <= parent < i, f"the parent of token {i} is -1 to {i - 1}", parent)
    for probability in draft.probabilities:
        _require(0 <= probability <= 1, "a probability is 0 to 1", probability)
    for source in draft.sources:
        _require(0 <= source <= 9, "a source is 0 to 9", source)


def _check_tokens(tokens: Sequence[int]) -> None:
    if tokens:
        _require(min(tokens) >= 0, "a token id is at least 0", min(tokens))


class _Reader:
    """Reads a body from front to back."""

    def __init__(self, body: memoryview) -> None:
        self._body = body
        self._at = 0

    def take(self, fields: struct.Struct) -> tuple[Any, ...]:
        try:
            values = fields.unpack_from(self._body, self._at)
        except struct.error as e:
            raise ProtocolError(f"the body ends at byte {len(self._body)}, inside a field at {self._at}") from e
        self._at += fields.size
        return values

    def u32(self) -> int:
        value: int = self.take(_U32)[0]
        return value

    def string(self, bytes_max: int = STRING_BYTES_MAX) -> str:
        size = self.u32()
        _require(size <= bytes_max, f"a string has at most {bytes_max} bytes here", size)
        end = self._at + size
        padded = end + -size % 4
        if padded > len(self._body):
            raise ProtocolError(f"the body ends at byte {len(self._body)}, inside a string at {self._at}")
        _require(not any(self._body[end:padded]), "a string is filled up with zeros", bytes(self._body[end:padded]))
        try:
            text = str(self._body[self._at : end], "utf-8")
        except UnicodeDecodeError as e:
            raise ProtocolError(f"a string is UTF-8: {e}") from e
        self._at = padded
        return text

    def column(self, count: int, kind: str = "i") -> tuple[Any, ...]:
        if count * 4 > len(self._body) - self._at:
            raise ProtocolError(f"the body ends at byte {len(self._body)}, inside {count} numbers at {self._at}")
        return self.take(struct.Struct(f"<{count}{kind}"))

    def tokens(self) -> tuple[int, ...]:
        return self.column(self.u32())

    def end(self) -> None:
        _require(self._at == len(self._body), f"the body ends after byte {self._at}", len(self._body))


def _read_hello(r: _Reader) -> Hello:
    version, vocabulary, requests_max, draft_tokens_max, flags = r.take(_HELLO)
    words = [r.string() for _ in range(4)]
    hello = Hello(
        vocabulary,
        requests_max,
        draft_tokens_max,
        words[0],
        words[1],
        words[2],
        words[3],
        bool(flags & 1),
        version,
    )
    _check_hello(hello)
    return hello


def _read_welcome(r: _Reader) -> Welcome:
    version = r.u32()
    return Welcome(r.string(), r.string(), version)


def _read_refused(r: _Reader) -> Refused:
    code = r.u32()
    _require(1 <= code <= 5, "a refusal's code is 1 to 5", code)
    return Refused(code, r.string())


def _read_step(r: _Reader) -> Step:
    nanos, requests, rows, draft_tokens_max, count = r.take(_STEP)
    operations = []
    for _ in range(count):
        operations.append(_read_operation(r))
    step = Step(tuple(operations), nanos, requests, rows, draft_tokens_max)
    _check_step(step)
    return step


def _read_operation(r: _Reader) -> Operation:
    kind, request = r.take(_OP)
    if kind == BEGIN:
        flags, prompt_tokens, arrived_ms, temperature = r.take(_BEGIN_REST)
        request_id, scope = r.string(REQUEST_ID_BYTES_MAX), r.string()
        begin = Begin(request, request_id, r.tokens(), prompt_tokens, arrived_ms, temperature, scope, bool(flags & 1))
        _check_begin(begin)
        return begin
    if kind == EXTEND:
        verified = r.u32()
        extend = Extend(request, verified, r.tokens())
        _check_extend(extend)
        return extend
    if kind == END:
        reason, said_ms = r.take(_END_REST)
        end = End(request, reason, said_ms)
        _check_end(end)
        return end
    if kind == DRAFT:
        draft = Draft(request, r.u32())
        _check_draft(draft)
        return draft
    raise ProtocolError(f"an operation's kind is 1 to 4, got {kind}")


_BEGIN_REST = struct.Struct("<IIqf")
_END_REST = struct.Struct("<Iq")


def _read_drafts(r: _Reader) -> Drafts:
    reports, flags, count = r.take(_DRAFTS)
    _require(reports <= U64_COUNT_MAX, "reports are at most 2^63 - 1", reports)
    drafts = []
    for _ in range(count):
        request, n = r.take(_PROPOSAL)
        _require(n <= DRAFT_TOKENS_MAX, "a draft has at most 64 tokens", n)
        draft = Proposal(request, r.column(n), r.column(n), r.column(n, "f"), r.column(n))
        _check_proposal(draft)
        drafts.append(draft)
    return Drafts(tuple(drafts), reports, bool(flags & 1), _pause(flags))


def _pause(flags: int) -> int:
    return flags >> _PAUSE_SHIFT & PAUSE_MAX


_READERS: dict[int, Callable[[_Reader], Message]] = {
    HELLO: _read_hello,
    WELCOME: _read_welcome,
    REFUSED: _read_refused,
    STEP: _read_step,
    DRAFTS: _read_drafts,
}


class StepWriter:
    """Writes one STEP, operation by operation, as the door of a running engine needs it.

    It checks nothing: the door hands over what it has checked. Strings come as :func:`string` makes them.
    """

    __slots__ = ("_parts", "begin_bytes", "bytes", "operations")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.operations = 0
        self.bytes = 0
        self.begin_bytes = 0  # of them, those of BEGINs

    def begin(
        self,
        request: int,
        packed: bytes,
        prompt_tokens: int,
        arrived_ms: int,
        temperature: float,
        strings: bytes,
        private: bool,
    ) -> None:
        """BEGIN; `packed` is from pack_tokens; `strings` is the request id and the scope, one after the other."""
        head = _BEGIN.pack(BEGIN, request, 1 if private else 0, prompt_tokens, arrived_ms, temperature)
        self._add(head + strings + packed)
        self.begin_bytes += len(head) + len(strings) + len(packed)

    def extend(self, request: int, verified: int, tokens: Sequence[int]) -> None:
        """EXTEND."""
        n = len(tokens)
        self._add(struct.pack(f"<4I{n}i", EXTEND, request, verified, n, *tokens))

    def extend_draft(self, request: int, verified: int, tokens: Sequence[int], tokens_max: int) -> None:
        """EXTEND and DRAFT of one request: what a step says of nearly every request."""
        n = len(tokens)
        if n < len(_EXTEND_DRAFT):
            self._parts.append(_EXTEND_DRAFT[n].pack(EXTEND, request, verified, n, *tokens, DRAFT, request, tokens_max))
            self.operations += 2
            self.bytes += 28 + 4 * n
        else:
            self.extend(request, verified, tokens)
            self.draft(request, tokens_max)

    def end(self, request: int, reason: int, said_ms: int) -> None:
        """END."""
        self._add(_END.pack(END, request, reason, said_ms))

    def draft(self, request: int, tokens_max: int) -> None:
        """DRAFT."""
        self._add(_DRAFT.pack(DRAFT, request, tokens_max))

    def _add(self, part: bytes) -> None:
        self._parts.append(part)
        self.operations += 1
        self.bytes += len(part)

    def frame(self, sequence: int, nanos: int, requests: int, rows: int, draft_tokens_max: int) -> bytes:
        """The whole frame."""
        size = _STEP.size + self.bytes
        head = _STEP_FRAME.pack(size, STEP, sequence, nanos, requests, rows, draft_tokens_max, self.operations)
        return head + b"".join(self._parts)


_STEP_FRAME = struct.Struct("<IIQQ4I")


def drafts_bytes_max(asked: Sequence[tuple[int, int]]) -> int:
    """The most bytes that the body of an answer to these DRAFTs can have."""
    return _DRAFTS.size + sum(_PROPOSAL.size + 16 * most for _, most in asked)


def read_drafts(
    body: bytearray, at: int, end: int, asked: Sequence[tuple[int, int]], vocabulary: int
) -> tuple[int, bool, int, list[list[int]]]:
    """Reports, whether drafting is off, in how many steps it pauses, and for each DRAFT its tokens, which are a line.

    `asked` has request and most tokens of each DRAFT. Probabilities and sources are not looked at: a door of lines
    verifies what it gets.
    """
    try:
        reports, flags, count = _DRAFTS.unpack_from(body, at)
        if reports > U64_COUNT_MAX:
            raise ProtocolError(f"reports are at most 2^63 - 1, got {reports}")
        if count != len(asked):
            raise ProtocolError(f"{len(asked)} drafts were asked for, got {count}")
        at += 16
        drafts = []
        for request, most in asked:
            number, n = _PROPOSAL.unpack_from(body, at)
            if number != request or n > most:
                raise ProtocolError(f"request {request} asked for {most} tokens, got {n} for request {number}")
            next_at = at + 8 + 16 * n
            if next_at > end:
                raise ProtocolError(f"the body ends at byte {end}, inside a draft at {at}")
            tokens = list(_TOKENS[n].unpack_from(body, at + 8))
            if n:
                if body[at + 8 + 4 * n : at + 8 + 8 * n] != _LINE[n]:
                    raise ProtocolError(f"a draft for this engine is a line, request {request} got a tree")
                if min(tokens) < 0 or max(tokens) >= vocabulary:
                    raise ProtocolError(f"a token id is 0 to {vocabulary - 1}, request {request} got {tokens}")
            drafts.append(tokens)
            at = next_at
    except struct.error as e:
        raise ProtocolError(f"the body ends at byte {end}, inside a field at {at}") from e
    if at != end:
        raise ProtocolError(f"the body ends after byte {at}, got {end}")
    return reports, bool(flags & 1), _pause(flags), drafts
