"""The door of Hugging Face transformers: assisted generation with drafts from the fleet.

>>> from tailrace.transformers import Drafting
>>> drafting = Drafting(model, tokenizer)
>>> model_output = drafting.generate(**inputs, max_new_tokens=200)

``drafting.generate`` is ``model.generate`` with a candidate generator of Tailrace's. transformers verifies the
candidates itself: greedy output is the same, and sampled output has the same distribution. It does so for one sequence
at a time. What assisted generation cannot do as it is asked (:func:`declines`), and a call beside another one on the
same model, is served as without.
"""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import torch
from transformers import DynamicCache
from transformers.generation import CandidateGenerator

from tailrace import protocol
from tailrace.door import Door, Request
from tailrace.protocol import Hello
from tailrace.settings import Settings, find_fingerprint

log = logging.getLogger("tailrace.transformers")

_METHOD = "_get_candidate_generator"  # transformers', which a drafted call replaces on its model
# What assisted generation takes, beside None.
_SETTINGS: dict[str, tuple[Any, ...]] = {
    "assistant_early_exit": (),
    "assistant_ensemble_weight": (),
    "cache_implementation": ("dynamic", "hybrid"),  # transformers takes the second for the first
    "constraints": (),
    "dola_layers": (),
    "force_words_ids": (),
    "guidance_scale": (1,),
    "num_beam_groups": (1,),
    "num_beams": (1,),
    "num_return_sequences": (1,),
    "penalty_alpha": (0,),
    "prefill_chunk_size": (),
    "prompt_lookup_num_tokens": (),
    "speculation_type": (),
    "stop_strings": (),
    "use_cache": (True,),
    "use_mtp": (False,),
    "watermarking_config": (),
}
# Some see each token once, in its order, only where nothing is drafted; others are another way of generating.
_ARGUMENTS = (
    "assistant_model",
    "custom_generate",
    "inputs_embeds",
    "logits_processor",
    "negative_prompt_ids",
    "prefix_allowed_tokens_fn",
    "stopping_criteria",
)


class Candidates(CandidateGenerator):  # type: ignore[misc]
    """Candidates for one sequence. A fault in the door leaves the rest of it without."""

    def __init__(self, door: Door, tokens_max: int, length_max: int, scope: str = "", private: bool = False) -> None:
        self._door = door
        self._tokens_max = tokens_max
        self._length_max = length_max
        self._scope = scope
        self._private = private
        self._tokens: list[int] = []
        self._request: Request | None = None
        self._over = False
        self._drafted = 0
        self._ended_ns = 0

    def get_candidates(self, input_ids: torch.Tensor, **kwargs: Any) -> tuple[torch.Tensor, None]:
        """The sequence so far and the draft after it."""
        del kwargs
        draft: list[int] = []
        try:
            draft = [] if self._over else self._draft(input_ids)
        except Exception:
            self._door.fault()
            self.end([], protocol.ABORTED)
        self._drafted = len(draft)
        self._ended_ns = time.perf_counter_ns()
        if not draft:
            return input_ids, None
        return torch.cat((input_ids, input_ids.new_tensor([draft])), dim=-1), None

    def update_candidate_strategy(self, input_ids: torch.Tensor, scores: Any, num_matches: int) -> None:
        """Nothing: the next call sees what was said."""

    def end(self, sequence: Sequence[int], reason: int) -> None:
        """The sequence is complete, or given up."""
        self._over = True
        request, self._request = self._request, None
        if request is None:
            return
        try:
            self._tokens += sequence[len(self._tokens) :]
            self._door.said(request, self._drafted, 0)
            self._door.end(request, reason)
            self._door.step(0, 0, 0, 0)
        except Exception:
            self._door.fault()

    def _draft(self, input_ids: torch.Tensor) -> list[int]:
        nanos = time.perf_counter_ns() - self._ended_ns
        first = self._request is None
        request = self._request or self._begin(input_ids[0].tolist())
        new: list[int] = input_ids[0, len(self._tokens) :].tolist()
        self._tokens += new
        room = min(self._tokens_max, self._length_max - len(self._tokens) - 1)
        self._door.said(request, self._drafted, max(0, room))
        if first:
            self._door.step(0, 0, 0, self._tokens_max)
        else:
            decoded = len(self._tokens) - request.prompt_tokens > len(new)
            self._door.step(nanos if decoded else 0, 1, 1 + self._drafted, self._tokens_max)
        self._door.wait()
        return request.take()

    def _begin(self, prompt: list[int]) -> Request:
        self._tokens = prompt
        arrived_ms = int(time.time() * 1000)
        request = Request(
            uuid4().hex,
            self._tokens,
            len(prompt),
            arrived_ms=arrived_ms,
            scope=self._scope,
            private=self._private,
        )
        self._door.begin(request)
        self._request = request
        return request


