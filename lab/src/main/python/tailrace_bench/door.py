"""``python -m tailrace_bench.door PLAN.json``: the door of an engine that takes steps and computes nothing.

The plan has a ``requests`` file of JSON lines with ``prompt`` and ``response``, the ``agent``'s socket, ``vocabulary``,
``draftTokens``, ``stepSeconds``, numbers of requests answered ``before`` and of those ``served``, and the ``batches``.
Recorded answers say which draft tokens are right. For each batch a JSON line is written, with the seconds that the
engine's thread has spent in the door at each step: ``telling``, until the agent was told, and ``waiting``, from there
until the drafts were in hand.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tailrace import door as doors
from tailrace.agent import Address
from tailrace.door import Door, Request
from tailrace.protocol import STOP, Hello

ATTACH_SECONDS = 60.0
WARM_SHARE = 0.2


class Served:
    """A recorded request that is answered."""

    def __init__(self, name: str, prompt: Sequence[int], response: Sequence[int]) -> None:
        self.response = response
        self.said = 0
        self.tokens = list(prompt)
        self.request = Request(
            name, self.tokens, len(prompt), arrived_ms=int(time.time() * 1000), temperature=0.0, scope="door"
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


class DoorBench:
    """One door and the batches that go through it."""

    def __init__(self, plan: dict[str, Any]) -> None:
        doors.SHARE = 1.0  # every answer is waited for, so that late ones are measured, too
        doors.DEADLINE_SECONDS_FIRST = 1.0
        self._step_seconds: float = plan["stepSeconds"]
        self._draft_tokens: int = plan["draftTokens"]
        records = [json.loads(line) for line in Path(plan["requests"]).read_text().splitlines()]
        self._records = [(record["prompt"], record["response"]) for record in records]
        hello = Hello(
            vocabulary=plan["vocabulary"],
            requests_max=2 * max(plan["batches"]),
            draft_tokens_max=self._draft_tokens,
            engine="door",
            model="replay",
            revision="main",
            tokenizer="sha256:0123456789abcdef",
        )
        self._door = Door(Address.parse(plan["agent"]), hello)
        self._door.deadline_seconds = 1.0
        self._door.start()
        self._until(lambda: self._door.attached)
        for number in plan["before"]:
            known = self._served(number)
            self._door.begin(known.request)
            known.tokens.extend(known.response)
            self._door.end(known.request, STOP)
            self._until(lambda: not self._door._untold)

    def run(self, batch: int, numbers: Sequence[int]) -> dict[str, Any]:
        """Serves requests, so many at once."""
        waiting = [self._served(number) for number in reversed(numbers)]
        running: list[Served] = []
        telling: list[float] = []
        awaiting: list[float] = []
        drafted = accepted = said = 0
        rows = 0
        while waiting or running:
            while waiting and len(running) < batch:
                running.append(waiting.pop())
                self._door.begin(running[-1].request)
            time.sleep(self._step_seconds)
            outcomes = [each.step() for each in running]
            began = time.perf_counter()
            for each, (verified, _) in zip(running, outcomes, strict=True):
                room = min(self._draft_tokens, max(0, len(each.response) - each.said - 1))
                self._door.said(each.request, verified, room)
                if each.done:
                    self._door.end(each.request, STOP)
            nanos = int(self._step_seconds * 1e9)
            self._door.step(nanos, len(running), rows or len(running), batch * self._draft_tokens)
            told = time.perf_counter()
            self._door.wait()
            ended = time.perf_counter()
            telling.append(told - began)
            awaiting.append(ended - told)
            drafted += sum(verified for verified, _ in outcomes)
            accepted += sum(right for _, right in outcomes)
            said += len(outcomes) + sum(right for _, right in outcomes)
            running = [each for each in running if not each.done]
            rows = sum(1 + len(each.request.draft) for each in running)
        warm = int(len(telling) * WARM_SHARE)
        return {
            "batch": batch,
            "telling": telling[warm:],
            "waiting": awaiting[warm:],
            "steps": len(telling),
            "drafted": drafted,
            "accepted": accepted,
            "tokens": said,
            "late": self._door.counts.late,
        }

    def _served(self, number: int) -> Served:
        prompt, response = self._records[number]
        return Served(f"r{number}-{time.monotonic_ns()}", prompt, response)

    def _until(self, done: Any) -> None:
        until = time.monotonic() + ATTACH_SECONDS
        while not done():
            if time.monotonic() > until:
                raise SystemExit(f"the agent does not answer within {ATTACH_SECONDS:.0f} s")
            self._door.step(0, 0, 0, 0)
            self._door._active_at = 0.0
            self._door._tick()
            time.sleep(0.0005)


def main() -> None:
    """Runs the plan that the command line names."""
    plan = json.loads(Path(sys.argv[1]).read_text())
    bench = DoorBench(plan)
    for batch, numbers in zip(plan["batches"], plan["served"], strict=True):
        print(json.dumps(bench.run(batch, numbers), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
