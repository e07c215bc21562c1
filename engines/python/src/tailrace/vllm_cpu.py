"""Three faults of vLLM on the CPU that show only when speculation is on, mended where Tailrace turns it on.

*Sampling parameters of drafted tokens.* The rejection sampler copies each request's temperature, top-k and top-p to its
draft tokens, by :func:`expand_batch_to_tokens`. On the CPU (0.30 to 0.33) numbers that are not 64-bit integers are
written to a copy that is thrown away, so that draft tokens are judged by whatever stood in memory.

*A step without drafts.* From 0.32 on each step passes through the rejection sampler. On the CPU, with top-k and without
top-p, a step without drafts asks for the largest of no numbers, which ends the engine.

*Drafts that are padding.* A request that has one token left to compute when it enters the batch, because the rest of
it is in the prefix cache, gets draft tokens of -1, which are to be rejected. The CPU's kernel for sampled requests
looks up their probability before the start of a row, and may accept them: then a token that the model did not say is
said.

The functions are replaced in the worker's process, when Tailrace's proposer is made, and only on the CPU.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import torch

SAMPLER = "vllm.v1.sample.rejection_sampler"
PLACEHOLDER = -1  # vLLM's, for a place in which nothing is said
TOP_K = "vllm.v1.sample.ops.topk_topp_sampler"


def mend() -> None:
    """Replaces the functions, once."""
    from vllm.platforms import current_platform

    if current_platform.is_cpu():
        sampler: Any = importlib.import_module(SAMPLER)
        sampler.expand_batch_to_tokens = expand_batch_to_tokens
        sampler.rejection_sample = rejecting_padding(sampler.rejection_sample)
        top_k: Any = importlib.import_module(TOP_K)
        top_k.apply_top_k_only = unless_empty(top_k.apply_top_k_only)


def expand_batch_to_tokens(
    x: torch.Tensor, cu_num_tokens: torch.Tensor, num_tokens: int, replace_from: float = 0, replace_to: float = 0
) -> torch.Tensor:
    """Each request's number, once for each of its draft tokens; `cu_num_tokens` counts them up."""
    counts = torch.diff(cu_num_tokens, prepend=cu_num_tokens.new_zeros(1))
    expanded = torch.repeat_interleave(x, counts, output_size=num_tokens)
    return torch.where(expanded == replace_from, replace_to, expanded) if replace_from != replace_to else expanded


def rejecting_padding(rejection_sample: Any) -> Any:
    """The function, but nothing is said after the first padding of a request.

    Any token can stand for the padding, since what is said in a draft token's place has the model's distribution
    whatever was drafted. What would be said in later places comes from rows that the model computed of padding.
    """
    if getattr(rejection_sample, "__tailrace__", False):
        return rejection_sample

    @functools.wraps(rejection_sample)
    def mended(draft_token_ids: torch.Tensor, num_draft_tokens: list[int], *args: Any, **kwargs: Any) -> Any:
        padding = draft_token_ids < 0
        if not bool(padding.any()):
            return rejection_sample(draft_token_ids, num_draft_tokens, *args, **kwargs)
        said = rejection_sample(draft_token_ids.clamp(min=0), num_draft_tokens, *args, **kwargs)
        start = 0
        for row, count in enumerate(num_draft_tokens):
            padded = padding[start : start + count].nonzero()
            if len(padded):
                said[row, int(padded[0]) + 1 :] = PLACEHOLDER
            start += count
        return said

    mended.__tailrace__ = True  # type: ignore[attr-defined]
    return mended


def unless_empty(apply_top_k_only: Any) -> Any:
    """The function, but for no rows at all."""
    if getattr(apply_top_k_only, "__tailrace__", False):
        return apply_top_k_only

    @functools.wraps(apply_top_k_only)
    def mended(logits: Any, k: Any) -> Any:
        return apply_top_k_only(logits, k) if logits.shape[0] else logits

    mended.__tailrace__ = True  # type: ignore[attr-defined]
    return mended
