"""Writes a Llama with heads of 16 numbers as one with heads of 32 that computes the same.

vLLM's CPU attention wants heads of at least 32. A head's numbers turn in pairs (i, i + size/2) by the angle
position * theta ** (-2i / size). The pair i of 8 has the angle of the pair 2i of 16, so it moves there and the pairs
between stay zero. Scores are divided by the root of the head's size, so queries are multiplied by the root of 2.

Run as ``python widen_model.py SOURCE TARGET``.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

COPIED = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json")


def widen(source: Path, target: Path) -> None:
    """Makes the folder `target`."""
    from safetensors.numpy import load_file, save_file

    target.mkdir(parents=True, exist_ok=True)
    config = json.loads((source / "config.json").read_text())
    size = config["hidden_size"] // config["num_attention_heads"]
    weights = load_file(source / "model.safetensors")
    embedding = weights.get("model.embed_tokens.weight", weights.get("lm_head.weight"))
    weights["model.embed_tokens.weight"] = weights["lm_head.weight"] = embedding
    made = {name: _wide(name, weight, size) for name, weight in weights.items()}
    save_file(
        {name: np.ascontiguousarray(w.astype(np.float32)) for name, w in made.items()}, target / "model.safetensors"
    )
    config.update(head_dim=2 * size, tie_word_embeddings=False, torch_dtype="float32")
    (target / "config.json").write_text(json.dumps(config, indent=1))
    for name in COPIED:
        if (source / name).exists():
            shutil.copy(source / name, target / name)


def _wide(name: str, weight: Any, size: int) -> Any:
    if "q_proj" in name:
        return _wide_rows(weight, size) * np.float32(math.sqrt(2))
    if "k_proj" in name or "v_proj" in name:
        return _wide_rows(weight, size)
    if "o_proj" in name:
        return _wide_rows(weight.T, size).T
    return weight


def _wide_rows(weight: Any, size: int) -> Any:
    heads = weight.reshape(-1, size, weight.shape[1])
    wide = np.zeros((heads.shape[0], 2 * size, weight.shape[1]), weight.dtype)
    half = size // 2
    for i in range(half):
        wide[:, 2 * i] = heads[:, i]
        wide[:, size + 2 * i] = heads[:, half + i]
    return wide.reshape(-1, weight.shape[1])


if __name__ == "__main__":
    widen(Path(sys.argv[1]), Path(sys.argv[2]))
