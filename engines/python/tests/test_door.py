"""What the door does for any engine."""

from __future__ import annotations

import logging
import random
import time
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fake_agent import FakeAgent
from tailrace import agent as agents
from tailrace import door as doors
from tailrace import protocol
from tailrace.door import Door, Request
from tailrace.protocol import Begin, Draft, End, Operation
from toy_engine import BEAT, DRAFT_TOKENS, VOCABULARY, ToyEngine, attached, door_to, next_token, traffic, wait_for


def public(engine: ToyEngine) -> dict[str, list[int]]:
    """What the agent must hear of; of a private request that ends unbegun it need not."""
    return {r.name: r.tokens for r in engine.finished if not r.ours.private}


def settle(agent: FakeAgent, names: Iterable[str]) -> None:
    """Waits until the agent knows how these requests ended."""
    wait_for(lambda: set(names) <= {t.request_id for t in agent.ended})
    assert not agent.broken


def operations(agent: FakeAgent) -> list[Operation]:
    return [operation for step in agent.steps for operation in step.operations]


def told(agent: FakeAgent) -> dict[str, list[int]]:
    return {t.request_id: t.prompt + t.said for t in agent.ended if not t.begin.private}


def run_traffic(door: Door | None, seed: int, count: int = 40) -> ToyEngine:
    engine = ToyEngine(door, seed)
    engine.step_nanos = 0
    for request in traffic(seed, count):
        engine.add(request)
    engine.run()
    return engine


@pytest.mark.parametrize("seed", range(6))
def test_every_answer_is_the_models_and_reaches_the_agent(socket_path: Path, seed: int) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        door.deadline_seconds = 60.0
        engine = run_traffic(door, seed)
        settle(agent, [r.name for r in engine.finished])
        for r in engine.finished:
            tokens = r.tokens[: r.prompt]
            while len(tokens) < len(r.tokens):
                tokens.append(next_token(tokens))
            assert r.tokens == tokens
        assert {t.request_id: t.prompt + t.said for t in agent.ended} == {r.name: r.tokens for r in engine.finished}
        assert {t.request_id for t in agent.ended if t.begin.private} == {r.name for r in engine.finished} - set(
            public(engine)
        )
        assert engine.accepted > 100
        assert agent.accepted == engine.accepted
        door.stop()


