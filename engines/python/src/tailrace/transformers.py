"""The door of Hugging Face transformers: assisted generation with drafts from the fleet.

>>> from tailrace.transformers import Drafting
>>> drafting = Drafting(model, tokenizer)
>>> model_output = drafting.generate(**inputs, max_new_tokens=200)

``drafting.generate`` is ``model.generate`` with a candidate generator of Tailrace's. transformers verifies the
candidates itself: greedy output is the same, and sampled output has the same distribution. It does so for one sequence
at a time; a batch, beams, or a call beside another one on the same model is served as without.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import torch
from transformers.generation import CandidateGenerator

from tailrace import protocol
from tailrace.door import Door, Request
from tailrace.protocol import Hello
from tailrace.settings import Settings, find_fingerprint

log = logging.getLogger("tailrace.transformers")


class Candidates(CandidateGenerator):  # type: ignore[misc]
    """Candidates for one sequence."""

    def __init__(self, door: Door, prompt: Sequence[int], tokens_max: int, length_max: int, scope: str = "") -> None:
        self._door = door
        self._tokens = list(prompt)
        self._tokens_max = tokens_max
        self._length_max = length_max
        self._drafted = 0
        self._ended_ns = 0
        self._request = Request(uuid4().hex, self._tokens, len(prompt), arrived_ms=int(time.time() * 1000), scope=scope)
        door.begin(self._request)

    def get_candidates(self, input_ids: torch.Tensor, **kwargs: Any) -> tuple[torch.Tensor, None]:
        """The sequence so far and the draft after it."""
        del kwargs
        draft = self._draft(input_ids)
        self._drafted = len(draft)
        self._ended_ns = time.perf_counter_ns()
        if not draft:
            return input_ids, None
        return torch.cat((input_ids, input_ids.new_tensor([draft])), dim=-1), None

    def update_candidate_strategy(self, input_ids: torch.Tensor, scores: Any, num_matches: int) -> None:
        """Nothing: the next call sees what was said."""

    def end(self, sequence: Sequence[int], reason: int) -> None:
        """The sequence is complete."""
        self._tokens += sequence[len(self._tokens) :]
        self._door.end(self._request, reason)
        self._door.step(0, 0, 0, 0)

    def _draft(self, input_ids: torch.Tensor) -> list[int]:
        nanos = time.perf_counter_ns() - self._ended_ns
        new: list[int] = input_ids[0, len(self._tokens) :].tolist()
        first = not self._ended_ns
        self._tokens += new
        room = min(self._tokens_max, self._length_max - len(self._tokens) - 1)
        self._door.said(self._request, self._drafted, max(0, room))
        if first:
            self._door.step(0, 0, 0, self._tokens_max)
        else:
            decoded = len(self._tokens) - self._request.prompt_tokens > len(new)
            self._door.step(nanos if decoded else 0, 1, 1 + self._drafted, self._tokens_max)
        self._door.wait()
        return self._request.take()


class Drafting:
    """A model whose ``generate`` drafts from the fleet."""

    def __init__(self, model: Any, tokenizer: Any = None, settings: Settings | None = None) -> None:
        self._model = model
        self._settings = settings or Settings.read()
        self._busy = threading.Lock()
        self.door = Door(self._settings.address, self._hello(tokenizer))
        self.door.start()

    def generate(self, inputs: Any = None, **kwargs: Any) -> Any:
        """``model.generate``, with drafts where transformers takes them."""
        ids = inputs if inputs is not None else kwargs.get("input_ids")
        fit = isinstance(ids, torch.Tensor) and ids.shape[0] == 1 and not _declines(kwargs)
        if not fit or not self._busy.acquire(blocking=False):
            return self._model.generate(inputs, **kwargs)
        made: list[Candidates] = []
        original = self._model._get_candidate_generator

        def candidates(**given: Any) -> Candidates:
            made.append(self._candidates(given))
            return made[-1]

        try:
            self._model._get_candidate_generator = candidates
            kwargs["prompt_lookup_num_tokens"] = self._settings.draft_tokens  # makes it assisted generation
            output = self._model.generate(inputs, **kwargs)
            self._end(made, output)
            return output
        finally:
            self._model._get_candidate_generator = original
            self._busy.release()

    def close(self) -> None:
        """Leaves the agent."""
        self.door.stop()

    def _candidates(self, given: dict[str, Any]) -> Candidates:
        prompt = given["input_ids"][0].tolist()
        length_max = given["generation_config"].max_length
        return Candidates(self.door, prompt, self._settings.draft_tokens, length_max, self._settings.scope)

    def _end(self, made: list[Candidates], output: Any) -> None:
        sequence = (output if isinstance(output, torch.Tensor) else output.sequences)[0].tolist()
        ends = self._model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        for candidates in made:
            candidates.end(sequence, protocol.STOP if sequence[-1] in ends else protocol.LENGTH)

    def _hello(self, tokenizer: Any) -> Hello:
        config = self._model.config
        name = self._settings.model or self._model.name_or_path
        fingerprint = self._settings.tokenizer or find_fingerprint(
            getattr(tokenizer, "name_or_path", None) or self._model.name_or_path, None
        )
        return Hello(
            vocabulary=config.get_text_config().vocab_size,
            requests_max=4,
            draft_tokens_max=self._settings.draft_tokens,
            engine=self._settings.engine_name(name, 0),
            model=name,
            revision=self._settings.revision or "main",
            tokenizer=fingerprint,
        )


def _declines(kwargs: dict[str, Any]) -> bool:
    """Whether the call asks for what assisted generation refuses, or for another assistant."""
    return (
        kwargs.get("num_beams", 1) > 1
        or kwargs.get("num_return_sequences", 1) > 1
        or kwargs.get("use_cache", True) is False
        or kwargs.get("cache_implementation") is not None
        or any(
            kwargs.get(name) is not None for name in ("assistant_model", "prompt_lookup_num_tokens", "custom_generate")
        )
    )
