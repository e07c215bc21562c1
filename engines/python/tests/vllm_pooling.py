"""Embeds prompts with a real vLLM, or asks one that generates to do so. Run by the engine's own Python.

``python vllm_pooling.py MODEL PROMPTS.json OUT.json door|none pooling|generating``
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main(model: str, prompts_file: str, out: str, mode: str, kind: str) -> None:
    from vllm import LLM, SamplingParams
    from vllm.platforms import current_platform

    extra: dict[str, Any] = {"scheduler_cls": "tailrace.vllm.TailraceScheduler"} if mode == "door" else {}
    if kind == "pooling":
        extra |= {"runner": "pooling", "convert": "embed"}
    engine = LLM(model, dtype="float32", max_model_len=512, max_num_seqs=8, enforce_eager=True, **extra)
    asked = [{"prompt_token_ids": prompt} for prompt in json.loads(Path(prompts_file).read_text())]
    told: dict[str, Any] = {
        "scheduler": type(engine.llm_engine.engine_core.engine_core.scheduler).__module__,
        "asynchronous": engine.llm_engine.vllm_config.scheduler_config.async_scheduling,
        "cpu": current_platform.is_cpu(),
    }
    if kind == "pooling":
        told["embeddings"] = [one.outputs.embedding for one in engine.embed(asked, use_tqdm=False)]
    else:
        try:
            engine.encode(asked, pooling_task="token_embed", use_tqdm=False)
        except ValueError as e:
            told["refusal"] = str(e)
        done = engine.generate(asked, SamplingParams(temperature=0.0, max_tokens=64), use_tqdm=False)
        told["answers"] = [list(one.outputs[0].token_ids) for one in done]
    Path(out).write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
