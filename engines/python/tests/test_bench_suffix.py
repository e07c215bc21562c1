"""The laboratory's rival is vLLM's suffix decoding: token for token what a vLLM proposes that is started with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines import engine_python, environment, installed, run

pytestmark = pytest.mark.engine

LABORATORY = Path(__file__).parents[3] / "lab" / "src" / "main" / "python"


def test_the_benchmarks_suffix_decoding_proposes_what_stock_vllm_does(tmp_path: Path) -> None:
    python = engine_python("arctic_inference")
    (tmp_path / "site").mkdir()
    site = installed(tmp_path / "site")
    proposals: dict[str, list[Any]] = {}
    for mode in ("stock", "bench"):
        out = tmp_path / f"{mode}.json"
        env = environment(python, site, "nowhere")
        env["PYTHONPATH"] += f":{LABORATORY}"
        if mode == "stock":
            env["VLLM_PLUGINS"] = ""  # none of Tailrace is in it
        run(python, "bench_suffix.py", tmp_path / f"model-{mode}", out, mode, env=env)
        proposals[mode] = json.loads(out.read_text())
    assert proposals["bench"] == proposals["stock"]
    drafts = [draft for _, _, _, draft in proposals["stock"] if draft]
    assert len(drafts) > 200
    assert len({len(draft) for draft in drafts}) > 8
    said = [sampled for _, _, sampled, _ in proposals["stock"]]
    assert sum(len(sampled) > 1 for sampled in said) > 100  # drafts were accepted
