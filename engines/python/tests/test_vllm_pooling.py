"""A real vLLM that pools is left alone, and one that drafts refuses to pool and goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines import agent, engine_python, environment, installed, prompts, run, tiny_model

pytestmark = pytest.mark.engine

PROMPTS = 12

Found = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What both kinds of engine found, without the door and with it, and what the agent was told."""
    folder = tmp_path_factory.mktemp("pooling")
    python, source = engine_python("vllm"), tiny_model()
    (folder / "site").mkdir()
    site, model, asked = installed(folder / "site"), folder / "model", folder / "prompts.json"
    run(python, "widen_model.py", source, model, env=environment(python, site, "nowhere"))
    asked.write_text(json.dumps(prompts(source, PROMPTS)))
    found: Found = {}
    said: dict[tuple[str, str], str] = {}
    with agent() as (socket, process):
        env = environment(python, site, socket)
        for kind in ("pooling", "generating"):
            for mode in ("none", "door"):
                out = folder / f"{kind}-{mode}.json"
                said[kind, mode] = run(python, "vllm_pooling.py", model, asked, out, mode, kind, env=env)
                found[kind, mode] = json.loads(out.read_text())
        return {"found": found, "said": said, "agent": process.told()}


def test_an_engine_that_pools_keeps_its_own_scheduler_and_says_why(told: dict[str, Any]) -> None:
    found: Found = told["found"]
    assert found["pooling", "door"] == found["pooling", "none"]
    assert len(found["pooling", "door"]["embeddings"]) == PROMPTS
    words = "serving without drafts: this model does not generate text"
    assert told["said"]["pooling", "door"].count(words) == 1


def test_an_engine_that_drafts_refuses_to_pool_as_without_the_door_and_goes_on(told: dict[str, Any]) -> None:
    """vLLM serves one of both in an engine: requests of the two kinds never share a step there."""
    found: Found = told["found"]
    with_door, without = found["generating", "door"], found["generating", "none"]
    assert with_door["scheduler"] == "tailrace.vllm"
    assert with_door["refusal"] == without["refusal"]
    assert with_door["refusal"]
    assert with_door["answers"] == without["answers"]
    assert len(told["agent"]["hellos"]) == 1  # of four engines one drafts
    assert told["agent"]["broken"] == []
    assert told["agent"]["accepted"] > 0
    assert told["agent"]["ended"]


def test_on_the_cpu_vllm_is_synchronous_without_drafts_too(told: dict[str, Any]) -> None:
    """So the benchmark's "none", an engine in which nobody drafts, is scheduled as a vLLM without speculation is."""
    without = told["found"]["generating", "none"]
    if not without["cpu"]:
        pytest.skip("this vLLM is not for the CPU")
    assert without["asynchronous"] is False
