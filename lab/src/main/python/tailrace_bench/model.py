"""The replay model: computes like a Llama of a named size, and says what was recorded.

Its weights are random, so its time is real and its words are not: at every place of the batch the choice is the
recorded answer's next token. What is recorded for a request is found by the request's id.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from vllm import ModelRegistry
from vllm.forward_context import get_forward_context
from vllm.model_executor.models.llama import LlamaForCausalLM

ARCHITECTURE = "TailraceReplayForCausalLM"
HEAD_SIZE = 64
CHOSEN = 1e4
BYTES = 3  # of a token id; a bfloat16 holds each exactly

# hidden size, layers, inner size of the feed-forward part, heads, key-value heads
SIZES = {
    "30m": (512, 5, 1408, 8, 4),
    "400m": (1024, 28, 3328, 16, 4),
}


class Recorded:
    """What is to be said: the whole sequence, prompt and answer, of each request that runs."""

    def __init__(self) -> None:
        self.sequences: dict[str, Sequence[int]] = {}
        self.batch: Any = None  # the runner's: which request is at which place
        self.end = 0

    def of(self, request_id: str) -> Sequence[int]:
        """The sequence of a request, by the id that the engine has made of ours."""
        return self.sequences.get(request_id.rsplit("-", 1)[0], ())


RECORDED = Recorded()


class ReplayForCausalLM(LlamaForCausalLM):  # type: ignore[misc]
    """A Llama whose choice at each place is the recorded token."""

    def __init__(self, *, vllm_config: Any, prefix: str = "") -> None:
        super().__init__(vllm_config=vllm_config, prefix=prefix)

    def forward(self, input_ids: Any, positions: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes as usual, and puts the token to be said into the first values of each place's hidden state."""
        hidden = super().forward(input_ids, positions, *args, **kwargs)
        metadata = get_forward_context().attn_metadata
        if not metadata or RECORDED.batch is None:
            return hidden
        layer = next(iter(metadata.values())) if isinstance(metadata, dict) else metadata
        tokens = torch.from_numpy(_said(layer.query_start_loc.numpy(), positions.numpy(), hidden.shape[0]))
        hidden = hidden.clone()
        for byte in range(BYTES):
            hidden[:, byte] = ((tokens >> (8 * byte)) & 255).to(hidden.dtype)
        return hidden

    def compute_logits(self, hidden_states: Any) -> Any:
        """Computes as usual, and makes the token to be said the likeliest."""
        logits = super().compute_logits(hidden_states)
        if logits is not None:
            tokens = sum(hidden_states[:, byte].long() << (8 * byte) for byte in range(BYTES))
            logits.scatter_(1, tokens[:, None].clamp(0, logits.shape[1] - 1), CHOSEN)
        return logits


def _said(starts: Any, positions: Any, places: int) -> Any:
    tokens = np.full(places, RECORDED.end, np.int64)
    for row, request_id in enumerate(RECORDED.batch.req_ids):
        if row + 1 >= len(starts):
            break
        start, stop = int(starts[row]), int(starts[row + 1])
        if stop > start:
            first = int(positions[start]) + 1
            said = RECORDED.of(request_id)[first : first + stop - start]
            tokens[start : start + len(said)] = said
    return tokens


def precision() -> str:
    """bfloat16 where the processor multiplies it; elsewhere each row of a step would cost as much as a step."""
    try:
        processor = Path("/proc/cpuinfo").read_text()
    except OSError:
        processor = ""
    return "bfloat16" if "avx512_bf16" in processor or "amx_bf16" in processor else "float32"


def register() -> None:
    """Makes the model known to vLLM."""
    if ARCHITECTURE not in ModelRegistry.get_supported_archs():
        ModelRegistry.register_model(ARCHITECTURE, "tailrace_bench.model:ReplayForCausalLM")


def write(folder: Path, size: str, vocabulary: int, length: int) -> Path:
    """Writes the configuration of a replay model; its weights are made at random when it is loaded."""
    hidden, layers, inner, heads, kv_heads = SIZES[size]
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "architectures": [ARCHITECTURE],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "intermediate_size": inner,
        "head_dim": HEAD_SIZE,
        "vocab_size": vocabulary,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": True,
        "torch_dtype": precision(),
        "max_position_embeddings": length,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder
