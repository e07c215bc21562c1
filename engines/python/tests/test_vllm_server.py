"""vLLM's HTTP server, its engine in a process of its own, started with one flag."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engines import AgentProcess, agent, engine_python, environment, installed, prompts, run, tiny_model
from tailrace import settings
from tailrace.scope import KEY

pytestmark = pytest.mark.engine

START_SECONDS = 600
ABORTED, OTHER, LENGTH = 3, 4, 2


@dataclass
class Server:
    """A running server and the fake agent beside it."""

    port: int
    agent: AgentProcess
    log: Path
    prompts: list[list[int]]

    def complete(self, body: dict[str, Any], tenant: str = "") -> dict[str, Any]:
        headers = {"Content-Type": "application/json", **({"X-Tenant": tenant} if tenant else {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        full = {"model": "tiny", "temperature": 0, "return_token_ids": True, **body}
        connection.request("POST", "/v1/completions", json.dumps(full), headers)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        choice: dict[str, Any] = answer["choices"][0]
        return choice

    def leave_early(self, prompt: list[int]) -> None:
        """A client that asks for a long answer and goes after its first piece."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        body = {"model": "tiny", "prompt": prompt, "max_tokens": 450, "ignore_eos": True, "stream": True}
        connection.request("POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read(100)
        response.close()
        connection.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    python, source = engine_python("vllm"), tiny_model()
    (folder / "site").mkdir()
    site = installed(folder / "site")
    model, log = folder / "model", folder / "server.log"
    run(python, "widen_model.py", source, model, env=environment(python, site, "nowhere"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with agent() as (path, process), log.open("w") as out:
        more = {"VLLM_ENABLE_V1_MULTIPROCESSING": "1", "VLLM_LOGGING_LEVEL": "INFO", settings.SCOPE_HEADER: "X-Tenant"}
        command = [python, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model), "--port", str(port)]
        command += ["--served-model-name", "tiny", "--dtype", "float32", "--max-model-len", "512"]
        command += ["--max-num-seqs", "8", "--middleware", "tailrace.scope.ScopeFromHeader"]
        command += ["--scheduler-cls", "tailrace.vllm.TailraceScheduler"]
        started = subprocess.Popen(
            command, env=environment(python, site, path, **more), stdout=out, stderr=out, start_new_session=True
        )
        try:
            await_health(port, started, log)
            yield Server(port, process, log, prompts(source, 10))
        finally:
            started.terminate()
            try:
                started.wait(60)
            finally:
                with contextlib.suppress(ProcessLookupError):  # its engine's process too, where it has not ended that
                    os.killpg(started.pid, signal.SIGKILL)


def await_health(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail("vLLM does not start: " + log.read_text()[-5000:])


def test_one_flag_drafts_and_every_end_reaches_the_agent_with_its_scope(server: Server) -> None:
    prompt = server.prompts[0]
    named = server.complete({"prompt": prompt, "max_tokens": 60, "ignore_eos": True}, "acme")
    nobody = server.complete({"prompt": prompt, "max_tokens": 60, "ignore_eos": True, "vllm_xargs": {KEY: "acme"}})
    assert named["token_ids"] == nobody["token_ids"]
    stopped = server.complete({"prompt": server.prompts[1], "max_tokens": 200, "stop": [" the "]}, "acme")
    assert stopped["finish_reason"] == "stop"
    server.leave_early(server.prompts[2])
    server.complete({"prompt": server.prompts[3], "max_tokens": 3, "ignore_eos": True}, "other")
    server.complete({"prompt": server.prompts[4], "max_tokens": 3, "ignore_eos": True, "store": False}, "other")
    time.sleep(3)  # the last end is told by the door's own thread, within a second
    told = server.agent.told()
    assert told["broken"] == []
    assert told["accepted"] > 0
    assert told["hellos"][0]["model"] == "tiny"
    by_prompt: dict[tuple[int, ...], list[Any]] = {}
    for _, asked, said, reason, private, scope in told["ended"]:
        by_prompt.setdefault(tuple(asked), []).append((said, reason, private, scope))
    assert by_prompt[tuple(prompt)] == [
        (named["token_ids"], LENGTH, False, "acme"),
        (named["token_ids"], LENGTH, True, ""),
    ]
    said, reason, private, scope = by_prompt[tuple(server.prompts[1])][0]
    assert said[: len(stopped["token_ids"])] == stopped["token_ids"]
    assert (reason, private, scope) == (OTHER, False, "acme")
    said, reason, private, scope = by_prompt[tuple(server.prompts[2])][0]
    assert len(said) < 450
    assert (reason, private) == (ABORTED, True)
    assert by_prompt[tuple(server.prompts[3])][0][1:] == (LENGTH, False, "other")
    assert by_prompt[tuple(server.prompts[4])][0][1:] == (LENGTH, True, "other")


def test_the_log_says_once_what_the_door_does(server: Server) -> None:
    log = server.log.read_text()
    assert log.count("drafting for tiny@main") == 1
    assert log.count("attached to fake agent 1") == 1
    assert "fault in Tailrace" not in log


def test_vllm_measures_what_the_dashboard_asks_it_for(server: Server) -> None:
    server.complete({"prompt": server.prompts[0], "max_tokens": 3})
    dashboard = Path(__file__).parents[3] / "deploy/grafana/dashboards/tailrace.json"
    asked = set(re.findall(r"vllm:\w+", dashboard.read_text()))
    assert len(asked) == 4
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=10) as answer:
        measured = set(re.findall(r"^(vllm:\w+)", answer.read().decode(), re.MULTILINE))
    assert asked <= measured
