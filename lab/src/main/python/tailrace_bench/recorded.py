"""Serves recorded requests through a door with no engine behind it: the record says which draft tokens are right."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailrace.door import Door, Request
from tailrace.protocol import STOP


class Recorded:
    """A recorded request that is answered."""

    def __init__(self, name: str, prompt: Sequence[int], response: Sequence[int], scope: str) -> None:
        self.response = response
        self.said = 0
        self.tokens = list(prompt)
        self.request = Request(
            name, self.tokens, len(prompt), arrived_ms=int(time.time() * 1000), temperature=0.0, scope=scope
        )

    @property
    def done(self) -> bool:
        """Whether all of the answer is said."""
        return self.said == len(self.response)

    def step(self) -> tuple[int, int]:
        """Says what one forward pass says; draft tokens that were verified, and of them accepted."""
        draft = self.request.take()
        left = self.response[self.said :]
        accepted = 0
        while accepted < min(len(draft), len(left) - 1) and draft[accepted] == left[accepted]:
            accepted += 1
        said = accepted + 1
        self.tokens.extend(left[:said])
        self.said += said
        return len(draft), accepted


@dataclass(frozen=True)
class Step:
    """What a step came to."""

    telling: float  # seconds until the agent was told
    waiting: float  # seconds from there until the drafts were in hand
    requests: int
    drafted: int
    accepted: int

    @property
    def tokens(self) -> int:
        """Said by all requests together."""
        return self.accepted + self.requests


def serve(
    door: Door, requests: Sequence[Recorded], batch: int, draft_tokens: int, step_seconds: float = 0.0
) -> Iterator[Step]:
    """Serves requests, so many at once, in steps that take so long; 0: in no time, and none is told to the agent."""
    waiting = list(reversed(requests))
    running: list[Recorded] = []
    rows = 0
    while waiting or running:
        while waiting and len(running) < batch:
            running.append(waiting.pop())
            door.begin(running[-1].request)
        began = time.perf_counter()
        door.begin_early()
        beginning = time.perf_counter() - began
        if step_seconds:
            time.sleep(step_seconds)
        outcomes = [each.step() for each in running]
        began = time.perf_counter()
        for each, (verified, _) in zip(running, outcomes, strict=True):
            door.said(each.request, verified, min(draft_tokens, max(0, len(each.response) - each.said - 1)))
            if each.done:
                door.end(each.request, STOP)
        door.step(int(step_seconds * 1e9), len(running), rows or len(running), batch * draft_tokens)
        told = time.perf_counter()
        door.wait()
        ended = time.perf_counter()
        drafted, accepted = (sum(column) for column in zip(*outcomes, strict=True))
        yield Step(beginning + told - began, ended - told, len(running), drafted, accepted)
        running = [each for each in running if not each.done]
        rows = sum(1 + len(each.request.draft) for each in running)
