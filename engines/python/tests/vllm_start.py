"""What a real vLLM makes of arguments with the scheduler of Tailrace; no engine starts. Run by the engine's own Python.

``python vllm_start.py MODEL OUT.json``
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

GIVEN: dict[str, dict[str, Any]] = {
    "plain": {},
    "lora": {"enable_lora": True},
    "lora with room": {"enable_lora": True, "max_num_batched_tokens": 8192},
    "lora without room": {"enable_lora": True, "max_num_batched_tokens": 256, "max_num_seqs": 256},
    "trace replay": {"enable_trace_replay": True},
}


def main(model: str, out: str) -> None:
    from vllm import SamplingParams
    from vllm.engine.arg_utils import EngineArgs
    from vllm.usage.usage_lib import UsageContext

    # As on a GPU of less than 70 GiB; on the CPU vLLM has sizes of its own.
    EngineArgs.get_batch_defaults = classmethod(
        lambda cls, world_size: ({UsageContext.OPENAI_API_SERVER: 2048}, {UsageContext.OPENAI_API_SERVER: 256})
    )
    told: dict[str, Any] = {}
    refused = told["refused logprob_token_ids"] = {}
    for name, given in GIVEN.items():
        args = EngineArgs(model, dtype="float32", scheduler_cls="tailrace.vllm.TailraceScheduler", **given)
        try:
            config = args.create_engine_config(UsageContext.OPENAI_API_SERVER)
        except ValueError as e:
            told[name] = str(e)
            continue
        speculative = config.speculative_config
        told[name] = {
            "tokens": speculative.num_speculative_tokens if speculative else 0,
            "scheduler": config.scheduler_config.scheduler_cls,
            "rows": config.scheduler_config.max_num_batched_tokens,
        }
        try:
            SamplingParams(logprob_token_ids=[5, 6]).verify(config.model_config, speculative, None, None)
        except Exception as e:
            refused[name] = f"{type(e).__name__}: {e}"
    Path(out).write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
