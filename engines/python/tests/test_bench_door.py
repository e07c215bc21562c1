"""The laboratory's `bench door`: what it tells of a batch begins where the batch has warmed up."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from fake_agent import FakeAgent
from tailrace import door as doors

LABORATORY = Path(__file__).parents[3] / "lab" / "src" / "main" / "python"
ANSWER_TOKENS = 30


class Commands:
    """Answers each line that waits, and notes how often the agent had answered by then."""

    def __init__(self, agent: FakeAgent) -> None:
        self.answered: list[int] = []
        self._agent = agent

    def readline(self) -> str:
        self.answered.append(self._agent.answered)
        return "go\n"


def _plan(folder: Path, agent: Path) -> dict[str, Any]:
    numbers = random.Random(1)
    requests = [
        {"prompt": numbers.choices(range(50), k=20), "response": numbers.choices(range(50), k=ANSWER_TOKENS)}
        for _ in range(24)
    ]
    file = folder / "requests.jsonl"
    file.write_text("\n".join(json.dumps(request) for request in requests))
    return {
        "requests": str(file),
        "agent": str(agent),
        "vocabulary": 64,
        "draftTokens": 8,
        "stepSeconds": 0.001,
        "before": list(range(8)),
        "batches": [1, 4],
    }


def test_figures_are_of_the_steps_behind_the_warm_up(
    tmp_path: Path, socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "SHARE", doors.SHARE)  # the bench waits for every answer, and other tests do not
    monkeypatch.syspath_prepend(str(LABORATORY))
    from tailrace_bench.door import DoorBench

    plan = _plan(tmp_path, socket_path)
    out = io.StringIO()
    with FakeAgent(socket_path) as agent:
        commands = Commands(agent)
        bench = DoorBench(plan, commands, out)
        known = agent.answered
        ended = []
        for batch, numbers in zip(plan["batches"], (range(8, 12), range(12, 24)), strict=True):
            bench.run(batch, list(numbers))
            ended.append(agent.answered)
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(event["event"], event["batch"]) for event in events] == [
        ("warm", 1),
        ("batch", 1),
        ("warm", 4),
        ("batch", 4),
    ]
    for told, requests, began, end in zip(events[1::2], (4, 12), commands.answered, ended, strict=True):
        assert told["steps"] == len(told["telling"]) == len(told["waiting"])
        assert 0.7 * requests * ANSWER_TOKENS < told["tokens"] <= 0.8 * requests * ANSWER_TOKENS
        assert began > known  # all that was answered before is told, and the warm-up, too
        assert end - began >= told["steps"] - requests  # a step in which the last request ends asks for no draft


def test_a_command_that_has_gone_ends_it(tmp_path: Path, socket_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "SHARE", doors.SHARE)
    monkeypatch.syspath_prepend(str(LABORATORY))
    from tailrace_bench.door import DoorBench

    with FakeAgent(socket_path):
        bench = DoorBench(_plan(tmp_path, socket_path), io.StringIO(), io.StringIO())
        with pytest.raises(SystemExit, match="the command has gone"):
            bench.run(1, list(range(8, 12)))
