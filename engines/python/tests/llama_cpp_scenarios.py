"""Generates with a real llama-cpp-python, plainly and with the door. Run by the engine's own Python.

``python llama_cpp_scenarios.py MODEL PROMPTS.json OUT.json``
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import llama_cpp_model

LENGTH = 80
CONTEXT = 512
FINGERPRINT = "sha256:0123456789abcdef"


def answer(llama: Any, prompt: list[int]) -> list[int]:
    """The greedy answer, token by token."""
    said: list[int] = []
    for token in llama.generate(prompt, temp=0.0):
        said.append(int(token))
        if len(said) == LENGTH:
            break
    return said


def main(name: str, prompts_file: str, out: str) -> None:
    from llama_cpp import Llama

    from tailrace.llama_cpp import TailraceDraft

    model = Path(name)
    vocabulary = json.loads((model / "config.json").read_text())["vocab_size"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tiny.gguf"
        llama_cpp_model.write(model, file)
        given = {"n_ctx": CONTEXT, "n_threads": 1, "logits_all": True, "verbose": False}
        plain = Llama(str(file), **given)
        draft = TailraceDraft(vocabulary, "tiny", FINGERPRINT)
        drafted = Llama(str(file), draft_model=draft, **given)
        until = time.monotonic() + 10
        while not draft.door.attached and time.monotonic() < until:
            draft.door.step(0, 0, 0, 0)
            time.sleep(0.01)
        answers = []
        for prompt in json.loads(Path(prompts_file).read_text()):
            answers.append([prompt, answer(plain, prompt), answer(drafted, prompt)])
        draft.end()
        Path(out).write_text(json.dumps({"answers": answers, "drafted": draft.door.counts.drafted}))
        time.sleep(1.5)  # the door's thread tells what ended last


if __name__ == "__main__":
    main(*sys.argv[1:])
