"""Where vLLM starts without drafts it starts with Tailrace's scheduler, too: vLLM's own code for arguments decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines import engine_python, environment, installed, run, tiny_model

pytestmark = pytest.mark.engine

OURS = "tailrace.vllm.TailraceScheduler"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """What vLLM made of each set of arguments, and what was logged."""
    folder = tmp_path_factory.mktemp("start")
    python, out = engine_python("vllm"), folder / "out.json"
    (folder / "site").mkdir()
    env = environment(python, installed(folder / "site"), "nowhere", VLLM_USE_V2_MODEL_RUNNER="0")
    said = run(python, "vllm_start.py", tiny_model(), out, env=env)
    return json.loads(out.read_text()), said


def test_drafts_are_as_long_as_vllms_sizes_allow_beside_lora(started: tuple[dict[str, Any], str]) -> None:
    told, said = started
    assert told["plain"] == {"tokens": 16, "scheduler": OURS, "rows": 2048}
    assert told["lora"] == {"tokens": 7, "scheduler": OURS, "rows": 2048}
    assert told["lora with room"] == {"tokens": 16, "scheduler": OURS, "rows": 8192}
    assert told["lora without room"] == {"tokens": 0, "scheduler": None, "rows": 256}
    assert said.count("drafts have at most 7 tokens: with LoRA") == 1
    assert said.count("serving without drafts: with LoRA") == 1


def test_what_vllm_refuses_anyway_is_its_own_word(started: tuple[dict[str, Any], str]) -> None:
    told, said = started
    assert "trace replay requires Model Runner V2" in told["trace replay"]
    assert "trace replay" not in said


def test_requests_with_logprob_token_ids_are_refused_where_drafts_can_come(
    started: tuple[dict[str, Any], str],
) -> None:
    refused = started[0]["refused logprob_token_ids"]
    assert sorted(refused) == ["lora", "lora with room", "plain"]
    assert all("VLLMValidationError: The logprob_token_ids" in words for words in refused.values())
