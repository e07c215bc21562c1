"""The drafters that take turns in one engine.

Each is the engine's own: n-gram and suffix decoding are vLLM's proposers, called by vLLM's runner with vLLM's
arguments; Tailrace is its door, called by its scheduler. A turn puts one in place and takes it out again.
"""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from tailrace.agent import Address
from tailrace.door import Door
from tailrace.settings import Settings
from tailrace.vllm import EngineDoor, _hello

from tailrace_bench.recorded import Recorded, serve

NGRAM_TOKENS = 5  # as in vLLM's documentation
NGRAM_LOOKUP = 4
WAIT_SECONDS = 60.0
BEFORE_BATCH = 16
WARM_STEPS = 3_000  # that warm an agent up
WARM_SECONDS = 0.002  # of each


@dataclasses.dataclass(frozen=True)
class Record:
    """A recorded request."""

    workload: str
    prompt: list[int]
    response: list[int]


class Drafter:
    """One way of drafting, in an engine that runs. This one proposes nothing."""

    shares = False  # whether it learns what is answered elsewhere

    def __init__(self, name: str) -> None:
        self.name = name
        self.nanos = 0  # in the step under way

    def fresh(self, scope: str) -> None:
        """Forgets all: another pass begins."""

    def learn(self, records: Sequence[Record]) -> None:
        """Knows answers that were given before."""

    def install(self, runner: Any, scheduler: Any) -> None:
        """Its turn begins."""
        runner.drafter = self
        scheduler._tailrace = None

    def settle(self) -> None:
        """Its turn is over."""

    def late(self) -> int:
        """Drafts that came too late since it began."""
        return 0

    def propose(self, sampled_token_ids: list[list[int]], *args: Any, **kwargs: Any) -> list[list[int]]:
        """Called by the runner after each step."""
        return [[] for _ in sampled_token_ids]

    def load_model(self, *args: Any, **kwargs: Any) -> None:
        """There is no model."""


class Ngram(Drafter):
    """vLLM's n-gram proposer."""

    def __init__(self, name: str, config: Any) -> None:
        super().__init__(name)
        from vllm.v1.spec_decode.ngram_proposer import NgramProposer

        config = copy.copy(config)
        config.speculative_config = copy.copy(config.speculative_config)
        config.speculative_config.num_speculative_tokens = NGRAM_TOKENS
        config.speculative_config.prompt_lookup_min = NGRAM_LOOKUP
        config.speculative_config.prompt_lookup_max = NGRAM_LOOKUP
        self._proposer = NgramProposer(config)

    def propose(self, sampled_token_ids: list[list[int]], *args: Any, **kwargs: Any) -> list[list[int]]:
        """As the runner calls it for the method `ngram`."""
        started = time.perf_counter_ns()
        drafts = self._proposer.propose(NGRAM_TOKENS, sampled_token_ids, *args, **kwargs)
        self.nanos += time.perf_counter_ns() - started
        return drafts  # type: ignore[no-any-return]


class Suffix(Drafter):
    """vLLM's suffix decoding, with vLLM's defaults."""

    def __init__(self, name: str, config: Any) -> None:
        super().__init__(name)
        self._config = config
        self._batch: Any = None
        self._proposer: Any = None

    def fresh(self, scope: str) -> None:
        """Another cache."""
        from vllm.v1.spec_decode.suffix_decoding import SuffixDecodingProposer

        self._proposer = SuffixDecodingProposer(self._config)

    def learn(self, records: Sequence[Record]) -> None:
        """As if they had been served."""
        cache = self._proposer.suffix_cache
        for number, record in enumerate(records):
            name = f"before-{number}"
            cache.start_request(name, np.asarray(record.prompt, np.int32))
            cache.add_active_response(name, record.response)
            cache.stop_request(name)

    def install(self, runner: Any, scheduler: Any) -> None:
        """Its turn begins."""
        super().install(runner, scheduler)
        self._batch = runner.input_batch

    def propose(self, sampled_token_ids: list[list[int]], *args: Any, **kwargs: Any) -> list[list[int]]:
        """As the runner calls it for the method `suffix`."""
        started = time.perf_counter_ns()
        drafts = self._proposer.propose(self._proposer.num_speculative_tokens, self._batch, sampled_token_ids)
        self.nanos += time.perf_counter_ns() - started
        return drafts  # type: ignore[no-any-return]