def test_late_answers_are_dropped_and_nothing_is_told_twice(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        door.deadline_seconds = 0.0005
        held = 0

        def hold_until_late() -> None:
            nonlocal held
            held += 1
            wait_for(lambda: door.counts.late >= held)

        agent.before_drafts = hold_until_late
        engine = run_traffic(door, 5)
        settle(agent, public(engine))
        assert door.counts.late >= held > 0
        assert told(agent) == public(engine)
        assert len(agent.ended) == len({t.request_id for t in agent.ended})
        door.stop()


def test_an_engine_that_takes_back_what_it_said_attaches_anew(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        tokens = [1, 2]
        request = Request("taken back", tokens, 2)
        door.begin(request)
        door.said(request, 0, 4, [3, 4, 5])
        door.step(0, 1, 1, 10)
        wait_for(lambda: any(isinstance(op, Begin) and op.tokens == (1, 2, 3, 4, 5) for op in operations(agent)))
        tokens += [3]
        door.shown(request)
        assert not door.attached
        door.end(request, protocol.STOP)
        settle(agent, ["taken back"])
        assert told(agent) == {"taken back": [1, 2, 3]}
        door.stop()


def test_a_prompt_is_told_before_anything_is_said_and_drafted_for_at_the_first_token(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        door.deadline_seconds = 60.0
        agent.delay_seconds = 0.1
        request = Request("early", [1, 2, 1, 2], 4)
        door.begin(request)
        door.begin_early()
        wait_for(lambda: bool(operations(agent)))
        assert [type(op) for op in operations(agent)] == [Begin]
        door.said(request, 0, 4, [1])
        door.step(0, 1, 1, 10)  # the answer to the early BEGIN is not here yet
        door.wait()
        assert request.take() == [2, 1]
        door.stop()


def test_an_agent_that_does_not_answer_an_early_begin_is_waited_for_within_the_deadline(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        agent.held.set()
        request = Request("early", [1, 2, 1, 2], 4)
        door.begin(request)
        door.begin_early()
        door.deadline_seconds = 0.05
        started = BEAT.seconds()
        door.said(request, 0, 4, [1])
        door.step(0, 1, 1, 10)
        door.wait()
        assert BEAT.seconds() - started < 1.0
        assert request.take() == []
        agent.held.clear()
        request.tokens = [1, 2, 1, 2, 1]
        door.shown(request)
        door.end(request, protocol.STOP)
        door.step(0, 0, 0, 0)
        settle(agent, ["early"])
        assert told(agent) == {"early": [1, 2, 1, 2, 1]}
        door.stop()


def test_an_agent_that_does_not_answer_an_early_begin_is_waited_for_in_one_step_alone(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        agent.held.set()
        request = Request("early", [1, 2, 1, 2], 4)
        door.begin(request)
        door.begin_early()
        left = []
        for said in range(1, 20):
            door.deadline_seconds = 0.001
            request.tokens = [1, 2, 1, 2, *[1] * said]
            door.said(request, 0, 4)
            door.step(0, 1, 1, 10)
            door.wait()
            left.append(door.deadline_seconds)
        assert left[0] == 0.0
        assert left[1:] == [0.001] * 18
        agent.held.clear()
        door.end(request, protocol.STOP)
        door.step(0, 0, 0, 0)
        settle(agent, ["early"])
        door.stop()


def test_more_requests_than_the_agent_takes_wait_their_turn(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path, requests_max=2))
        door.deadline_seconds = 1.0
        engine = ToyEngine(door, 3, batch=6)
        for request in traffic(3, 40):
            engine.add(request)
        engine.run()
        settle(agent, public(engine))
        assert told(agent) == public(engine)
        door.stop()


def test_what_ended_without_an_agent_is_told_to_the_next(socket_path: Path) -> None:
    door = door_to(socket_path)
    door.start()
    engine = run_traffic(door, 8)
    with FakeAgent(socket_path) as agent:
        settle(agent, public(engine))
        assert {t.request_id: t.prompt + t.said for t in agent.ended} == public(engine)
        assert all(t.reason == 2 for t in agent.ended)
        door.stop()


def test_what_an_agent_has_not_acknowledged_is_told_again_and_what_it_has_is_not(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.acknowledge = False
        door = attached(door_to(socket_path))
        engine = run_traffic(door, 9)
        settle(agent, public(engine))
        agent.die()
        agent.ended.clear()
        agent.acknowledge = True
        agent.listen()
        settle(agent, public(engine))
        assert {t.request_id: t.prompt + t.said for t in agent.ended} == public(engine)
        wait_for(lambda: not door._told and not door._untold)
        agent.die()
        agent.ended.clear()
        agent.listen()
        attached(door)
        assert not agent.ended
        door.stop()


def test_what_ended_is_told_before_the_agent_is_left(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.delay_seconds = 0.05
        door = attached(door_to(socket_path))
        known = Request("known", [1, 2, 3], 2)
        door.begin(known)
        door.step(0, 1, 1, 100)
        door.end(known, protocol.STOP)
        unknown = Request("unknown", [4, 5, 6], 2)
        door.begin(unknown)
        door.end(unknown, protocol.STOP)
        door.stop()
        assert {t.request_id for t in agent.ended} == {"known", "unknown"}
        assert not agent.broken


def test_an_agent_that_does_not_answer_is_left_all_the_same(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        agent.held.set()
        request = Request("held", [1, 2, 3], 2)
        door.begin(request)
        door.step(0, 1, 1, 100)
        door.end(request, protocol.STOP)
        started = BEAT.seconds()
        door.stop()
        assert BEAT.seconds() - started < doors.STOP_SECONDS + 0.3
        agent.held.clear()


def test_leaving_never_raises(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with FakeAgent(socket_path):
        door = attached(door_to(socket_path))
        request = Request("broken", [1, 2, 3], 2)
        door.begin(request)
        door.end(request, protocol.STOP)
        monkeypatch.setattr(door, "_send", lambda *_: 1 / 0)
        door.stop()
        assert len(caplog.records) == 1
        assert not door._lock.locked()


def test_too_many_ended_requests_drop_the_oldest_and_are_counted(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(doors, "ENDED_MAX", 10)
    door = door_to(socket_path)
    with caplog.at_level(logging.WARNING, "tailrace"):
        engine = run_traffic(door, 8)
    names = list(public(engine))
    assert door.counts.dropped == len(names) - 10
    assert sum("dropped" in message for message in caplog.messages) == 1
    with FakeAgent(socket_path) as agent:
        door.start()
        settle(agent, names[-10:])
        assert [t.request_id for t in agent.ended] == names[-10:]
        door.stop()


@pytest.mark.parametrize("tokens", [[1, 2, VOCABULARY], [1] * (doors.REQUEST_TOKENS_MAX + 1)])
def test_a_request_that_no_step_can_bear_is_left_out_and_counted(
    socket_path: Path, tokens: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    with FakeAgent(socket_path) as agent, caplog.at_level(logging.WARNING, "tailrace"):
        door = attached(door_to(socket_path))
        request = Request("unfit", tokens, len(tokens) - 1)
        door.begin(request)
        door.said(request, 0, DRAFT_TOKENS)
        door.step(0, 1, 1, DRAFT_TOKENS)
        door.wait()
        door.end(request, protocol.STOP)
        fit = Request("fit", [1, 2, 3], 2)
        door.begin(fit)
        door.end(fit, protocol.STOP)
        settle(agent, ["fit"])
        door.stop()
    assert request.take() == []
    assert door.counts.dropped == 1
    assert sum("is not reported" in message for message in caplog.messages) == 1
    assert [t.request_id for t in agent.ended] == ["fit"]


def test_long_requests_that_end_while_no_agent_is_there_are_kept_in_four_bytes_a_token(socket_path: Path) -> None:
    door = door_to(socket_path)
    for number in range(120):
        request = Request(str(number), [number % 90] * 8_193, 8_192)
        door.begin(request)
        door.end(request, protocol.STOP)
    assert door.counts.dropped == 0
    kept = [r.tokens for r in door._untold]
    assert sum(tokens.itemsize * len(tokens) for tokens in kept if isinstance(tokens, array)) == 120 * 8_193 * 4


def run_many(door: Door, agent: FakeAgent, count: int, private: bool = False) -> list[Request]:
    """Requests that the agent knows as running, with 40 tokens of prompt and one said; it does not know the last."""
    requests = []
    for number in range(count):
        tokens = [number] * 41
        requests.append(Request(str(number), tokens, 40, private=private))
        door.begin(requests[-1])
    door.step(0, count, count, 100)
    wait_for(lambda: agent.answered >= door.counts.steps)
    for request in requests:
        request.tokens.append(1)  # type: ignore[attr-defined]
    return requests


def test_requests_that_are_aborted_all_at_once_are_told_on_the_same_connection(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "ENDED_MAX", 4)
    monkeypatch.setattr(doors, "ENDED_TOKENS_MAX", 100)
    with FakeAgent(socket_path) as agent:
        agent.acknowledge = False
        door = attached(door_to(socket_path))
        requests = run_many(door, agent, 8)
        for request in requests:
            door.end(request, protocol.ABORTED)
        assert door.attached
        assert door._ended_tokens == sum(len(r.tokens) for r in door._untold) <= 100
        door.step(0, 0, 0, 0)
        settle(agent, [str(number) for number in range(8)])
        assert told(agent) == {str(number): [number] * 41 + [1] for number in range(8)}
        assert door.counts.dropped == 0
        assert len(agent.hellos) == 1
        wait_for(lambda: agent.answered >= door.counts.steps)
        assert door._ended_tokens == sum(len(r.tokens) for r in door._told) <= 100
        door.stop()


def test_what_a_lost_agent_alone_knew_of_requests_too_many_is_counted_as_dropped(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "ENDED_TOKENS_MAX", 100)
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        for request in run_many(door, agent, 8):
            door.end(request, protocol.ABORTED)
        agent.die()
        agent.listen()
        settle(agent, ["7"])
        assert door.counts.dropped == 8 - len(agent.ended)
        assert 0 < len(agent.ended) < 8
        door.stop()


def test_ends_that_are_more_than_is_kept_cost_the_connection_and_nothing_else(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "ENDED_TOKENS_MAX", 5)
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        for request in run_many(door, agent, 8):
            door.end(request, protocol.ABORTED)
        assert door._ended_tokens <= 5
        wait_for(lambda: len(agent.hellos) == 2)
        assert not agent.broken
        door.stop()


def test_of_a_private_request_that_ended_no_more_is_held_than_its_agent_is_to_hear(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        (request,) = run_many(door, agent, 1, private=True)
        door.end(request, protocol.STOP)
        assert list(request.tokens) == [1]
        door.step(0, 0, 0, 0)
        settle(agent, ["0"])
        assert agent.ended[0].said == [0, 1]
        assert door._ended_tokens == 0
        door.stop()


def test_what_ended_in_a_step_that_the_agent_refuses_is_dropped_and_the_rest_is_told(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "RETRY_SECONDS", 0.05)
    with FakeAgent(socket_path) as agent:
        agent.refused_id = "bad"
        door = attached(door_to(socket_path))
        for name in ("bad", "good"):
            request = Request(name, [1, 2, 3], 2)
            door.begin(request)
            door.end(request, protocol.STOP)
            door.step(0, 1, 1, 100)
            wait_for(lambda: not door._awaiting or bool(agent.broken))
        wait_for(lambda: "good" in {t.request_id for t in agent.ended})
        assert len(agent.broken) == 1
        assert door.counts.dropped == 1
        assert door._ended_tokens == sum(len(r.tokens) for r in (*door._told, *door._untold))
        door.stop()


def test_a_step_that_is_refused_after_its_answer_drops_what_ended_in_it_and_nothing_else(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "RETRY_SECONDS", 0.05)
    with FakeAgent(socket_path) as agent:
        agent.acknowledge = False
        agent.late_refused_id = "bad"
        door = attached(door_to(socket_path))
        for name in ("bad", "good"):
            request = Request(name, [1, 2, 3], 2)
            door.begin(request)
            door.end(request, protocol.STOP)
            door.step(0, 1, 1, 100)
            wait_for(lambda: bool(agent.broken))
        wait_for(lambda: "good" in {t.request_id for t in agent.ended if t.request_id != "bad"})
        assert door.counts.dropped == 1
        assert [r.strings for r in (*door._told, *door._untold)] == [request.strings]
        assert [t.request_id for t in agent.ended].count("bad") == 1
        door.stop()


def test_private_answers_are_drafted_for_and_never_told_anew(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        tokens = [1, 2, 3, 1, 2, 3, 1]
        request = Request("secret", tokens, 6, private=True)
        door.begin(request)
        door.deadline_seconds = 60.0
        door.said(request, 0, DRAFT_TOKENS)
        door.step(0, 1, 1, 100)
        door.wait()
        assert request.take()[:2] == [2, 3]
        agent.die()
        door.end(request, 1)
        agent.listen()
        wait_for(lambda: len(agent.hellos) == 2)
        attached(door)
        door.step(0, 0, 0, 0)
        assert not agent.ended
        door.stop()


def test_tokens_outside_the_vocabulary_keep_a_request_from_the_agent(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        odd, fine = Request("odd", [5, 97, 1], 2), Request("fine", [5, 96, 1], 2)
        for request in (odd, fine):
            door.begin(request)
            door.said(request, 0, 4)
        door.step(0, 2, 2, 100)
        wait_for(lambda: len(agent.steps) == 1)
        assert [op.request_id for op in agent.steps[0].operations if isinstance(op, Begin)] == ["fine"]
        door.end(odd, 1)
        door.end(fine, 1)
        settle(agent, ["fine"])
        assert len(agent.ended) == 1
        door.stop()


def test_a_request_that_ends_as_it_first_speaks_is_begun_and_ended_at_once(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        request = Request("short", [1, 2, 3], 2)
        door.begin(request)
        door.said(request, 0, 0)
        door.end(request, 2)
        door.step(0, 1, 1, 100)
        settle(agent, ["short"])
        kinds = [type(op) for op in operations(agent)]
        assert kinds == [Begin, End]
        door.stop()


def test_a_long_prompt_is_sent_in_pieces_without_waiting(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        tokens = [i % 90 for i in range(2_000_000)]
        request = Request("long", tokens, len(tokens))
        tokens.append(1)
        agent.paused.set()
        door.begin(request)
        door.said(request, 0, 4)
        door.step(0, 1, 1, 100)
        started = BEAT.seconds()
        door.wait()
        assert BEAT.seconds() - started < 0.1
        agent.paused.clear()

        def arrived() -> bool:
            door.step(0, 1, 1, 100)
            door.wait()
            return bool(agent.steps)

        wait_for(arrived)
        begin = agent.steps[0].operations[0]
        assert isinstance(begin, Begin)
        assert begin.tokens == tuple(tokens)
        door.stop()


class Sliced(list[int]):
    """Tokens that count how often they are copied."""

    copies = 0

    def __getitem__(self, at: Any) -> Any:
        Sliced.copies += at == slice(None)
        return super().__getitem__(at)


def test_long_requests_are_begun_one_a_step_beside_an_older_one_that_speaks(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path, requests_max=9))
        tokens = [[1, 2], *(Sliced([i] * 40_000) for i in range(8))]
        requests = [Request(str(i), said, len(said)) for i, said in enumerate(tokens)]
        Sliced.copies = 0
        for step in range(9):
            for request, said in list(zip(requests, tokens, strict=True))[: 9 if step else 1]:
                if len(said) == request.prompt_tokens:
                    door.begin(request)
                said.append(3)
                door.said(request, 0, 0)
            door.step(0, 9, 9, 100)
            wait_for(lambda: agent.answered >= door.counts.steps)
            assert Sliced.copies == step
        assert all(request.number for request in requests)
        assert [sum(isinstance(op, Begin) for op in step.operations) for step in agent.steps] == [1] * 9
        for request in requests:
            door.end(request, protocol.STOP)
        door.step(0, 0, 0, 0)
        settle(agent, [str(i) for i in range(9)])
        assert told(agent) == {str(i): said for i, said in enumerate(tokens)}
        door.stop()


def test_no_step_is_larger_than_a_frame_may_be(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        old = Request("old", [1], 1)
        door.begin(old)
        door.step(0, 1, 1, 100)
        wait_for(lambda: agent.answered >= door.counts.steps)
        largest = Request("largest", [1] * doors.REQUEST_TOKENS_MAX, 1)
        door.begin(largest)
        for said in ([2] * 1_000_000, [2]):
            door.said(old, 0, 0, said)
            door.step(0, 1, 1, 100)
            wait_for(lambda: agent.answered >= door.counts.steps)
            assert bool(largest.number) == (said == [2])
        assert not agent.broken
        door.stop()


def test_the_deadline_is_what_was_saved_of_a_share_of_the_steps(socket_path: Path) -> None:
    door = door_to(socket_path)
    assert door.deadline_seconds == doors.DEADLINE_SECONDS_FIRST
    door.step(10_000_000, 1, 1, 100)
    assert door.deadline_seconds == pytest.approx(doors.DEADLINE_SECONDS_FIRST + 0.0003)
    for _ in range(200):
        door.step(10_000_000, 1, 1, 100)
    assert door.deadline_seconds == pytest.approx(0.0025, rel=0.01)
    door.step(10_000_000_000, 1, 1, 100)  # one step in which the machine slept
    assert door.deadline_seconds < 0.004


class Slow:
    """Answers that take as long as they may; some are heard later, as where cores are busy. That is no waiting."""

    def __init__(self, door: Door, monkeypatch: pytest.MonkeyPatch, over_seconds: float = 0.0) -> None:
        self.now = self.waited = 0.0
        self.over_seconds = over_seconds
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(door, "_answer", self._answer)

    def _answer(self, _: object, seconds: float) -> None:
        if seconds > 0:
            self.now += seconds + self.over_seconds
            self.waited += seconds


@pytest.mark.parametrize("seed", range(10))
def test_waiting_takes_its_share_of_the_steps_and_no_more(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    step_seconds = rng.choice([0.002, 0.01, 0.04])
    unmeasured = rng.choice([0.0, 0.5, 0.98])
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        agent.held.set()
        request = Request("r", [1, 2, 1, 2], 4)
        door.begin(request)
        door.step(0, 1, 1, 100)
        slow = Slow(door, monkeypatch, rng.choice([0.0, 0.005]))
        for step in range(400):
            nanos = 0 if step > 20 and rng.random() < unmeasured else int(step_seconds * 1e9)
            door._early = rng.random() < 0.3
            door.step(nanos, 1, 1, 100)
            door._asked = [request]
            door.wait()
            share = doors.SHARE * (step + 1) * step_seconds
            assert slow.waited <= doors.DEADLINE_SECONDS_FIRST + share + 1e-9
        assert slow.waited > 0.9 * doors.SHARE * 400 * step_seconds
        agent.held.clear()
        door.stop()


def test_a_tenth_of_what_accepted_drafts_saved_may_be_waited_for_too(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        assert one.step()
        door.step(10_000_000, 1, 1, 100)
        wait_for(lambda: agent.answered >= door.counts.steps)
        one.request.handed = 3
        door.said(one.request, 3, 0, [1, 2])  # one of three was right: this request needs one step less
        door.step(14_000_000, 1, 4, 100)
        wait_for(lambda: agent.answered >= door.counts.steps)
        for earned in (0.0006, 0.0):
            door.deadline_seconds = 0.0
            door.step(10_000_000, 1, 1, 100)
            assert door.deadline_seconds == pytest.approx(0.0003 + earned)
            wait_for(lambda: agent.answered >= door.counts.steps)
        door.stop()


def test_drafts_that_save_what_their_steps_take_longer_earn_nothing(socket_path: Path) -> None:
    door = door_to(socket_path)
    for _ in range(8):
        door.step(10_000_000, 1, 1, 100)
    for _ in range(100):
        door._accepted = 1
        door.deadline_seconds = 0.0
        door.step(20_000_000, 1, 5, 100)
        assert door.deadline_seconds == pytest.approx(0.0006)


class Timed:
    """Answers that take so long after they were asked for, by a clock that nothing else moves."""

    def __init__(self, door: Door, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now = 0.0
        self.seconds = seconds
        self._next = False  # whether the next step is there, and the answer to the last one with it
        self._really_answer, self._really_may_send = door._answer, door._may_send
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(door, "_answer", self._answer)
        monkeypatch.setattr(door, "_may_send", self._may_send)

    def _may_send(self) -> bool:
        self._next = True
        may = self._really_may_send()
        self._next = False
        return may

    def _answer(self, connection: agents.Connection, seconds: float) -> list[list[int]] | None:
        if not self._next:
            self.now += min(seconds, self.seconds)
            if seconds < self.seconds:
                return None
        return self._really_answer(connection, 0.0)


def test_a_door_saves_up_for_answers_that_take_longer_than_a_step_may_wait(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        timed = Timed(door, monkeypatch, 0.00025)
        drafts = [one.measured(5_000_000) for _ in range(400)]
        assert sum(map(bool, drafts)) >= 160
        assert door.counts.late < 20
        assert timed.now <= doors.DEADLINE_SECONDS_FIRST + doors.SHARE * 400 * 0.005 + 1e-9
        door.stop()


def test_one_pause_of_the_agent_does_not_keep_a_door_from_asking_for_long(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        timed = Timed(door, monkeypatch, 0.0001)
        for _ in range(40):
            assert one.measured(5_000_000)
        timed.seconds = 1.0
        assert one.measured(5_000_000) == []
        timed.seconds = 0.0001
        drafts = [one.measured(5_000_000) for _ in range(40)]
        assert all(drafts[8:])
        door.stop()


def test_answers_that_never_come_are_waited_for_within_the_share_until_the_breaker_opens(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        Timed(door, monkeypatch, 1.0)
        for _ in range(200):
            assert one.measured(5_000_000) == []
        assert door.counts.late >= doors.LATE_MAX
        assert door._period > 1
        door.stop()


class OneRequest:
    """A single request, stepped one token at a time; each step ends when the agent has answered it."""

    def __init__(self, door: Door, agent: FakeAgent) -> None:
        self.door = door
        self.agent = agent
        self.tokens = [1, 2, 3] * 5
        self.request = Request("r", self.tokens, len(self.tokens))
        door.begin(self.request)

    def step(self, late: bool = False) -> list[int]:
        """The draft that came, for a deadline that is too short or long enough."""
        self.tokens.append(self.tokens[-3])
        self.door.deadline_seconds = 0.0001 if late else 60.0
        if late:
            self.agent.held.set()
        self.door.said(self.request, 0, 4)
        self.door.step(0, 1, 1, 100)
        self.door.wait()
        self.agent.held.clear()
        wait_for(lambda: self.agent.answered >= self.door.counts.steps)
        return self.request.take()

    def measured(self, nanos: int) -> list[int]:
        """The draft that came within what there was to wait, in a step that took so long."""
        self.tokens.append(self.tokens[-3])
        self.door.said(self.request, 0, 4)
        self.door.step(nanos, 1, 1, 100)
        wait_for(lambda: self.agent.answered >= self.door.counts.steps)
        self.door.wait()
        return self.request.take()

    @property
    def asked(self) -> int:
        return sum(1 for s in self.agent.steps for op in s.operations if isinstance(op, Draft))


def test_the_breaker_opens_says_so_once_and_closes_by_itself(
    socket_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with FakeAgent(socket_path) as agent, caplog.at_level(logging.WARNING, "tailrace.door"):
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        for _ in range(60):
            assert one.step(late=True) == []
        assert door.counts.late < 20
        assert one.asked < 20
        assert len(agent.steps) == 60  # what is said is told all the same
        assert len(caplog.messages) == 1
        drafts = [one.step() for _ in range(150)]
        assert drafts[0] == []
        assert all(drafts[-80:])
        assert len(caplog.messages) == 1
        door.stop()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0001, "took longer than 100 us"), (0.0, "were not there when the time to wait was used up")],
)
def test_late_drafts_are_told_from_those_that_there_was_no_time_for(
    socket_path: Path, caplog: pytest.LogCaptureFixture, seconds: float, words: str
) -> None:
    door = door_to(socket_path)
    with caplog.at_level(logging.WARNING, "tailrace.door"):
        for _ in range(doors.LATE_MAX):
            door._late(0.0)
        assert caplog.messages == []  # no step was measured, so there was no time at all
        door._measured(0.01, 1, 1)
        for _ in range(doors.LATE_MAX):
            door._late(seconds)
    assert caplog.messages == [f"8 drafts in a row {words}; asking less often for a while"]


def test_a_policy_that_says_off_is_asked_seldom_and_followed_when_it_says_on(
    socket_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with FakeAgent(socket_path) as agent, caplog.at_level(logging.INFO, "tailrace.door"):
        agent.off = True
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        assert [one.step() for _ in range(130)] == [[]] * 130
        assert one.asked == 3
        assert caplog.messages == ["drafting is switched off by the fleet's policy"]
        agent.off = False
        drafts = [one.step() for _ in range(70)]
        assert drafts[-1]
        door.stop()


def test_in_a_pause_nothing_is_asked_for_until_another_request_begins(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.pause = 5
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        for _ in range(60):
            one.step()
        assert one.asked == 10
        assert door.counts.late == 0
        door.begin(Request("another", [1, 2], 2))
        one.step()
        assert one.asked == 11
        agent.pause = 0
        for _ in range(5):
            one.step()
        assert one.asked == 11
        assert all(one.step() for _ in range(20))
        door.stop()


def test_a_pause_that_is_told_late_is_not_for_a_request_that_has_begun_since(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.pause = 200
        door = attached(door_to(socket_path))
        one = OneRequest(door, agent)
        assert one.step(late=True) == []
        assert door.counts.late == 1
        door.begin(Request("another", [1, 2], 2))
        one.step()
        assert one.asked == 2
        door.stop()


def test_an_id_that_is_too_long_ends_in_its_hash() -> None:
    ids = ["x" * 200, "x" * 201, "x" * 202, "模" * 100 + "a", "模" * 100 + "b", "a\ud800"]
    assert len({Request(rid, [], 0).strings for rid in ids}) == len(ids)
    assert Request("x" * 200, [], 0).strings[4:204] == b"x" * 200
