"""Runs a real vLLM with LoRA adapters, or on two ranks, and writes what it answered. Run by the engine's own Python.

``python vllm_variants.py MODEL PROMPTS.json OUT.json door|none lora|ranks``
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

RANK = 8
SCALE = 0.3
LENGTH = 64


def adapter(model: Path, folder: Path) -> Path:
    """A LoRA adapter of random weights, large enough to change what the model says."""
    import torch
    from safetensors.torch import save_file

    config = json.loads((model / "config.json").read_text())
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    head = config.get("head_dim") or hidden // heads
    outs = {"q_proj": heads * head, "v_proj": config["num_key_value_heads"] * head}
    torch.manual_seed(7)
    tensors = {}
    for layer in range(config["num_hidden_layers"]):
        for name, rows in outs.items():
            stem = f"base_model.model.model.layers.{layer}.self_attn.{name}"
            tensors[f"{stem}.lora_A.weight"] = SCALE * torch.randn(RANK, hidden)
            tensors[f"{stem}.lora_B.weight"] = SCALE * torch.randn(rows, RANK)
    folder.mkdir()
    save_file(tensors, folder / "adapter_model.safetensors")
    told = {"peft_type": "LORA", "r": RANK, "lora_alpha": RANK, "target_modules": list(outs), "bias": "none"}
    (folder / "adapter_config.json").write_text(json.dumps({**told, "base_model_name_or_path": str(model)}))
    return folder


def main(name: str, prompts_file: str, out: str, mode: str, variant: str) -> None:
    from vllm import LLM, SamplingParams
    from vllm.lora.request import LoRARequest

    if mode == "door":
        from tailrace import door

        door.SHARE = 1.0  # what is looked at is what is said with drafts, and the agent here is slow
        door.BURST = 1.0
    extra: dict[str, Any] = {"scheduler_cls": "tailrace.vllm.TailraceScheduler"} if mode == "door" else {}
    if variant == "lora":
        extra |= {"enable_lora": True, "max_lora_rank": RANK, "max_loras": 2}  # on the CPU "none" is the last slot
    else:
        extra |= {"tensor_parallel_size": 2, "distributed_executor_backend": "mp"}
        os.environ["VLLM_CPU_OMP_THREADS_BIND"] = "0|1"  # by itself vLLM gives each rank a NUMA node
    engine = LLM(name, dtype="float32", max_model_len=512, max_num_seqs=8, enforce_eager=True, **extra)
    prompts = json.loads(Path(prompts_file).read_text())
    sampling = SamplingParams(temperature=0.0, max_tokens=LENGTH)
    answers = []
    turns: list[Any] = [None, None]
    if variant == "lora":
        folder = adapter(Path(name), Path(out).parent / f"adapter-{mode}")
        turns += [LoRARequest("other", 1, str(folder))] * 2
    for lora in turns:
        asked = [{"prompt_token_ids": p} for p in prompts]
        loras = [lora if i % 2 else None for i in range(len(asked))]  # every other request has the adapter
        given = {"lora_request": loras} if lora else {}
        done = engine.generate(asked, sampling, use_tqdm=False, **given)
        answers.append([list(one.outputs[0].token_ids) for one in done])
    Path(out).write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
