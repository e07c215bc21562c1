"""Draws many short answers to one prompt in a real vLLM. Run by the engine's own Python.

``python vllm_draws.py MODEL PROMPT OUT door|wrong COUNT TOP_K TOP_P`` writes how often each answer came, and how
likely it is by the model itself, computed by transformers. "wrong" makes vLLM accept every other draft token, whatever
the model says.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

LENGTH = 4
TEMPERATURE = 1.5
CHUNK = 10_000


def probabilities(model: str, prompt: list[int], top_k: int, top_p: float) -> dict[str, float]:
    """Every answer's probability. The share is taken of the likeliest, up to the token that reaches it."""
    import torch
    from transformers import AutoModelForCausalLM

    network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    beams: list[tuple[list[int], float]] = [([], 1.0)]
    for _ in range(LENGTH):
        longer = []
        for said, probability in beams:
            with torch.no_grad():
                logits = network(torch.tensor([prompt + said])).logits[0, -1].double() / TEMPERATURE
            top = torch.topk(logits, top_k)
            shares = torch.softmax(top.values, 0)
            shares[shares.cumsum(0) - shares >= top_p] = 0
            for token, p in zip(top.indices.tolist(), (shares / shares.sum()).tolist(), strict=True):
                if p > 0:
                    longer.append(([*said, token], probability * p))
        beams = longer
    return {str(said): probability for said, probability in beams}


def accept_wrongly() -> None:
    """Every other step's rejections are taken back: the distribution must be seen to differ."""
    import vllm.v1.sample.rejection_sampler as sampler

    original = sampler.rejection_sample
    turn = itertools.count()

    def wrong(draft_token_ids: Any, num_draft_tokens: Any, *args: Any, **kwargs: Any) -> Any:
        out = original(draft_token_ids, num_draft_tokens, *args, **kwargs)
        if next(turn) % 2:
            at = 0
            for row, count in enumerate(num_draft_tokens):
                if count:
                    out[row, 0] = draft_token_ids[at]
                at += count
        return out

    sampler.rejection_sample = wrong


def main(model: str, prompt_text: str, out: str, mode: str, count: str, top_k: str, top_p: str) -> None:
    from vllm import LLM, SamplingParams

    from tailrace import door

    door.SHARE = 1.0  # what is looked at is what is said with drafts, and the agent here is slow
    door.BURST = 1.0
    prompt = json.loads(prompt_text)
    if mode == "wrong":
        accept_wrongly()
    engine = LLM(
        model,
        dtype="float32",
        max_model_len=512,
        max_num_seqs=128,
        max_num_batched_tokens=4096,
        scheduler_cls="tailrace.vllm.TailraceScheduler",
    )
    counts: Counter[str] = Counter()
    sampling = SamplingParams(
        temperature=TEMPERATURE,
        top_k=int(top_k),
        top_p=float(top_p),
        max_tokens=LENGTH,
        ignore_eos=True,
        detokenize=False,
    )
    for start in range(0, int(count), CHUNK):
        asked = [{"prompt_token_ids": prompt}] * min(CHUNK, int(count) - start)
        for done in engine.generate(asked, sampling, use_tqdm=False):
            counts[str(list(done.outputs[0].token_ids))] += 1
    expected = probabilities(model, prompt, int(top_k), float(top_p))
    Path(out).write_text(json.dumps({"counts": counts, "probabilities": expected}))


if __name__ == "__main__":
    main(*sys.argv[1:])
