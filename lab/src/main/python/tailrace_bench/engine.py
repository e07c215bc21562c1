"""The real engine, with the replay model, in this process: serves a block of requests and says what it took."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vllm import EngineArgs, LLMEngine, SamplingParams
from vllm.sampling_params import RequestOutputKind

from tailrace_bench import model
from tailrace_bench.drafters import Drafter, Record

LAG_SECONDS = 0.1  # until an answer is heard elsewhere
BEYOND = 64  # tokens that a request may go on for after its recorded end: no drafter knows the length
SUFFIX_TOKENS = 24  # vLLM's default for suffix decoding
STEP_TOKENS = 4096
MODEL = "replay"  # as the command's loop knows it
FINGERPRINT = "sha256:0123456789abcdef"


@dataclass
class Served:
    """What a block took."""

    nanos: int = 0
    tokens: int = 0
    equal: int = 0
    requests: int = 0
    steps: int = 0  # in which something was said
    plain_steps: int = 0  # of them, those without prompt tokens
    step_tokens: int = 0  # said by requests in steps without prompt tokens
    request_steps: int = 0  # requests in them, summed
    drafted: int = 0  # verified in them
    accepted: int = 0  # of these
    step_nanos: list[int] = field(default_factory=list)  # of steps without prompt tokens
    draft_nanos: list[int] = field(default_factory=list)  # spent drafting, in every step
    tpot_nanos: list[int] = field(default_factory=list)  # of each request


class Engine:
    """vLLM with the replay model. One drafter has its turn at a time."""

    def __init__(self, folder: Path, size: str, vocabulary: int, length: int, batch: int, *, eager: bool) -> None:
        model.register()
        self.precision = model.precision()
        os.environ["TAILRACE_MODEL"] = MODEL
        os.environ["TAILRACE_TOKENIZER"] = FINGERPRINT
        os.environ["TAILRACE_AGENT"] = str(folder / "nobody.sock")  # drafters have agents of their own
        arguments = EngineArgs(
            model=str(model.write(folder, size, vocabulary, length)),
            skip_tokenizer_init=True,
            load_format="dummy",
            dtype=self.precision,
            max_model_len=length,
            max_num_seqs=batch,
            max_num_batched_tokens=max(STEP_TOKENS, length),
            enable_prefix_caching=False,
            enforce_eager=eager,
            disable_log_stats=True,
            scheduler_cls="tailrace.vllm.TailraceScheduler",
            speculative_config={
                "method": "custom_class",
                "model": "tailrace.vllm.NoDrafts",
                "num_speculative_tokens": SUFFIX_TOKENS,
            },
        )
        self._engine = LLMEngine.from_engine_args(arguments)
        core = self._engine.engine_core.engine_core
        self.scheduler = core.scheduler
        self.runner = core.model_executor.driver_worker.worker.model_runner
        if self.scheduler._tailrace is not None:
            self.scheduler._tailrace.stop()
            self.scheduler._tailrace = None
        self.scheduler._proposes_nothing = False  # drafters take turns in its proposer's place
        model.RECORDED.batch = self.runner.input_batch
        self._served = Served()
        self._drafter = Drafter("none")
        self._lap = 0
        self._paused = 0  # of the block under way
        self._firsts: dict[str, tuple[int, int]] = {}
        self._numbers = 0
        self._update = self.scheduler.update_from_output
        self.scheduler.update_from_output = self._after_step

    @property
    def config(self) -> Any:
        """vLLM's configuration."""
        return self.scheduler.vllm_config

    def serve(
        self, drafter: Drafter, records: Sequence[Record], elsewhere: Callable[[list[int]], None] | None = None
    ) -> Served:
        """Serves requests, all handed over at once, with one drafter.

        `elsewhere`, if given, makes known what other replicas have answered: it is told the places of requests that
        ended :data:`LAG_SECONDS` ago, and of the rest when all have ended. No clock runs meanwhile, since a fleet's
        loop has machines of its own.
        """
        names = [self._add(record) for record in records]
        self._drafter, self._served = drafter, Served(requests=len(records))
        drafter.install(self.runner, self.scheduler)
        drafter.nanos = 0
        door = self.scheduler._tailrace
        answers: dict[str, list[int]] = {name: [] for name in names}
        self._paused = 0
        ended: list[tuple[int, int]] = []  # when, without pauses, and its place
        started = self._lap = self._clock()
        while self._engine.has_unfinished_requests():
            for output in self._engine.step():
                answers[output.request_id].extend(output.outputs[0].token_ids)
                if output.finished:
                    ended.append((self._clock(), names.index(output.request_id)))
            known = self._clock() - int(LAG_SECONDS * 1e9)
            if elsewhere is not None and ended and ended[0][0] <= known:
                self._pause(elsewhere, [place for at, place in ended if at <= known])
                ended = [each for each in ended if each[0] > known]
        served = self._served
        served.nanos = self._clock() - started
        if elsewhere is not None and ended:
            elsewhere([place for _, place in ended])
        if self.scheduler._tailrace is not door:
            raise RuntimeError(f"{drafter.name}: the door has closed; see the log")
        self.scheduler._tailrace = None
        drafter.settle()
        for name, record in zip(names, records, strict=True):
            served.tokens += len(answers[name])
            served.equal += answers[name] == record.response
            del model.RECORDED.sequences[name]
        return served

    def _clock(self) -> int:
        return time.perf_counter_ns() - self._paused

    def _pause(self, elsewhere: Callable[[list[int]], None], places: list[int]) -> None:
        began = time.perf_counter_ns()
        elsewhere(places)
        paused = time.perf_counter_ns() - began
        self._paused += paused
        if self.scheduler._tailrace is not None:
            self.scheduler._tailrace._lap_ns += paused

    def _add(self, record: Record) -> str:
        self._numbers += 1
        name = f"r{self._numbers}"
        end = record.response[-1]
        stops = [end] if end not in record.response[:-1] else []
        model.RECORDED.sequences[name] = record.prompt + record.response
        self._engine.add_request(
            name,
            {"prompt_token_ids": record.prompt},
            SamplingParams(
                temperature=0.0,
                max_tokens=len(record.response) + (BEYOND if stops else 0),
                ignore_eos=True,
                stop_token_ids=stops,
                detokenize=False,
                output_kind=RequestOutputKind.DELTA,
            ),
        )
        return name

    def _after_step(self, step: Any, output: Any) -> Any:
        served, drafter = self._served, self._drafter
        before = {i: self.scheduler.requests[i].num_output_tokens for i in step.num_scheduled_tokens}
        requests = [self.scheduler.requests[i] for i in before]
        result = self._update(step, output)
        now = self._clock()
        said = sum(r.num_output_tokens - before[r.request_id] for r in requests)
        drafted = sum(map(len, step.scheduled_spec_decode_tokens.values()))
        served.steps += 1
        if step.total_num_scheduled_tokens == len(requests) + drafted and len(requests) and not step.scheduled_new_reqs:
            served.plain_steps += 1
            served.step_tokens += said
            served.request_steps += len(requests)
            served.drafted += drafted
            served.accepted += said - len(requests)
            served.step_nanos.append(now - self._lap)
        self._lap = now
        served.draft_nanos.append(drafter.nanos)
        drafter.nanos = 0
        for request in requests:
            self._tokens_said(request, before[request.request_id], now)
        return result

    def _tokens_said(self, request: Any, before: int, now: int) -> None:
        count = request.num_output_tokens
        if before == 0 and count:
            self._firsts[request.request_id] = (now, count)
        if request.is_finished():
            at, first = self._firsts.pop(request.request_id, (now, count))
            if count > first:
                self._served.tpot_nanos.append((now - at) // (count - first))