class Drafting:
    """A model whose ``generate`` drafts from the fleet."""

    def __init__(self, model: Any, tokenizer: Any = None, settings: Settings | None = None) -> None:
        self._model = model
        self._settings = settings or Settings.read()
        self.door = Door(self._settings.address, self._hello(tokenizer))
        self._wrapped = getattr(type(model), _METHOD, None) is None
        if self._wrapped:
            log.warning(
                "serving without drafts: %s wraps the model that generates; give that one", type(model).__name__
            )
        else:
            self.door.start()

    def generate(self, inputs: Any = None, **kwargs: Any) -> Any:
        """``model.generate``, with drafts where transformers takes them."""
        ids = inputs if inputs is not None else kwargs.get("input_ids")
        fit = (
            not self._wrapped
            and isinstance(ids, torch.Tensor)
            and ids.shape[0] == 1
            and not declines(self._model, kwargs)
        )
        made: list[Candidates] = []
        ends: set[int] = set()
        thread = threading.get_ident()

        def candidates(**given: Any) -> Any:
            if threading.get_ident() != thread:
                return getattr(type(self._model), _METHOD)(self._model, **given)
            config = given.get("generation_config")  # the call's own, made complete
            ends.update(_ends(config))
            length_max = getattr(config, "max_length", 0)
            adapted = bool(
                getattr(self._model, "_hf_peft_config_loaded", False) or getattr(self._model, "peft_config", None)
            )
            made.append(Candidates(self.door, self._settings.draft_tokens, length_max, self._settings.scope, adapted))
            return made[-1]

        if not fit or vars(self._model).setdefault(_METHOD, candidates) is not candidates:
            return self._model.generate(inputs, **kwargs)
        output = None
        try:
            output = self._model.generate(inputs, **self._assisted(kwargs))
        finally:
            vars(self._model).pop(_METHOD)
            self._end(made, output, ends)
        return output

    def close(self) -> None:
        """Leaves the agent."""
        self.door.stop()

    def _assisted(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments that make it assisted generation."""
        config = copy.deepcopy(kwargs.get("generation_config"))
        if config is None:
            return {**kwargs, "prompt_lookup_num_tokens": self._settings.draft_tokens}
        config.prompt_lookup_num_tokens = self._settings.draft_tokens  # transformers takes one of both, or warns
        return {**kwargs, "generation_config": config}

    def _end(self, made: list[Candidates], output: Any, ends: set[int]) -> None:
        said, reason = [], protocol.ABORTED
        try:
            if output is not None:
                said = (output if isinstance(output, torch.Tensor) else output.sequences)[0].tolist()
                reason = protocol.STOP if said[-1] in ends else protocol.LENGTH
        except Exception:
            self.door.fault()
        for candidates in made:
            candidates.end(said, reason)

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


def _ends(config: Any) -> list[int]:
    """The tokens that end a sequence."""
    ends = getattr(config, "eos_token_id", None)
    return list(ends) if isinstance(ends, list | tuple) else [] if ends is None else [int(ends)]


def declines(model: Any, kwargs: dict[str, Any]) -> bool:
    """Whether a call asks for what assisted generation refuses or does otherwise, or for another assistant."""
    modes = getattr(model, "_supported_generation_modes", None)
    if getattr(model, "_is_stateful", False) or (modes is not None and "assisted_generation" not in modes):
        return True
    if any(kwargs.get(name) is not None for name in _ARGUMENTS):
        return True
    cache = kwargs.get("past_key_values")
    return (cache is not None and type(cache) is not DynamicCache) or any(
        value is not None and value not in taken
        for name, taken in _SETTINGS.items()
        for value in _given(name, model, kwargs)
    )


def _given(name: str, model: Any, kwargs: dict[str, Any]) -> list[Any]:
    """What a call says of a setting: by itself, or else by its configuration and the model's, whichever counts."""
    if name in kwargs:
        return [kwargs[name]]
    return [getattr(config, name, None) for config in (kwargs.get("generation_config"), model.generation_config)]
