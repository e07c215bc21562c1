"""A dull agent that speaks the protocol, keeps what it is told, and misbehaves when it is asked to.

In a test: ``with FakeAgent(path) as agent: ...``. As a process: ``python fake_agent.py SOCKET RECORD.json``, which
prints what it was told as JSON on a line when its input ends.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tailrace import protocol
from tailrace.protocol import (
    Begin,
    Draft,
    Drafts,
    End,
    Extend,
    Hello,
    Message,
    Proposal,
    ProtocolError,
    Refused,
    Step,
    Welcome,
)

Drafter = Callable[["Told", int], list[int]]


@dataclass
class Told:
    """What the agent knows of one request."""

    request_id: str
    prompt: list[int]
    said: list[int]
    begin: Begin
    drafted: list[int] = field(default_factory=list)
    reason: int = 0


def repeat_own_context(told: Told, most: int) -> list[int]:
    """What followed the last three tokens where they stood before."""
    tokens = told.prompt + told.said
    for width in (3, 2, 1):
        tail = tokens[-width:]
        for at in range(len(tokens) - width - 1, -1, -1):
            if tokens[at : at + width] == tail:
                return tokens[at + width : at + width + most]
    return []


class Recorded:
    """Drafts from answers known beforehand, with errors mixed in."""

    def __init__(self, answers: list[tuple[list[int], list[int]]], wrong: float = 0.15, seed: int = 1) -> None:
        self._answers = {tuple(prompt): answer for prompt, answer in answers}
        self._wrong = wrong
        self._random = random.Random(seed)

    def __call__(self, told: Told, most: int) -> list[int]:
        answer = self._answers.get(tuple(told.prompt))
        if answer is None:
            return repeat_own_context(told, most)
        draft = answer[len(told.said) : len(told.said) + self._random.randint(0, most)]
        for i in range(len(draft)):
            if self._random.random() < self._wrong:
                draft[i] = (draft[i] + 1 + self._random.randrange(50)) % 2000
        return draft


class FakeAgent:
    """Listens on a Unix socket, one thread a connection."""

    def __init__(self, path: Path | str, drafter: Drafter = repeat_own_context) -> None:
        self.path = str(path)
        self.drafter = drafter
        self.delay_seconds = 0.0
        self.before_drafts: Callable[[], None] | None = None  # called when drafts that were asked for are ready to go
        self.refuse: Refused | None = None
        self.scope = ""
        self.junk: Callable[[bytes], bytes] | None = None
        self.off = False
        self.pause = 0  # said in answers with drafts
        self.acknowledge = True
        self.refused_id = ""  # a STEP that begins it is a broken frame
        self.late_refused_id = ""  # a STEP that begins it is refused once it is answered
        self.paused = threading.Event()  # reads nothing
        self.held = threading.Event()  # reads, and answers no STEP
        self.answered = 0
        self.hellos: list[Hello] = []
        self.steps: list[Step] = []
        self.broken: list[str] = []
        self.ended: list[Told] = []
        self.accepted = self.drafted = 0
        self._sockets: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> FakeAgent:
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.die()

    def listen(self) -> None:
        Path(self.path).unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def die(self) -> None:
        """Closes everything, as a killed process does."""
        for s in [self._listener, *self._sockets]:
            if s is not None:
                with contextlib.suppress(OSError):
                    s.shutdown(socket.SHUT_RDWR)
                s.close()
        self._sockets.clear()
        Path(self.path).unlink(missing_ok=True)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted, _ = listener.accept()
                self._sockets.append(accepted)
                threading.Thread(target=self._serve, args=(accepted,), daemon=True).start()

    def _serve(self, accepted: socket.socket) -> None:
        live: dict[int, Told] = {}
        try:
            while True:
                while self.paused.is_set():
                    time.sleep(0.001)
                frame = _read(accepted)
                message: Message | None = None
                try:
                    sequence, message = protocol.decode(frame)
                    answer = self._answer(sequence, message, live)
                except ProtocolError as e:
                    self.broken.append(str(e))
                    sequence, answer = protocol.read_header(frame)[2], Refused(protocol.REFUSED_FRAME, str(e)[:1000])
                if self.delay_seconds and isinstance(answer, Drafts):
                    time.sleep(self.delay_seconds)
                if self.before_drafts and isinstance(answer, Drafts) and answer.drafts:
                    self.before_drafts()
                while self.held.is_set() and isinstance(answer, Drafts):
                    time.sleep(0.0002)
                out = protocol.encode(sequence, answer)
                accepted.sendall(self.junk(out) if self.junk and isinstance(answer, Drafts) else out)
                self.answered += isinstance(answer, Drafts)
                if isinstance(message, Step) and any(
                    isinstance(op, Begin) and op.request_id == self.late_refused_id for op in message.operations
                ):
                    self.broken.append("a fault after the answer")
                    answer = Refused(protocol.REFUSED_FRAME, self.broken[-1])
                    accepted.sendall(protocol.encode(sequence, answer))
                if isinstance(answer, Refused):
                    accepted.close()
        except (OSError, EOFError):
            pass

    def _answer(self, sequence: int, message: Message, live: dict[int, Told]) -> Message:
        if isinstance(message, Hello):
            self.hellos.append(message)
            return self.refuse or Welcome("fake agent 1", self.scope)
        if not isinstance(message, Step):
            raise ProtocolError(f"a door says HELLO and STEP, got {message}")
        with self._lock:
            self.steps.append(message)
            drafts = [d for op in message.operations if (d := self._operate(op, live)) is not None]
        reports = sequence if self.acknowledge else 0
        return Drafts(tuple(drafts), reports, self.off and bool(drafts), self.pause if drafts else 0)

    def _operate(self, op: protocol.Operation, live: dict[int, Told]) -> Proposal | None:
        vocabulary = self.hellos[-1].vocabulary
        match op:
            case Begin():
                if op.request in live or len(live) >= self.hellos[-1].requests_max:
                    raise ProtocolError(f"request {op.request} cannot begin")
                if op.request_id == self.refused_id:
                    raise ProtocolError(f"request {op.request_id} is refused")
                _check(op.tokens, vocabulary)
                prompt, said = list(op.tokens[: op.prompt_tokens]), list(op.tokens[op.prompt_tokens :])
                live[op.request] = Told(op.request_id, prompt, said, op)
            case Extend():
                told = _of(live, op.request)
                _check(op.tokens, vocabulary)
                if op.verified > len(told.drafted):
                    raise ProtocolError(f"{op.verified} verified of a draft of {len(told.drafted)}")
                accepted = 0
                while accepted < min(op.verified, len(op.tokens)) and told.drafted[accepted] == op.tokens[accepted]:
                    accepted += 1
                self.drafted += op.verified
                self.accepted += accepted
                told.said += op.tokens
                told.drafted = []
            case End():
                told = _of(live, op.request)
                told.reason = op.reason
                del live[op.request]
                self.ended.append(told)
            case Draft():
                told = _of(live, op.request)
                told.drafted = [] if self.off else self.drafter(told, op.tokens_max)[: op.tokens_max]
                n = len(told.drafted)
                line = tuple(range(-1, n - 1))
                return Proposal(op.request, tuple(told.drafted), line, tuple(0.5**i for i in range(n)), (0,) * n)
        return None


def _of(live: dict[int, Told], request: int) -> Told:
    if request not in live:
        raise ProtocolError(f"request {request} has not begun")
    return live[request]


def _check(tokens: tuple[int, ...], vocabulary: int) -> None:
    if tokens and max(tokens) >= vocabulary:
        raise ProtocolError(f"a token id is below {vocabulary}, got {max(tokens)}")


def _read(accepted: socket.socket) -> bytes:
    head = _exactly(accepted, protocol.HEADER_BYTES)
    return head + _exactly(accepted, protocol.read_header(head)[0])


def _exactly(accepted: socket.socket, count: int) -> bytes:
    got = bytearray()
    while len(got) < count:
        part = accepted.recv(min(1 << 20, count - len(got)))
        if not part:
            raise EOFError
        got += part
    return bytes(got)


def main() -> None:
    record = [(p, a) for p, a in json.loads(Path(sys.argv[2]).read_text())] if len(sys.argv) > 2 else []
    with FakeAgent(sys.argv[1], Recorded(record)) as agent:
        print("listening", flush=True)
        sys.stdin.read()
        ended = [[t.request_id, t.prompt, t.said, t.reason, t.begin.private, t.begin.scope] for t in agent.ended]
        told = {"ended": ended, "broken": agent.broken, "drafted": agent.drafted, "accepted": agent.accepted}
        told["hellos"] = [vars(h) for h in agent.hellos]
        told["measured"] = sum(1 for s in agent.steps if s.nanos)
        told["steps"] = len(agent.steps)
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
