"""``python -m tailrace_bench PLAN.json``: serves what the plan says, and writes what happened as JSON lines.

A plan has a ``model`` (see :class:`Model`), a ``requests`` file of JSON lines with ``workload``, ``prompt`` and
``response``, and ``parts`` (see :class:`Part`). What is written to standard output:

========== ===========================================================================================================
event      what
========== ===========================================================================================================
started    the engine is there; ``seconds`` it took, ``precision`` of its weights
pass       a pass of a part begins in a new ``scope``; if it ``waits``, then for a line on standard input
answered   requests have ended, and so have those of other replicas; ``requests`` are their numbers, ``scope`` is where
           the others' answers go; waits for a line, and the engine's clock stands
block      what a block took with one drafter; see :class:`tailrace_bench.engine.Served`
done       all parts are over
========== ===========================================================================================================
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

QUIET_SECONDS = 0.1  # until the agent has taken in what the job has admitted


@dataclass(frozen=True)
class Model:
    """The replay model, and the engine that serves it."""

    folder: str
    size: str
    vocabulary: int
    length: int
    batch: int
    eager: bool


@dataclass(frozen=True)
class Part:
    """Requests that several drafters serve in turn."""

    name: str
    workload: str
    before: list[int]  # numbers of requests that were answered before, here
    served: list[int]  # numbers of requests that are served, in blocks
    block: int
    passes: int
    shared: bool  # whether the requests between them are answered elsewhere, at the same time
    drafters: list[dict[str, Any]]  # name, kind; of Tailrace agent and draftTokens


def balanced(count: int) -> list[list[int]]:
    """Orders in which each follows each other one equally often, and comes equally often at each place.

    A drafter leaves a machine behind as its work has left it, so nobody always follows the same one. Williams (1949).
    """
    zigzag = [(place + 1) // 2 if place % 2 else -(place // 2) for place in range(count)]
    orders = [[(each + shift) % count for each in zigzag] for shift in range(count)]
    return orders if count % 2 == 0 else orders + [order[::-1] for order in orders]


class Bench:
    """One engine and the drafters that take turns in it."""

    def __init__(self, plan: dict[str, Any], out: IO[str]) -> None:
        from tailrace_bench.drafters import Record
        from tailrace_bench.engine import Engine

        self._out = out
        self._records = []
        with Path(plan["requests"]).open() as lines:
            for line in lines:
                read = json.loads(line)
                self._records.append(Record(read["workload"], read["prompt"], read["response"]))
        self._parts = [Part(**part) for part in plan["parts"]]
        model = Model(**plan["model"])
        self._drafters: dict[tuple[str, str], Any] = {}
        started = time.monotonic()
        self._engine = Engine(
            Path(model.folder), model.size, model.vocabulary, model.length, model.batch, eager=model.eager
        )
        self._say("started", seconds=time.monotonic() - started, precision=self._engine.precision)

    def run(self) -> None:
        """Serves all parts."""
        for part in self._parts:
            for number in range(part.passes):
                self._pass(part, number)
        self._say("done")

    def _pass(self, part: Part, number: int) -> None:
        drafters = [self._drafter(asked) for asked in part.drafters]
        scope = f"{part.name}-{part.workload}-{number}"
        before = [self._records[i] for i in part.before]
        for drafter in drafters:
            drafter.fresh(scope)
            drafter.learn(before)
        self._say("pass", part=part.name, workload=part.workload, number=number, scope=scope, waits=part.shared)
        if part.shared:
            self._wait()
        orders = balanced(len(drafters))
        firsts = range(0, len(part.served), part.block)
        for block, first in enumerate(firsts):
            for turn in orders[(number * len(firsts) + block) % len(orders)]:
                self._block(part, number, block, drafters[turn], scope, part.served[first : first + part.block])

    def _block(self, part: Part, number: int, block: int, drafter: Any, scope: str, requests: list[int]) -> None:
        told = scope if drafter.shares else f"{scope}-unread"  # the loop works in every drafter's turn, or in none's
        late = drafter.late()
        served = self._engine.serve(
            drafter,
            [self._records[i] for i in requests],
            (lambda places: self._answered(told, [requests[place] for place in places])) if part.shared else None,
        )
        self._say(
            "block",
            part=part.name,
            workload=part.workload,
            number=number,
            block=block,
            drafter=drafter.name,
            late=drafter.late() - late,
            **dataclasses.asdict(served),
        )

    def _answered(self, scope: str, requests: list[int]) -> None:
        self._say("answered", scope=scope, requests=requests, waits=True)
        self._wait()
        time.sleep(QUIET_SECONDS)

    def _drafter(self, asked: dict[str, Any]) -> Any:
        from tailrace_bench import drafters

        name, kind, agent = asked["name"], asked["kind"], asked.get("agent", "")
        if (name, agent) not in self._drafters:
            if kind == "none":
                made = drafters.Drafter(name)
            elif kind == "ngram":
                made = drafters.Ngram(name, self._engine.config)
            elif kind == "suffix":
                made = drafters.Suffix(name, self._engine.config)
            else:
                made = drafters.Tailrace(name, self._engine.scheduler, agent, asked["draftTokens"])
            self._drafters[name, agent] = made
        return self._drafters[name, agent]

    def _say(self, event: str, **what: Any) -> None:
        self._out.write(json.dumps({"event": event, **what}, separators=(",", ":")) + "\n")
        self._out.flush()

    @staticmethod
    def _wait() -> None:
        if not sys.stdin.readline():
            raise SystemExit("the command has gone")


def main() -> None:
    """Runs the plan that the command line names. What the engine prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    Bench(json.loads(Path(sys.argv[1]).read_text()), out).run()
    os._exit(0)  # all is said; the engine's own end takes seconds and tells nothing


if __name__ == "__main__":
    main()
