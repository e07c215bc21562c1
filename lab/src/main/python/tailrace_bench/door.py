"""``python -m tailrace_bench.door PLAN.json``: the door of an engine that takes steps and computes nothing.

The plan has a ``requests`` file of JSON lines with ``prompt`` and ``response``, the ``agent``'s socket, ``vocabulary``,
``draftTokens``, ``stepSeconds``, numbers of requests answered ``before`` and of those ``served``, and the ``batches``.
Recorded answers say which draft tokens are right. What is written to standard output, as JSON lines, for each batch:

===== ==========================================================================================================
event what
===== ==========================================================================================================
warm  :data:`WARM_SHARE` of the batch's tokens are said, and all that was known before is told; waits for a line on
      standard input, and from here on all is counted
batch the rest is said; ``telling`` and ``waiting`` are the seconds that the engine's thread has spent in the door at
      each step: until the agent was told, and from there until the drafts were in hand
===== ==========================================================================================================
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

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

    def __init__(self, plan: dict[str, Any], commands: IO[str], out: IO[str]) -> None:
        self._commands = commands
        self._out = out
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

    def run(self, batch: int, numbers: Sequence[int]) -> None:
        """Serves requests, so many at once. Who reads may look at the agent between what warms up and what counts."""
        requests = self._recorded(numbers)
        warm_tokens = WARM_SHARE * sum(len(request.response) for request in requests)
        steps = serve(self._door, requests, batch, self._draft_tokens, self._step_seconds)
        while warm_tokens > 0:
            warm_tokens -= next(steps).tokens
        self._say("warm", batch=batch)
        if not self._commands.readline():
            raise SystemExit("the command has gone")
        counted = list(steps)
        self._say(
            "batch",
            batch=batch,
            telling=[step.telling for step in counted],
            waiting=[step.waiting for step in counted],
            steps=len(counted),
            drafted=sum(step.drafted for step in counted),
            accepted=sum(step.accepted for step in counted),
            tokens=sum(step.tokens for step in counted),
        )

    def _say(self, event: str, **what: Any) -> None:
        print(json.dumps({"event": event, **what}, separators=(",", ":")), file=self._out, flush=True)

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
    bench = DoorBench(plan, sys.stdin, sys.stdout)
    for batch, numbers in zip(plan["batches"], plan["served"], strict=True):
        bench.run(batch, numbers)


if __name__ == "__main__":
    main()
