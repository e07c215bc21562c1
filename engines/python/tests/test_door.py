"""What the door does for any engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_agent import FakeAgent
from toy_engine import ToyEngine, door_to, next_token, traffic, wait_for

from tailrace.door import Door


def settle(door: Door, agent: FakeAgent, count: int) -> None:
    """Waits until the agent knows how so many requests ended."""
    wait_for(lambda: len(agent.ended) >= count)
    assert not agent.broken


def attached(door: Door) -> Door:
    door.start()
    wait_for(lambda: (door.step(0, 0, 0, 0), door.attached)[1])
    return door


@pytest.mark.parametrize("seed", range(6))
def test_every_answer_is_the_models_and_reaches_the_agent(socket_path: Path, seed: int) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        door.deadline_seconds = 1.0
        engine = ToyEngine(door, seed)
        engine.step_nanos = 0
        for request in traffic(seed, 40):
            engine.add(request)
        engine.run()
        settle(door, agent, 40)
        told = {t.request_id: t for t in agent.ended}
        for r in engine.finished:
            tokens = r.tokens[: r.prompt]
            while len(tokens) < len(r.tokens):
                tokens.append(next_token(tokens))
            assert r.tokens == tokens
            assert told[r.name].prompt + told[r.name].said == r.tokens
            assert told[r.name].begin.private == r.ours.private
        assert engine.accepted > 100
        door.stop()


@pytest.mark.parametrize("delay_seconds", [0.0005, 0.002])
def test_late_answers_are_dropped_and_nothing_is_told_twice(socket_path: Path, delay_seconds: float) -> None:
    with FakeAgent(socket_path) as agent:
        agent.delay_seconds = delay_seconds
        door = attached(door_to(socket_path))
        engine = ToyEngine(door, 5)
        engine.step_nanos = 0
        door.deadline_seconds = 0.0012
        for request in traffic(5, 40):
            engine.add(request)
        engine.run()
        settle(door, agent, 40)
        said = {t.request_id: t.prompt + t.said for t in agent.ended}
        assert said == {r.name: r.tokens for r in engine.finished}
        door.stop()
