"""Writes the tiny Llama as GGUF, which llama.cpp reads. Run by the engine's own Python.

The file names no tokenizer: token ids go in and come out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
OTHERS = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def write(model: Path, file: Path) -> None:
    """Writes the model of a Hugging Face folder, in float32."""
    import gguf
    from safetensors.numpy import load_file

    config = json.loads((model / "config.json").read_text())
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("no_vocab")
    tensors = load_file(model / "model.safetensors")
    if config["tie_word_embeddings"]:
        tied = tensors.pop("lm_head.weight", None)
        tensors.setdefault("model.embed_tokens.weight", tied)
    for name, tensor in tensors.items():
        weights = tensor.astype(np.float32)
        if ".q_proj" in name:
            weights = _interleaved(weights, heads)
        elif ".k_proj" in name:
            weights = _interleaved(weights, kv_heads)
        writer.add_tensor(_name(name), weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _name(name: str) -> str:
    stem = name.removesuffix(".weight")
    if stem in OTHERS:
        return OTHERS[stem] + ".weight"
    number, part = stem.removeprefix("model.layers.").split(".", 1)
    return f"blk.{number}.{BLOCK[part]}.weight"


def _interleaved(weights: Any, heads: int) -> Any:
    """Hugging Face rotates the halves of a head against each other, GGUF neighbouring rows."""
    rows, columns = weights.shape
    return weights.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)