class Tailrace(Drafter):
    """Tailrace's door, and an agent at its other end."""

    shares = True

    def __init__(self, name: str, scheduler: Any, agent: str, draft_tokens: int) -> None:
        super().__init__(name)
        self._draft_tokens = draft_tokens
        self._batch = scheduler.vllm_config.scheduler_config.max_num_seqs
        self._warm = False
        settings = dataclasses.replace(Settings.read(), address=Address.parse(agent))
        hello = dataclasses.replace(
            _hello(scheduler.vllm_config, settings),
            draft_tokens_max=draft_tokens,
            requests_max=2 * max(BEFORE_BATCH, self._batch),
        )
        self._hello = hello
        self._door = _TimedDoor(self, scheduler, settings, hello)
        self._door.start()
        self._wait("attached", lambda: self._door._door.attached or self._tick())

    def fresh(self, scope: str) -> None:
        """Another scope: nothing was answered in it."""
        self._door._settings = dataclasses.replace(self._door._settings, scope=scope)

    def learn(self, records: Sequence[Record]) -> None:
        """Serves them, with what is recorded for a model; the agent is told no step's time."""
        if not self._warm:
            self._warm_up(records)
        door, scope = self._door._door, self._door._settings.scope
        deadline, door.deadline_seconds = door.deadline_seconds, WAIT_SECONDS
        before = [Recorded(f"before-{n}", r.prompt, r.response, scope) for n, r in enumerate(records)]
        for _ in serve(door, before, BEFORE_BATCH, self._draft_tokens):
            pass
        door.deadline_seconds = deadline
        self.settle()

    def _warm_up(self, records: Sequence[Record]) -> None:
        """Serves them once as another engine whose steps are told, in a scope of its own: compiles the agent's code."""
        door = Door(self._door._settings.address, dataclasses.replace(self._hello, engine=f"{self._hello.engine}-warm"))
        door.start()
        self._wait("attached to warm up", lambda: door.attached or door.step(0, 0, 0, 0))
        warm = [Recorded(f"warm-{n}", r.prompt, r.response, "warm") for n, r in enumerate(records)]
        for _ in zip(range(WARM_STEPS), serve(door, warm, self._batch, self._draft_tokens, WARM_SECONDS), strict=False):
            pass
        door.stop()
        self._warm = True

    def install(self, runner: Any, scheduler: Any) -> None:
        """Its turn begins."""
        super().install(runner, scheduler)
        scheduler._tailrace = self._door

    def settle(self) -> None:
        """Tells the agent what has ended."""
        door = self._door._door
        self._wait("told", lambda: (not door._untold and not door._awaiting) or self._tick())

    def stop(self) -> None:
        """Leaves the agent."""
        self._door.stop()

    def _tick(self) -> bool:
        self._door._door._active_at = 0.0
        self._door._door._tick()
        return False

    def late(self) -> int:
        """Drafts that the door has waited for in vain."""
        return self._door._door.counts.late

    def _wait(self, what: str, done: Any) -> None:
        until = time.monotonic() + WAIT_SECONDS
        while not done():
            if time.monotonic() > until:
                raise RuntimeError(f"{self.name}: not {what} within {WAIT_SECONDS:.0f} s; is its agent there?")
            time.sleep(0.0005)


class _TimedDoor(EngineDoor):
    """vLLM's door, with the time that the engine spends in it."""

    def __init__(self, drafter: Drafter, *args: Any) -> None:
        super().__init__(*args)
        self._drafter = drafter

    def scheduled(self, step: Any) -> None:
        started = time.perf_counter_ns()
        super().scheduled(step)
        self._drafter.nanos += time.perf_counter_ns() - started

    def before_bookkeeping(self, step: Any, output: Any) -> None:
        started = time.perf_counter_ns()
        super().before_bookkeeping(step, output)
        self._drafter.nanos += time.perf_counter_ns() - started

    def after_bookkeeping(self, step: Any) -> None:
        started = time.perf_counter_ns()
        super().after_bookkeeping(step)
        self._drafter.nanos += time.perf_counter_ns() - started

    def drafts(self, request_ids: Any) -> list[list[int]]:
        started = time.perf_counter_ns()
        drafts = super().drafts(request_ids)
        self._drafter.nanos += time.perf_counter_ns() - started
        return drafts
