"""An engine without a model: batches, preempts, verifies, and drives a door as a real one does."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tailrace import protocol
from tailrace.agent import Address
from tailrace.door import Door, Request
from tailrace.protocol import Hello

VOCABULARY = 97
DRAFT_TOKENS = 8


def hello(requests_max: int = 8) -> Hello:
    return Hello(VOCABULARY, requests_max, DRAFT_TOKENS, "toy", "toy-model", "main", "sha256:0123456789abcdef")


def door_to(path: Path | str, requests_max: int = 8) -> Door:
    return Door(Address.parse(str(path)), hello(requests_max))


def attached(door: Door) -> Door:
    """The door, when an agent has welcomed it."""

    def ready() -> bool:
        door.step(0, 0, 0, 0)
        return door.attached

    door.start()
    wait_for(ready)
    return door


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not come true in time"
        time.sleep(0.002)


def next_token(tokens: list[int]) -> int:
    """The model: what it says depends on the last two tokens, and soon repeats itself."""
    return (tokens[-1] * 7 + tokens[-2] * 3 + 1) % 6


class Beat:
    """Seconds in which this process ran: it stands still where the machine does. It may be slow, and is never fast."""

    SECONDS = 0.001

    def __init__(self) -> None:
        self._beats = 0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(self.SECONDS)
            self._beats += 1

    def seconds(self) -> float:
        return self._beats * self.SECONDS


BEAT = Beat()


class Running:
    """A request in the toy engine."""

    def __init__(self, number: int, prompt: list[int], length: int, private: bool = False) -> None:
        self.name = f"request-{number}"
        self.tokens = list(prompt)
        self.prompt = len(prompt)
        self.length = length
        self.draft: list[int] = []
        self.known = len(prompt)
        self.ours = Request(self.name, self.tokens, self.prompt, private=private, temperature=0.0)
        self.begun = False

    @property
    def said(self) -> list[int]:
        return self.tokens[self.prompt :]

    def take_back(self) -> list[int]:
        """What was said since the last call; it is not among the tokens any more."""
        said = self.tokens[self.known :]
        del self.tokens[self.known :]
        self.known += len(said)
        return said

    @property
    def done(self) -> bool:
        return len(self.tokens) - self.prompt >= self.length


class ToyEngine:
    """Steps a batch; `door` may be None. Its seed says when it tells what was said, and whether it begins early."""

    def __init__(self, door: Door | None, seed: int, batch: int = 4) -> None:
        self.door = door
        self.tells_ahead = seed % 2 == 1
        self.begins_early = seed % 3 > 0
        self.random = random.Random(seed)
        self.batch = batch
        self.waiting: list[Running] = []
        self.running: list[Running] = []
        self.finished: list[Running] = []
        self.hook_seconds: list[float] = []
        self.accepted = 0
        self.step_nanos = 2_000_000

    def add(self, request: Running) -> None:
        self.waiting.append(request)

    def step(self) -> None:
        """One step of the batch, and the door's part in it."""
        while self.waiting and len(self.running) < self.batch:
            self.running.append(self.waiting.pop(0))
        scheduled = [r for r in self.running if self.random.random() < 0.95]
        if self.door is not None and self.begins_early:
            self._begin_early()
        verified = {r: self._verify(r) for r in scheduled}
        started = BEAT.seconds()
        self._tell(verified)
        if self.door is not None:
            self.door.wait()
            for r in self.running:
                if r in verified:
                    r.draft = r.ours.take()
        self.hook_seconds.append(BEAT.seconds() - started)
        if self.running and self.random.random() < 0.05:  # preempt the last
            last = self.running.pop()
            last.draft = []
            self.waiting.insert(0, last)

    def _begin_early(self) -> None:
        assert self.door is not None
        for r in self.running:
            if not r.begun:
                r.begun = True
                self.door.begin(r.ours)
        self.door.begin_early()

    def _verify(self, r: Running) -> int:
        """Says the accepted tokens of the draft and the model's own."""
        draft, r.draft = r.draft[: self.random.choice([DRAFT_TOKENS, 3])], []
        for token in [*draft, None]:
            own = next_token(r.tokens)
            r.tokens.append(own)
            if r.done or token != own:
                break
            self.accepted += 1
        return len(draft)

    def _tell(self, verified: dict[Running, int]) -> None:
        if self.door is None:
            self.running = [r for r in self.running if not self._finish(r)]
            return
        done = [r for r in verified if r.done]
        rows = len(verified) + sum(verified.values())
        ahead = {r: r.take_back() for r in verified} if self.tells_ahead else {}
        for r, count in verified.items():
            if not r.begun:
                r.begun = True
                self.door.begin(r.ours)
            room = min(DRAFT_TOKENS, r.length - len(r.said) - len(ahead.get(r, ())) - 1)
            self.door.said(r.ours, count, max(0, room), ahead.get(r, ()))
        if ahead:
            self.door.step(self.step_nanos, len(verified), rows, 1000)
        for r, said in ahead.items():
            r.tokens.extend(said)
            self.door.shown(r.ours)
        for r in done:
            self.door.end(r.ours, protocol.LENGTH)
        self.running = [r for r in self.running if not self._finish(r)]
        if not ahead:
            self.door.step(self.step_nanos, len(verified), rows, 1000)

    def _finish(self, r: Running) -> bool:
        if r.done:
            self.finished.append(r)
        return r.done

    def run(self) -> None:
        while self.waiting or self.running:
            self.step()


def traffic(seed: int, count: int) -> list[Running]:
    rng = random.Random(seed)
    return [
        Running(
            i, [rng.randrange(VOCABULARY) for _ in range(rng.randint(2, 30))], rng.randint(1, 60), rng.random() < 0.1
        )
        for i in range(count)
    ]
