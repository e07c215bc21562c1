"""Whatever the agent does, the engine's thread goes on, and drafts come back by themselves."""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fake_agent import FakeAgent
from tailrace import agent as agents
from tailrace import door as doors
from tailrace.agent import Address, Attachment, Connection, Connector
from tailrace.door import Door, Request
from tailrace.protocol import Refused, Welcome
from tailrace.settings import Settings
from toy_engine import BEAT, ToyEngine, attached, door_to, hello, next_token, traffic, wait_for

DEADLINE_SECONDS = 0.002
# A hook may take its deadline and what the machine adds. What it must not take is the agent's own time.
HOOK_SECONDS = 0.8
# Where the machine stands still, nobody is to be given up for that.
NEVER_SECONDS = 600.0


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "SILENCE_SECONDS", NEVER_SECONDS)
    monkeypatch.setattr(agents, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(agents, "ANSWER_SECONDS", NEVER_SECONDS)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    """An agent that is silent is soon given up."""
    monkeypatch.setattr(doors, "SILENCE_SECONDS", 0.3)
    monkeypatch.setattr(agents, "ANSWER_SECONDS", 0.5)


def step_for(engine: ToyEngine, seconds: float, numbers: Iterator[int]) -> None:
    """Serves endless traffic for a while."""
    assert engine.door is not None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if len(engine.waiting) < 4:
            for request in traffic(next(numbers), 8):
                engine.add(request)
        engine.door.deadline_seconds = DEADLINE_SECONDS
        engine.step()


def check(engine: ToyEngine) -> None:
    """Every answer is the model's, and no hook took long."""
    for r in engine.finished:
        tokens = r.tokens[: r.prompt]
        while len(tokens) < len(r.tokens):
            tokens.append(next_token(tokens))
        assert r.tokens == tokens
    ordered = sorted(engine.hook_seconds)
    assert ordered[len(ordered) // 2] < DEADLINE_SECONDS + 0.003
    assert ordered[-1] < HOOK_SECONDS


def serving(door: Door) -> tuple[ToyEngine, Iterator[int]]:
    engine = ToyEngine(door, 1)
    engine.step_nanos = 0
    return engine, iter(range(10**9))


def drafts_again(engine: ToyEngine, numbers: Iterator[int]) -> None:
    """Serves until a draft is accepted."""
    before = engine.accepted
    end = time.monotonic() + 60
    while engine.accepted == before:
        assert time.monotonic() < end, "no draft was accepted in time"
        step_for(engine, 0.02, numbers)


def test_an_absent_agent_costs_nothing_and_is_found_when_it_comes(
    socket_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "tailrace"):
        door = door_to(socket_path)
        door.start()
        engine, numbers = serving(door)
        step_for(engine, 0.5, numbers)
        assert engine.accepted == 0
        with FakeAgent(socket_path):
            drafts_again(engine, numbers)
            check(engine)
            door.stop()
    said = caplog.messages
    assert said[0] == f"serving without drafts: no agent listens at {socket_path}"
    assert said.count(said[0]) == 1
    assert said[-1] == f"attached to fake agent 1 at {socket_path}"


def test_an_agent_that_dies_again_and_again_is_found_again(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        engine, numbers = serving(door)
        for _ in range(4):
            drafts_again(engine, numbers)
            agent.die()
            step_for(engine, 0.1, numbers)
            agent.listen()
        drafts_again(engine, numbers)
        check(engine)
        assert not agent.broken
        door.stop()


@pytest.mark.usefixtures("impatient")
def test_an_agent_that_stops_reading_is_given_up_and_found_again(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        engine, numbers = serving(door)
        drafts_again(engine, numbers)
        agent.paused.set()
        step_for(engine, 1.0, numbers)
        agent.paused.clear()
        drafts_again(engine, numbers)
        check(engine)
        assert not agent.broken
        door.stop()


def test_a_slow_agents_answers_are_dropped(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        engine, numbers = serving(door)
        agent.held.set()
        step_for(engine, 0.2, numbers)
        assert engine.accepted == 0
        agent.delay_seconds = 0.02
        agent.held.clear()
        rounds = 0
        while not door.counts.late:
            rounds += 1
            assert rounds < 100
            step_for(engine, 0.2, numbers)
        agent.delay_seconds = 0.0
        drafts_again(engine, numbers)
        check(engine)
        assert not agent.broken
        door.stop()


@pytest.mark.usefixtures("impatient")
def test_junk_closes_the_connection_and_never_reaches_the_engine(socket_path: Path) -> None:
    rng = random.Random(7)

    def flip(frame: bytes) -> bytes:
        junk = bytearray(frame)
        if rng.random() < 0.05:
            at = rng.randrange(min(len(junk), 40))
            junk[at] ^= 1 << rng.randrange(8)
        return bytes(junk)

    with FakeAgent(socket_path) as agent:
        door = attached(door_to(socket_path))
        engine, numbers = serving(door)
        agent.junk = flip
        end = time.monotonic() + 60
        while door.counts.broken < 3:
            assert time.monotonic() < end, "no broken frame came in time"
            step_for(engine, 0.5, numbers)
        agent.junk = lambda frame: rng.randbytes(len(frame))
        step_for(engine, 0.3, numbers)
        agent.junk = None
        drafts_again(engine, numbers)
        check(engine)
        door.stop()


def test_a_refusal_is_said_once_in_the_agents_words(socket_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with FakeAgent(socket_path) as agent, caplog.at_level(logging.INFO, "tailrace"):
        agent.refuse = Refused(5, "stopping, come back")
        door = door_to(socket_path)
        door.start()
        wait_for(lambda: len(agent.hellos) > 3)
        assert caplog.messages == ["serving without drafts: the agent refused (code 5): stopping, come back"]
        agent.refuse = None
        attached(door)
        door.stop()


def test_another_model_is_not_asked_for_again_soon(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.refuse = Refused(2, "another tokenizer")
        door = door_to(socket_path)
        door.start()
        wait_for(lambda: len(agent.hellos) == 1)
        time.sleep(0.3)
        assert len(agent.hellos) == 1
        door.stop()


@pytest.mark.usefixtures("impatient")
def test_a_door_that_is_started_twice_attaches_once(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        door = door_to(socket_path)
        for _ in range(8):
            door.start()
        attached(door)
        time.sleep(0.3)
        assert len(agent.hellos) == 1
        door.stop()


class Interrupted(Connector):
    """Its thread attaches after the engine's second look at what is ready, unless the engine holds the lock."""

    looks = 0

    @property
    def _ready(self) -> Connection | None:
        found: Connection | None = self.__dict__["ready"]
        self.looks += 1
        if self.looks == 2:
            self.thread = threading.Thread(target=self._attach)
            self.thread.start()
            if not self._lock.locked():
                self.thread.join()
        return found

    @_ready.setter
    def _ready(self, connection: Connection | None) -> None:
        self.__dict__["ready"] = connection


def test_a_connection_that_becomes_ready_while_another_is_taken_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = (Connection(socket.socket(), Welcome("agent")) for _ in range(2))
    monkeypatch.setattr(agents, "attach", lambda *_: Attachment(new, "agent", 0))
    connector = Interrupted(Address(path="/nowhere"), hello(), lambda: False)
    connector._ready = connector._current = old
    assert connector.take() is old
    connector.thread.join()
    assert connector.take() is new
    connector.lost(old, "late")
    connector.lost(new, "gone")
    assert connector.take() is None


@pytest.fixture
def llama_draft(socket_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the draft model, attached, without llama-cpp-python."""
    speculative: Any = ModuleType("llama_cpp.llama_speculative")
    speculative.LlamaDraftModel = object
    monkeypatch.setitem(sys.modules, "llama_cpp", ModuleType("llama_cpp"))
    monkeypatch.setitem(sys.modules, "llama_cpp.llama_speculative", speculative)
    made: Any = importlib.import_module("tailrace.llama_cpp").TailraceDraft
    del sys.modules["tailrace.llama_cpp"]  # made with what is no llama-cpp-python

    def make() -> Any:
        draft = made(97, "toy", "sha256:0123456789abcdef", Settings(Address(path=str(socket_path))))
        attached(draft.door)
        draft.door.deadline_seconds = 60.0
        return draft

    return make


def test_each_request_of_llama_cpp_has_a_draft_in_its_first_step(socket_path: Path, llama_draft: Any) -> None:
    with FakeAgent(socket_path) as agent:
        draft = llama_draft()
        wait_for(lambda: agent.answered >= draft.door.counts.steps)
        assert list(draft(np.array([1, 2, 3, 1, 2], np.intc))) == [3, 1, 2]
        agent.delay_seconds = 0.05
        for number in range(4, 8):
            assert list(draft(np.array([number, 2, 3, number, 2], np.intc))) == [3, number, 2]
        draft.close()
        assert len(agent.ended) == 4
        assert not agent.broken


def test_a_fault_in_the_door_gives_llama_cpp_no_draft_and_is_logged_once(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, llama_draft: Any
) -> None:
    with FakeAgent(socket_path) as agent:
        draft = llama_draft()
        for method in ("begin", "said", "end"):
            with monkeypatch.context() as broken:
                broken.setattr(draft.door, method, lambda *_: 1 / 0)
                for tokens in ([1, 2, 3, 1, 2], [4, 5]):
                    assert len(draft(np.array(tokens, np.intc))) == 0 or method == "end"
        assert len([r for r in caplog.records if r.exc_info]) == 1
        draft.end()
        wait_for(lambda: agent.answered >= draft.door.counts.steps)
        assert list(draft(np.array([1, 2, 3, 1, 2], np.intc))) == [3, 1, 2]
        assert not agent.broken
        draft.close()


@pytest.mark.usefixtures("impatient")
def test_a_process_is_stopped_continued_and_killed(socket_path: Path) -> None:
    def start() -> subprocess.Popen[str]:
        script = Path(__file__).with_name("fake_agent.py")
        process = subprocess.Popen(
            [sys.executable, str(script), str(socket_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        return process

    process = start()
    try:
        door = attached(door_to(socket_path))
        engine, numbers = serving(door)
        drafts_again(engine, numbers)
        os.kill(process.pid, signal.SIGSTOP)
        step_for(engine, 1.0, numbers)
        os.kill(process.pid, signal.SIGCONT)
        drafts_again(engine, numbers)
        process.kill()
        process.wait()
        step_for(engine, 0.2, numbers)
        process = start()
        drafts_again(engine, numbers)
        check(engine)
        door.stop()
        told = json.loads(process.communicate("", timeout=60)[0])
        assert told["broken"] == []
        assert told["accepted"] > 0
    finally:
        process.kill()


def test_an_idle_engine_tells_much_that_ended_to_an_agent_that_reads_slowly(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(**{**vars(time), "monotonic": BEAT.seconds})
    monkeypatch.setattr(doors, "time", clock)
    monkeypatch.setattr(agents, "time", clock)
    monkeypatch.setattr(doors, "SILENCE_SECONDS", 0.3)
    monkeypatch.setattr(agents, "RETRY_SECONDS", 0.1)  # seldom, as against the silence that is allowed
    door = door_to(socket_path)
    door.start()
    for i in range(1000):
        tokens = [(i + j) % 90 for j in range(1000)]
        request = Request(str(i), tokens, 900)
        door.begin(request)
        door.end(request, 2)
    with FakeAgent(socket_path) as agent:
        agent.delay_seconds = 0.02
        began = BEAT.seconds()
        wait_for(lambda: len(agent.ended) >= 1000 and not door._told)
        assert BEAT.seconds() - began > 0.6
        assert sorted(int(t.request_id) for t in agent.ended) == list(range(1000))
        assert len(agent.hellos) == 1
        door.stop()


@pytest.mark.usefixtures("impatient")
def test_an_agent_whose_welcome_trickles_in_is_given_up(socket_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(socket_path))
        listener.listen()
        over = threading.Event()

        def trickle() -> None:
            made, _ = listener.accept()
            with made, contextlib.suppress(OSError):
                made.sendall(b"\0")
                while not over.wait(0.1):
                    made.sendall(b"\0")

        thread = threading.Thread(target=trickle)
        thread.start()
        answer = agents.attach(Address.parse(str(socket_path)), hello())
        over.set()
        thread.join()
    assert answer.connection is None
    assert answer.words.endswith("does not answer: timed out")
