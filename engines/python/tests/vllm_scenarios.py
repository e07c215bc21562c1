"""Runs every scenario in a real vLLM and writes what it answered. Run by the engine's own Python, not by pytest.

``python vllm_scenarios.py MODEL PROMPTS.json OUT.json door|patient|none``, a patient door waits for every draft
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

MODEL_LENGTH = 512
ANSWER_LENGTH = 96
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 9}, "age": {"type": "integer"}, "glad": {"type": "boolean"}},
    "required": ["name", "age", "glad"],
    "additionalProperties": False,
}


def scenarios(prompts: list[list[int]]) -> dict[str, tuple[list[list[int]], dict[str, Any]]]:
    """Prompts and sampling parameters by name. All but the sampled ones have one right answer."""
    some = prompts[:20]
    long = [(p * 40)[: MODEL_LENGTH - 30 - i] for i, p in enumerate(prompts[:20])]
    return {
        "plain": (prompts, {}),
        "again": (prompts, {}),
        "up to the model's length": (long, {"max_tokens": MODEL_LENGTH, "ignore_eos": True}),
        "one token": (some, {"max_tokens": 1}),
        "stop strings": (prompts, {"stop": [".", " the "], "max_tokens": 200}),
        "stop tokens": (prompts, {"stop_token_ids": [12, 71, 150], "max_tokens": 200}),
        "n=2": (some, {"n": 2, "temperature": 1.0, "top_k": 1}),
        "sampled": (some, {"temperature": 0.9, "top_p": 0.9, "top_k": 20}),
        "sampled, n=3": (some, {"n": 3, "temperature": 0.9, "top_p": 0.9}),
        "log-probabilities": (some, {"logprobs": 2}),
        "log-probabilities of prompts": (some, {"prompt_logprobs": 1, "logprobs": 1}),
        "minimum length": (some, {"min_tokens": 60, "max_tokens": 80}),
        "penalties": (some, {"repetition_penalty": 1.3, "presence_penalty": 0.5, "frequency_penalty": 0.2}),
        "bad words": (some, {"bad_words": ["the", "was"]}),
        "regular expression": (some, {"structured": {"regex": "[a-z ]{20,60}\\."}}),
        "JSON schema": (some, {"structured": {"json": SCHEMA}}),
    }


def main(model: str, prompts_file: str, out: str, mode: str) -> None:
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    if mode == "patient":
        from tailrace import door

        door.SHARE = door.BURST = 1.0
    extra: dict[str, Any] = {} if mode == "none" else {"scheduler_cls": "tailrace.vllm.TailraceScheduler"}
    engine = LLM(
        model,
        dtype="float32",
        max_model_len=MODEL_LENGTH,
        max_num_seqs=16,
        max_num_batched_tokens=128,
        enable_prefix_caching=True,
        num_gpu_blocks_override=60,
        block_size=32,
        disable_log_stats=False,
        **extra,
    )
    answers: dict[str, list[Any]] = {}
    for name, (prompts, wanted) in scenarios(json.loads(Path(prompts_file).read_text())).items():
        given = {"temperature": 0.0, "max_tokens": ANSWER_LENGTH, **wanted}
        structured = given.pop("structured", None)
        if structured:
            given["structured_outputs"] = StructuredOutputsParams(**structured)
        done = engine.generate([{"prompt_token_ids": p} for p in prompts], SamplingParams(**given), use_tqdm=False)
        answers[name] = [[_answer(o) for o in one.outputs] + _prompt(one) for one in done]
    metrics = {}
    for metric in engine.get_metrics():
        if "spec_decode" in metric.name or "preemption" in metric.name:
            metrics[metric.name] = getattr(metric, "value", None)
    Path(out).write_text(json.dumps({"answers": answers, "metrics": metrics}))


def _answer(output: Any) -> list[Any]:
    return [list(output.token_ids), output.text, output.finish_reason, _logprobs(output.logprobs)]


def _prompt(request: Any) -> list[Any]:
    return [_logprobs(request.prompt_logprobs)] if request.prompt_logprobs else []


def _logprobs(places: Any) -> Any:
    if not places:
        return None
    return [sorted((t, round(p.logprob, 3)) for t, p in (place or {}).items()) for place in places]


if __name__ == "__main__":
    main(*sys.argv[1:])
