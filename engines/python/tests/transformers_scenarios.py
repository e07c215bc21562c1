"""Generates with a real transformers, plainly and with the door. Run by the engine's own Python.

``python transformers_scenarios.py MODEL PROMPTS.json OUT.json``
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

LENGTH = 80


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
    counts = drafting.door.counts
    said = {"answers": answers, "batch": batch, "sampled": sampled.shape[1], "drafted": counts.drafted}
    Path(out).write_text(json.dumps(said))
    time.sleep(1.5)  # the door's thread tells what ended last


if __name__ == "__main__":
    main(*sys.argv[1:])
