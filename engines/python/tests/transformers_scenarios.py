"""Generates with a real transformers, plainly and with the door. Run by the engine's own Python.

``python transformers_scenarios.py MODEL PROMPTS.json OUT.json``
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LENGTH = 80


Variant = tuple[str, dict[str, Any], dict[str, Any]]


def variants(model: Any, folder: str) -> Iterator[Variant]:
    """What assisted generation refuses or does otherwise: a name, changes to the model's settings, arguments."""
    import torch
    from transformers import (
        GenerationConfig,
        LogitsProcessor,
        LogitsProcessorList,
        PreTrainedTokenizerFast,
        StaticCache,
        StoppingCriteriaList,
    )

    class Turns(LogitsProcessor):  # type: ignore[misc]
        """Favours another token in each call."""

        calls = 0

        def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            scores[:, 5 + self.calls % 7] += 4.0
            return scores

    def allowed(_: int, said: torch.Tensor) -> list[int]:
        return [5 + len(said) % 3, 9, 10, 11]

    def stops(input_ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        return torch.tensor([input_ids.shape[1] % 23 == 0])

    greedy: dict[str, Any] = {"max_new_tokens": LENGTH, "do_sample": False}
    several = {"num_return_sequences": 2, "do_sample": True, "max_new_tokens": 20}
    for name, settings in (
        ("static cache", {**greedy, "cache_implementation": "static"}),
        ("no cache", {**greedy, "use_cache": False}),
        ("two sequences", several),
        ("beams", {**greedy, "num_beams": 2}),
        ("guidance", {**greedy, "guidance_scale": 1.5}),
        ("nothing", greedy),
    ):
        yield f"{name} as arguments", {}, settings
        yield f"{name} in a configuration", {}, {"generation_config": GenerationConfig(**settings)}
        length = {"max_new_tokens": settings["max_new_tokens"]}
        yield f"{name} of the model", {k: v for k, v in settings.items() if k not in length}, length
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(Path(folder) / "tokenizer.json"))
    yield "stop strings", {}, {**greedy, "stop_strings": ["ed", "th"], "tokenizer": tokenizer}
    yield "stopping criteria", {}, {**greedy, "stopping_criteria": StoppingCriteriaList([stops])}
    yield "logits processor", {}, {**greedy, "logits_processor": LogitsProcessorList([Turns()])}
    yield "prefixes", {}, {**greedy, "prefix_allowed_tokens_fn": allowed}
    cache = StaticCache(config=model.config, max_cache_len=512)
    yield "the caller's static cache", {}, {**greedy, "past_key_values": cache}
    type(model)._is_stateful = True
    yield "a stateful model", {}, greedy
    del type(model)._is_stateful


def differs(drafting: Any, ids: Any, config: dict[str, Any], call: dict[str, Any]) -> bool:
    """Whether the drafted call says other tokens than the plain one."""
    import torch

    model = drafting._model
    before = {name: getattr(model.generation_config, name) for name in config}
    said = []
    for generate in (model.generate, drafting.generate):
        torch.manual_seed(1)
        for name, value in config.items():
            setattr(model.generation_config, name, value)
        try:
            said.append(generate(ids, attention_mask=torch.ones_like(ids), **copy.deepcopy(call)).tolist())
        finally:
            for name, value in before.items():
                setattr(model.generation_config, name, value)
    return bool(said[0] != said[1])


def main(name: str, prompts_file: str, out: str) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    from tailrace.transformers import Drafting

    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_pretrained(name, dtype=torch.float32)
    drafting = Drafting(model)
    until = time.monotonic() + 10
    while not drafting.door.attached and time.monotonic() < until:
        drafting.door.step(0, 0, 0, 0)
        time.sleep(0.01)
    answers = []
    for prompt in json.loads(Path(prompts_file).read_text()):
        ids = torch.tensor([prompt])
        given = {"attention_mask": torch.ones_like(ids), "max_new_tokens": LENGTH, "do_sample": False}
        plain = model.generate(ids, **given)[0].tolist()
        drafted = drafting.generate(ids, **given)[0].tolist()
        answers.append([prompt, plain[len(prompt) :], drafted[len(prompt) :]])
    two = torch.tensor([[5, 6, 7], [8, 9, 10]])
    mask = {"attention_mask": torch.ones_like(two)}
    batch = drafting.generate(two, max_new_tokens=4, do_sample=False, **mask).shape[0]
    sampled = drafting.generate(two[:1], max_new_tokens=30, do_sample=True, attention_mask=mask["attention_mask"][:1])
    ids = torch.tensor([answers[0][0]])
    differing = [name for name, config, call in variants(model, name) if differs(drafting, ids, config, call)]
    counts = drafting.door.counts
    said = {"answers": answers, "batch": batch, "sampled": sampled.shape[1], "drafted": counts.drafted}
    said |= {"differing": differing, "left": "_get_candidate_generator" in vars(model)}
    Path(out).write_text(json.dumps(said))
    time.sleep(1.5)  # the door's thread tells what ended last


if __name__ == "__main__":
    main(*sys.argv[1:])
