"""``python -m tailrace_bench.small_llama FOLDER LENGTH``: writes a small Llama with random weights, the same each time.

Its tokenizer knows bytes and nothing else, so it needs no training. What it says means nothing, but it says the same
each time: its weights are large, so the likeliest token stands out from the others.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SEED = 20261121
BEGIN, END = "<s>", "</s>"
HIDDEN = 512
LAYERS = 6
HEADS = 8
INNER = 1408
WEIGHTS = 0.08  # standard deviation; usual is 0.02, with which all tokens are about as likely


def write(folder: Path, length: int) -> None:
    """Writes the folder `folder`, for requests of up to `length` tokens."""
    tokenizer = bytes_tokenizer()
    torch.manual_seed(SEED)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        intermediate_size=INNER,
        max_position_embeddings=length,
        initializer_range=WEIGHTS,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def bytes_tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer with a token for each byte, and two for the ends."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={BEGIN: 0, END: 1} | {each: 2 + i for i, each in enumerate(letters)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token=BEGIN, eos_token=END)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
