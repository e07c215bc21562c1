"""Holds vLLM's rejection sampler, mended for the CPU, to what it should say after padding. Run by the engine's Python.

``python vllm_padding.py COUNT`` draws so often from random batches, in which some draft tokens are -1, and fails with
the first answer that is not a prefix of a draft and one token of the model's.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from types import SimpleNamespace
from typing import Any

VOCABULARY = 50
DRAFTED_MAX = 6


def main(count: int) -> None:
    import torch
    from vllm.platforms import current_platform

    current_platform.import_kernels()
    current_platform.register_triton_kernel_overrides()

    import vllm.v1.sample.rejection_sampler as sampler

    from tailrace import vllm_cpu

    vllm_cpu.mend()
    rng = random.Random(7)
    torch.manual_seed(7)
    padded = 0
    for _ in range(count):
        drafts = [_draft(rng) for _ in range(rng.randint(1, 5))]
        padded += sum(-1 in draft for draft in drafts)
        if not any(drafts):
            continue
        greedy = [rng.random() < 0.3 for _ in drafts]
        said, wanted = _sample(torch, sampler, drafts, greedy)
        for draft, row, likeliest in zip(drafts, said, wanted, strict=True):
            _check(draft, row, likeliest)
    assert padded > count / 4
    _check_distribution(torch, sampler)


def _draft(rng: random.Random) -> list[int]:
    """Token ids, some of which the model says, and from some place on -1."""
    tokens = [rng.choice([0, 1, 2]) for _ in range(rng.randint(0, DRAFTED_MAX))]
    real = rng.randint(0, len(tokens)) if rng.random() < 0.6 else len(tokens)
    return tokens[:real] + [-1] * (len(tokens) - real)


def _sample(torch: Any, sampler: Any, drafts: list[list[int]], greedy: list[bool]) -> tuple[Any, list[list[int]]]:
    """What is said, and for each draft token what the model says in its place, nearly surely."""
    count = sum(map(len, drafts))
    likeliest = torch.randint(0, 3, (count,))
    logits = torch.full((count, VOCABULARY), -40.0)
    logits[torch.arange(count), likeliest] = 0.0
    said = _call(torch, sampler, drafts, logits, greedy)
    lists, at = [], 0
    for draft in drafts:
        lists.append(likeliest[at : at + len(draft)].tolist())
        at += len(draft)
    return said, lists


def _call(torch: Any, sampler: Any, drafts: list[list[int]], logits: Any, greedy: list[bool]) -> list[list[int]]:
    counts = [len(draft) for draft in drafts]
    metadata = SimpleNamespace(
        all_greedy=all(greedy),
        all_random=not any(greedy),
        temperature=torch.tensor([0.0 if g else 1.0 for g in greedy]),
        generators={},
    )
    said = sampler.rejection_sample(
        torch.tensor([token for draft in drafts for token in draft], dtype=torch.int32),
        counts,
        max(counts),
        torch.tensor(counts).cumsum(0).to(torch.int32),
        None,
        logits,
        torch.full((len(drafts), 1), 49, dtype=torch.int32),
        metadata,
    )
    return [[token for token in row if token != -1] for row in said.tolist()]


def _check(draft: list[int], said: list[int], likeliest: list[int]) -> None:
    at = 0
    while at < len(draft) and draft[at] == likeliest[at]:
        at += 1
    wanted = likeliest[: at + 1] if at < len(draft) else [*draft, 49]
    assert said == wanted, f"drafted {draft}, the model says {likeliest}, said was {said}"


def _check_distribution(torch: Any, sampler: Any) -> None:
    """In the place of padding each token is said as often as the model says it."""
    logits = torch.log(torch.tensor([0.5, 0.3, 0.2] + [1e-30] * (VOCABULARY - 3)))
    rows = 20_000
    said = _call(torch, sampler, [[-1, -1]] * rows, logits.repeat(2 * rows, 1), [False] * rows)
    counts = Counter(row[0] for row in said)
    assert all(len(row) == 1 for row in said)
    for token, probability in enumerate((0.5, 0.3, 0.2)):
        deviation = (rows * probability * (1 - probability)) ** 0.5
        assert abs(counts[token] - rows * probability) < 5 * deviation, counts


if __name__ == "__main__":
    main(int(sys.argv[1]))
