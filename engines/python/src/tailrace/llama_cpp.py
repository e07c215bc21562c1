"""The door of llama-cpp-python: a draft model that asks the fleet.

>>> from llama_cpp import Llama
>>> from tailrace.llama_cpp import TailraceDraft
>>> fingerprint = "sha256:0123456789abcdef0123456789abcdef"
>>> draft = TailraceDraft(vocabulary=32000, model="tiny", tokenizer=fingerprint)
>>> llama = Llama("tiny.gguf", draft_model=draft, logits_all=True)

llama-cpp-python verifies the draft itself. It tells a draft model nothing but the tokens so far, so the door finds out
by itself where a request begins: when what is new is not the last draft's accepted tokens and one of the model's own.
Its end is known when the next one begins, or by ``draft.end()``.

A GGUF file has no tokenizer.json: give the fingerprint of the tokenizer.json that the fleet's other engines of this
model have, here or as ``TAILRACE_TOKENIZER``.
"""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from llama_cpp.llama_speculative import LlamaDraftModel

from tailrace import protocol
from tailrace.door import Door, Request
from tailrace.protocol import Hello
from tailrace.settings import MODEL, TOKENIZER, Settings, SettingsError

_NONE = np.zeros(0, np.intc)


class TailraceDraft(LlamaDraftModel):  # type: ignore[misc]
    """A draft model of one ``Llama``, which runs one request at a time."""

    def __init__(self, vocabulary: int, model: str = "", tokenizer: str = "", settings: Settings | None = None) -> None:
        settings = settings or Settings.read()
        name, fingerprint = model or settings.model, tokenizer or settings.tokenizer
        if not name or not fingerprint:
            raise SettingsError(
                f"a GGUF file has neither name nor tokenizer: give both, or set {MODEL} and {TOKENIZER}"
            )
        self._settings = settings
        self._tokens: list[int] = []
        self._draft: list[int] = []
        self._request: Request | None = None
        self._ended_ns = 0
        self.door = Door(
            settings.address,
            Hello(
                vocabulary,
                4,
                settings.draft_tokens,
                settings.engine_name(name, 0),
                name,
                settings.revision or "main",
                fingerprint,
            ),
        )
        self.door.start()

    def __call__(self, input_ids: npt.NDArray[np.intc], /, **kwargs: Any) -> npt.NDArray[np.intc]:
        """The draft after these tokens; none where the door has a fault."""
        del kwargs
        try:
            return self._propose(input_ids)
        except Exception:
            self.door.fault()
            self.end()
            return _NONE

    def _propose(self, input_ids: npt.NDArray[np.intc]) -> npt.NDArray[np.intc]:
        nanos = time.perf_counter_ns() - self._ended_ns
        new = input_ids[len(self._tokens) :].tolist()
        verified = len(self._draft)
        goes_on = self._goes_on(input_ids, new)
        if goes_on:
            self._tokens += new
        else:
            nanos = verified = 0
            self._begin(input_ids.tolist())
        if self._request is None:
            return _NONE
        self.door.said(self._request, verified, self._settings.draft_tokens)
        self.door.step(nanos, 1, 1 + verified, self._settings.draft_tokens)
        self.door.wait()
        self._draft = self._request.take()
        self._ended_ns = time.perf_counter_ns()
        return np.array(self._draft, np.intc)

    def end(self) -> None:
        """The request has ended. Its last tokens, which no draft followed, are not known."""
        try:
            if self._end():
                self.door.step(0, 0, 0, 0)
        except Exception:
            self.door.fault()

    def close(self) -> None:
        """Leaves the agent."""
        self.door.stop()

    def _end(self) -> bool:
        """Whether a request was running."""
        request, self._request = self._request, None
        self._tokens, self._draft = [], []
        if request is None:
            return False
        self.door.end(request, protocol.OTHER)
        return True

    def _goes_on(self, input_ids: npt.NDArray[np.intc], new: list[int]) -> bool:
        if self._request is None or not new or new[:-1] != self._draft[: len(new) - 1]:
            return False
        return bool(np.array_equal(input_ids[: len(self._tokens)], self._tokens))

    def _begin(self, tokens: list[int]) -> None:
        self._end()  # told with the step of the new one
        if not tokens:
            return
        self._tokens = tokens
        self._request = Request(
            uuid4().hex,
            self._tokens,
            len(tokens) - 1,  # llama-cpp-python asks for the first draft when one token is said
            arrived_ms=int(time.time() * 1000),
            scope=self._settings.scope,
        )
        self.door.begin(self._request)
