"""A real transformers generates with the door what it generates without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines import agent, engine_python, environment, installed, prompts, run, tiny_model

pytestmark = pytest.mark.engine


def test_greedy_sequences_are_equal_and_reach_the_agent(tmp_path: Path) -> None:
    python, model = engine_python("transformers"), tiny_model()
    asked, out, site = tmp_path / "prompts.json", tmp_path / "out.json", tmp_path / "site"
    asked.write_text(json.dumps(prompts(model, 12)))
    site.mkdir()
    installed(site)
    with agent() as (socket, process):
        env = environment(python, site, socket)
        run(python, "transformers_scenarios.py", model, asked, out, env=env)
        told = process.told()
    done = json.loads(out.read_text())
    for prompt, plain, drafted in done["answers"]:
        assert drafted == plain
        assert [prompt, plain] in [[p, s] for _, p, s, _, _, _ in told["ended"]]
    assert done["batch"] == 2
    assert done["differing"] == []
    assert not done["left"]
    assert told["broken"] == []
    assert told["accepted"] > 100
    assert told["hellos"][0]["vocabulary"] == 2048
