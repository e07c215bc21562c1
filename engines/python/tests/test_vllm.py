"""A real vLLM answers with the door what it answers without."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import tailrace
from engines import AgentProcess, agent, engine_python, environment, installed, prompts, run, tiny_model

pytestmark = pytest.mark.engine

PROMPTS = 60
DRAWS = 100_000


class Vllm:
    """A vLLM, a model that it takes, and what it answers without the door."""

    def __init__(self, folder: Path) -> None:
        self.python = engine_python("vllm")
        self.minor = _minor(self.python)
        source = tiny_model()
        self.folder = folder
        self.model = folder / "model"
        self.site = installed_in(folder)
        self._widen(source)
        self.prompts = prompts(source, PROMPTS)
        self.prompts_file = folder / "prompts.json"
        self.prompts_file.write_text(json.dumps(self.prompts))
        self.plain = self.answers("none", folder / "nowhere.sock")
        self.record = folder / "record.json"
        said = [answer[0][0] for answer in self.plain["answers"]["plain"]]
        self.record.write_text(json.dumps(list(zip(self.prompts, said, strict=True))))

    def _widen(self, source: Path) -> None:
        env = environment(self.python, self.site, "nowhere")
        run(self.python, "widen_model.py", source, self.model, env=env)

    def answers(self, mode: str, socket: Path, **env: str) -> dict[str, Any]:
        """Everything that the scenarios answer."""
        out = self.folder / f"{mode}-{time.time_ns()}.json"
        given = environment(self.python, self.site, socket, **env)
        self.said = run(self.python, "vllm_scenarios.py", self.model, self.prompts_file, out, mode, env=given)
        answers: dict[str, Any] = json.loads(out.read_text())
        return answers


def _minor(python: str) -> int:
    said = subprocess.run(
        [python, "-c", "from tailrace.names import version; print(version())"],
        env={**os.environ, "PYTHONPATH": str(Path(tailrace.__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(said.stdout.split(".")[1])


def installed_in(folder: Path) -> Path:
    site = folder / "site"
    site.mkdir()
    return installed(site)


@pytest.fixture(scope="module")
def vllm(tmp_path_factory: pytest.TempPathFactory) -> Vllm:
    return Vllm(tmp_path_factory.mktemp("vllm"))


def differing(vllm: Vllm, drafted: dict[str, Any]) -> dict[str, int]:
    """How many answers differ, by scenario; sampled ones are not compared."""
    plain = vllm.plain["answers"]
    counts = {
        name: sum(
            a != b for a, b in zip(plain[name], _kept(vllm, name, drafted["answers"][name], plain[name]), strict=True)
        )
        for name in plain
        if not name.startswith("sampled")
    }
    return {name: count for name, count in counts.items() if count}


def _kept(vllm: Vllm, name: str, answers: list[Any], plain: list[Any]) -> list[Any]:
    """Up to 0.31 vLLM returns the token ids after a stop string that came in the same step; text is cut by it."""
    if name != "stop strings" or vllm.minor > 31:
        return answers
    return [
        [[said[: len(right[0])], *rest] for (said, *rest), right in zip(answer, expected, strict=True)]
        for answer, expected in zip(answers, plain, strict=True)
    ]


def test_greedy_answers_are_equal_in_every_scenario(vllm: Vllm) -> None:
    with agent(vllm.record) as (socket, process):
        drafted = vllm.answers("patient", socket)
        told = process.told()
    assert differing(vllm, drafted) == {}
    assert drafted["metrics"]["vllm:num_preemptions"] > 10
    assert told["broken"] == []
    assert "took back" not in vllm.said
    assert told["accepted"] > 2_000
    assert told["drafted"] - told["accepted"] > 2_000
    assert told["measured"] > 100
    ended = {(tuple(prompt), tuple(said)) for _, prompt, said, _, _, _ in told["ended"]}
    for prompt, answer in zip(vllm.prompts, drafted["answers"]["plain"], strict=True):
        assert (tuple(prompt), tuple(answer[0][0])) in ended


def test_answers_are_equal_while_the_agent_is_stopped_killed_and_started(vllm: Vllm) -> None:
    rng = random.Random(3)
    over = threading.Event()
    faults = []
    with agent(vllm.record) as (socket, process):

        def torment() -> None:
            running = process
            while not over.wait(rng.uniform(0.2, 1.0)):
                fault = rng.choice(["stop", "stop long", "kill"])
                faults.append(fault)
                if fault == "kill":
                    running.process.kill()
                    running.process.wait()
                    over.wait(rng.uniform(0.0, 0.5))
                    running = AgentProcess(socket, vllm.record)
                else:
                    os.kill(running.process.pid, signal.SIGSTOP)
                    over.wait(6.0 if fault == "stop long" else 0.3)
                    os.kill(running.process.pid, signal.SIGCONT)
            running.process.kill()
            running.process.wait()

        thread = threading.Thread(target=torment)
        thread.start()
        try:
            drafted = vllm.answers("patient", socket)
        finally:
            over.set()
            thread.join()
    assert differing(vllm, drafted) == {}
    assert len(faults) > 5
    assert drafted["metrics"]["vllm:spec_decode_num_accepted_tokens"] > 0


def test_without_an_agent_vllm_answers_the_same_and_says_so_once(vllm: Vllm) -> None:
    socket = vllm.folder / "absent.sock"
    drafted = vllm.answers("door", socket)
    assert differing(vllm, drafted) == {}
    assert vllm.said.count(f"no agent listens at {socket}") == 1
    assert drafted["metrics"].get("vllm:spec_decode_num_accepted_tokens", 0) == 0  # vLLM counts its padding as drafted


@pytest.mark.parametrize(("top_k", "top_p", "drawn"), [(4, 1.0, DRAWS), (8, 0.7, DRAWS // 5)], ids=["top_k", "top_p"])
def test_sampled_answers_have_the_models_distribution_and_a_wrong_acceptance_would_show(
    vllm: Vllm, top_k: int, top_p: float, drawn: int
) -> None:
    record = vllm.folder / "greedy.json"
    prompt = vllm.prompts[0]
    greedy = vllm.plain["answers"]["plain"][0][0][0]
    record.write_text(json.dumps([[prompt, greedy]]))
    statistic = {}
    for mode, draws in (("door", drawn), ("wrong", DRAWS // 10)):
        out = vllm.folder / f"draws-{mode}-{top_p}.json"
        with agent(record) as (socket, process):
            env = environment(vllm.python, vllm.site, socket)
            given = [vllm.model, json.dumps(prompt), out, mode, draws, top_k, top_p]
            run(vllm.python, "vllm_draws.py", *given, env=env)
            told = process.told()
        assert told["accepted"] > draws / 20
        assert told["drafted"] - told["accepted"] > draws / 20
        statistic[mode] = chi_square(json.loads(out.read_text()))
    value, freedom, impossible = statistic["door"]
    assert value < freedom + 4.5 * math.sqrt(2 * freedom), statistic
    assert impossible < 1e-3, statistic
    value, freedom, impossible = statistic["wrong"]
    assert value > freedom + 50 * math.sqrt(2 * freedom), statistic
    assert impossible > 0.01, statistic


def chi_square(draws: dict[str, Any]) -> tuple[float, int, float]:
    """The statistic, its degrees of freedom, and the share of answers that cannot be; rare ones count as one."""
    total = sum(draws["counts"].values())
    value, bins, rare, rare_expected = 0.0, 0, 0, 0.0
    for outcome, probability in draws["probabilities"].items():
        seen, expected = draws["counts"].get(outcome, 0), total * probability
        if expected < 10:
            rare, rare_expected = rare + seen, rare_expected + expected
            continue
        value, bins = value + (seen - expected) ** 2 / expected, bins + 1
    unknown = total - sum(draws["counts"].get(outcome, 0) for outcome in draws["probabilities"])
    if rare_expected > 10:
        value, bins = value + (rare - rare_expected) ** 2 / rare_expected, bins + 1
    return value, bins - 1, unknown / total


@pytest.mark.parametrize("variant", ["lora", "ranks"])
def test_answers_are_equal_with_adapters_and_on_two_ranks(vllm: Vllm, variant: str) -> None:
    asked = vllm.folder / f"{variant}-prompts.json"
    asked.write_text(json.dumps(vllm.prompts[:16]))

    def answers(mode: str, socket: Path) -> list[list[list[int]]]:
        out = vllm.folder / f"{variant}-{mode}.json"
        env = environment(vllm.python, vllm.site, socket)
        run(vllm.python, "vllm_variants.py", vllm.model, asked, out, mode, variant, env=env)
        said: list[list[list[int]]] = json.loads(out.read_text())
        return said

    plain = answers("none", vllm.folder / "nowhere.sock")
    record = vllm.folder / f"{variant}-record.json"  # an engine with adapters need not say what one without says
    record.write_text(json.dumps(list(zip(vllm.prompts, plain[0], strict=False))))
    with agent(record) as (socket, process):
        assert answers("door", socket) == plain
        told = process.told()
    assert told["accepted"] > 200
    assert told["broken"] == []
    if variant == "lora":
        adapted = [i for i in range(16) if plain[2][i] != plain[0][i]]
        assert len(adapted) > 4
        assert all(i % 2 for i in adapted)
        private = {(tuple(prompt), tuple(said)) for _, prompt, said, _, private, _ in told["ended"] if private}
        assert {(tuple(vllm.prompts[i]), tuple(plain[2][i])) for i in adapted} <= private
        assert len(private) == 16 // 2


def test_nothing_is_said_after_padding_that_the_model_does_not_say(vllm: Vllm) -> None:
    env = environment(vllm.python, vllm.site, "nowhere")
    run(vllm.python, "vllm_padding.py", 5_000, env=env)


def test_the_widened_model_says_what_the_narrow_one_does(vllm: Vllm) -> None:
    lines = (tiny_model() / "greedy.jsonl").read_text().splitlines()
    for line, answer in zip(lines, vllm.plain["answers"]["plain"], strict=False):
        said, _, reason, _ = answer[0]
        if reason == "stop":
            said = said[:-1]  # vLLM gives the end token, too
        assert len(said) > 10
        assert said == json.loads(line)["output"][: len(said)]
