"""The door and a real agent, at a port of this host; the agent is killed and comes back."""

from __future__ import annotations

import re
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from tailrace import doctor, settings
from tailrace.agent import Address
from tailrace.door import Door
from toy_engine import Running, ToyEngine, attached, hello, next_token, wait_for

pytestmark = pytest.mark.full

LAUNCHER = Path(__file__).parents[3] / "tailrace"
START_MAX = 900.0  # the launcher builds what is missing
BAD_INPUT = 2
STEP_SECONDS = 0.002


@pytest.fixture(autouse=True)
def patient_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, a door waits as long as `step` allows, not a part of a step's time."""
    monkeypatch.setattr("tailrace.door.BURST", 1e6)


class Agent:
    """``tailrace agent`` as a user starts it."""

    def __init__(self, folder: Path, listen: str, *more: str) -> None:
        self._log = folder / f"agent-{time.monotonic_ns()}.log"
        with self._log.open("w") as log:
            options = ["--listen", listen, "--port", "0", "--name", "agent", "--kept", str(folder / "kept")]
            self.process = subprocess.Popen(
                [LAUNCHER, "agent", *options, *more],
                cwd=folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_for(lambda: self.process.poll() is not None or "status and metrics" in self._log.read_text(), START_MAX)
        said = self._log.read_text()
        assert self.process.poll() is None, said
        self.address = self._found(r"engines connect at (tcp://\S+)", said)
        self._page = self._found(r"status and metrics at (http://\S+)", said)

    @staticmethod
    def _found(pattern: str, said: str) -> str:
        found = re.search(pattern, said)
        assert found, said
        return found.group(1)

    def count(self, metric: str) -> int:
        """A counter, over all its labels."""
        with urllib.request.urlopen(f"{self._page}metrics", timeout=60) as page:
            lines = page.read().decode().splitlines()
        return round(sum(float(line.split()[-1]) for line in lines if line.startswith(metric + "{")))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
    return port


def step(engine: ToyEngine, steps: int) -> None:
    """Steps of an engine that takes some time for each; answers are waited for."""
    assert engine.door is not None
    for _ in range(steps):
        engine.door.deadline_seconds = 1.0
        time.sleep(STEP_SECONDS)
        engine.step()


def add(engine: ToyEngine, numbers: range) -> None:
    for number in numbers:
        engine.add(Running(number, [number % 6, number // 6 % 6, 5, 4], 150))


def serve(engine: ToyEngine) -> None:
    while engine.waiting or engine.running:
        step(engine, 1)


def told(door: Door) -> bool:
    """Whether the agent has taken all that ended."""
    return not door._untold and not door._told


def test_it_drafts_by_a_port_and_a_killed_agent_is_told_everything_anew(tmp_path: Path) -> None:
    listen = f"tcp://127.0.0.1:{free_port()}"
    first = Agent(tmp_path, listen, "--fixed-floor", "0.1")
    second = None
    door = Door(Address.parse(listen), hello())
    try:
        assert first.address == listen
        engine = ToyEngine(attached(door), 1)
        add(engine, range(12))
        serve(engine)
        before = engine.accepted
        assert before > 100
        wait_for(lambda: told(door))
        assert first.count("tailrace_requests_total") == 12
        assert first.count("tailrace_response_tokens_total") == 12 * 150

        add(engine, range(12, 24))
        step(engine, 5)
        assert engine.running
        first.kill()
        step(engine, 3)
        assert engine.running  # they are begun anew, with what they have said
        second = Agent(tmp_path, listen, "--fixed-floor", "0.1")
        attached_again(door)
        at_restart = engine.accepted
        serve(engine)
        assert engine.accepted > at_restart + 50
        wait_for(lambda: told(door))
        assert second.count("tailrace_requests_total") == 12
        assert second.count("tailrace_response_tokens_total") == 12 * 150
        for request in engine.finished:
            tokens = request.tokens[: request.prompt]
            while len(tokens) < len(request.tokens):
                tokens.append(next_token(tokens))
            assert request.tokens == tokens
        assert door.counts.dropped == door.counts.broken == 0
    finally:
        door.stop()
        first.kill()
        if second is not None:
            second.kill()


def attached_again(door: Door) -> None:
    """Steps of nothing until the agent that has come back is there."""

    def ready() -> bool:
        door.step(0, 0, 0, 0)
        return door.attached

    wait_for(ready)


@pytest.mark.parametrize("listen", ["tcp://0.0.0.0:7001", "tcp://example.org:7001"])
def test_an_agent_does_not_listen_beyond_this_host(tmp_path: Path, listen: str) -> None:
    done = subprocess.run(
        [LAUNCHER, "agent", "--listen", listen], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == BAD_INPUT
    assert f"got '{listen}': what passes there is users' text, so it stays on this host" in done.stderr


def test_the_doctor_gets_a_draft_of_an_agent_that_measures_what_pays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Agent(tmp_path, f"tcp://127.0.0.1:{free_port()}")
    monkeypatch.setattr(doctor, "_engines", lambda say: None)
    monkeypatch.setenv(settings.AGENT, agent.address)
    monkeypatch.setenv(settings.MODEL, "tiny")
    monkeypatch.setenv(settings.TOKENIZER, "sha256:0123456789abcdef0123456789abcdef")
    try:
        for _ in range(3):  # the agent keeps what it knows of an engine's steps
            lines: list[str] = []
            assert doctor.examine(doctor.Served(), lines.append) == 0, lines
            assert any("got a draft of" in line for line in lines)
        assert agent.count("tailrace_requests_total") == 3
    finally:
        agent.kill()
