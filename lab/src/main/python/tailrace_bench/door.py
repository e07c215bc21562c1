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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tailrace import door as doors
from tailrace.agent import Address
from tailrace.door import Door
from tailrace.protocol import Hello

from tailrace_bench.recorded import Recorded, serve

ATTACH_SECONDS = 60.0
BEFORE_WAIT_SECONDS = 60.0  # in all, until a step is measured
WARM_SHARE = 0.2
BEFORE_BATCH = 16
SCOPE = "door"


class DoorBench:
    """One door and the batches that go through it."""

    def __init__(self, plan: dict[str, Any]) -> None:
        doors.SHARE = 1.0  # every answer is waited for, so that late ones are measured, too
        self._step_seconds: float = plan["stepSeconds"]
        self._draft_tokens: int = plan["draftTokens"]
        records = [json.loads(line) for line in Path(plan["requests"]).read_text().splitlines()]
        self._records = [(record["prompt"], record["response"]) for record in records]
        hello = Hello(
            vocabulary=plan["vocabulary"],
            requests_max=2 * max(BEFORE_BATCH, *plan["batches"]),
            draft_tokens_max=self._draft_tokens,
            engine="door",
            model="replay",
            revision="main",
            tokenizer="sha256:0123456789abcdef",
        )
        self._door = Door(Address.parse(plan["agent"]), hello)
        self._door.deadline_seconds = BEFORE_WAIT_SECONDS
        self._door.start()
        self._until(lambda: self._door.attached)
        for _ in serve(self._door, self._recorded(plan["before"]), BEFORE_BATCH, self._draft_tokens):
            pass

    def run(self, batch: int, numbers: Sequence[int]) -> dict[str, Any]:
        """Serves requests, so many at once."""
        steps = list(serve(self._door, self._recorded(numbers), batch, self._draft_tokens, self._step_seconds))
        accepted = sum(step.accepted for step in steps)
        warm = int(len(steps) * WARM_SHARE)
        return {
            "batch": batch,
            "telling": [step.telling for step in steps[warm:]],
            "waiting": [step.waiting for step in steps[warm:]],
            "steps": len(steps),
            "drafted": sum(step.drafted for step in steps),
            "accepted": accepted,
            "tokens": accepted + sum(step.requests for step in steps),
        }

    def _recorded(self, numbers: Sequence[int]) -> list[Recorded]:
        return [Recorded(f"r{n}-{time.monotonic_ns()}", *self._records[n], SCOPE) for n in numbers]

    def _until(self, done: Callable[[], bool]) -> None:
        until = time.monotonic() + ATTACH_SECONDS
        while not done():
            if time.monotonic() > until:
                raise SystemExit(f"the agent does not answer within {ATTACH_SECONDS:.0f} s")
            self._door.step(0, 0, 0, 0)
            time.sleep(0.001)


def main() -> None:
    """Runs the plan that the command line names."""
    plan = json.loads(Path(sys.argv[1]).read_text())
    bench = DoorBench(plan)
    for batch, numbers in zip(plan["batches"], plan["served"], strict=True):
        print(json.dumps(bench.run(batch, numbers), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
