"""Writes a small Llama as a GGUF file without a tokenizer: token ids go in and out.

Run as ``python make_gguf.py SOURCE TARGET.gguf`` by a Python with gguf, safetensors and numpy.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

_LAYER = {
    "input_layernorm.weight": "attn_norm.weight",
    "post_attention_layernorm.weight": "ffn_norm.weight",
    "self_attn.q_proj.weight": "attn_q.weight",
    "self_attn.k_proj.weight": "attn_k.weight",
    "self_attn.v_proj.weight": "attn_v.weight",
    "self_attn.o_proj.weight": "attn_output.weight",
    "mlp.gate_proj.weight": "ffn_gate.weight",
    "mlp.up_proj.weight": "ffn_up.weight",
    "mlp.down_proj.weight": "ffn_down.weight",
}


def turned(weight: Any, heads: int) -> Any:
    """llama.cpp turns neighbouring numbers of a head, transformers those half a head apart."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def main(source: str, target: str) -> None:
    import gguf
    from safetensors.numpy import load_file

    config = json.loads((Path(source) / "config.json").read_text())
    weights = load_file(Path(source) / "model.safetensors")
    heads, key_heads = config["num_attention_heads"], config["num_key_value_heads"]
    writer = gguf.GGUFWriter(target, "llama")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(key_heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("none")
    embedding = weights.get("model.embed_tokens.weight", weights["lm_head.weight"])
    tensors = {
        "token_embd.weight": embedding,
        "output.weight": weights["lm_head.weight"],
        "output_norm.weight": weights["model.norm.weight"],
    }
    for layer in range(config["num_hidden_layers"]):
        for theirs, ours in _LAYER.items():
            weight = weights[f"model.layers.{layer}.{theirs}"]
            if "q_proj" in theirs or "k_proj" in theirs:
                weight = turned(weight, heads if "q_proj" in theirs else key_heads)
            tensors[f"blk.{layer}.{ours}"] = weight
    for name, weight in tensors.items():
        writer.add_tensor(name, np.ascontiguousarray(weight.astype(np.float32)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
