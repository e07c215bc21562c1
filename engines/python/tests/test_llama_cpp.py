"""A real llama-cpp-python generates with the door what it generates without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines import agent, engine_python, environment, installed, prompts, run, tiny_model

pytestmark = pytest.mark.engine


def test_greedy_sequences_are_equal_and_reach_the_agent(tmp_path: Path) -> None:
    python, model = engine_python("llama_cpp"), tiny_model()
    asked, out, site = tmp_path / "prompts.json", tmp_path / "out.json", tmp_path / "site"
    asked.write_text(json.dumps(prompts(model, 12)))
    site.mkdir()
    installed(site)
    with agent() as (socket, process):
        run(python, "llama_cpp_scenarios.py", model, asked, out, env=environment(python, site, socket))
        told = process.told()
    done = json.loads(out.read_text())
    ended = {tuple(prompt): said for _, prompt, said, _, _, _ in told["ended"]}
    for prompt, plain, drafted in done["answers"]:
        assert drafted == plain
        said = ended[tuple(prompt)]
        assert said == plain[: len(said)]
        assert len(said) >= len(plain) - 17  # what the last draft brought is not told
    assert told["broken"] == []
    assert told["accepted"] > 100
    assert told["hellos"][0]["vocabulary"] == 2048
