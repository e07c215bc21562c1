"""The door of vLLM: a scheduler that drafts from the fleet.

Start vLLM with ``--scheduler-cls tailrace.vllm.TailraceScheduler``. The plug-in in :mod:`tailrace.plugin` adds the
speculative method that makes vLLM verify: a *custom class* whose proposer, :class:`NoDrafts`, proposes nothing. The
drafts come by another way, through the scheduler, which knows requests, prompts and answers by their ids. Tensor
parallel ranks share one scheduler; with ``external_launcher`` each has its own, and Tailrace steps aside.

=========================== ==========================================================================================
vLLM calls                  the door
=========================== ==========================================================================================
``schedule``                tells the agent of requests whose prompts this step reads, so that it reads them meanwhile
``update_from_output``      before vLLM's own work: tells the agent what was said and asks for drafts; after it: notes
                            which requests ended
``update_draft_token_ids``  reads the drafts, within the deadline, and hands them to vLLM's own method, which checks
                            them against the request's grammar
``finish_requests``         notes which requests were aborted
=========================== ==========================================================================================

vLLM's own results leave these methods as they came. A fault in the door is logged once and ends it for the engine's
life; vLLM then serves as without.

Requests with LoRA, multimodal inputs or a cache salt, those that say ``"store": false`` to the middleware, and sessions
whose input is streamed, are drafted for from their own context only, and neither remembered nor reported. Pooling,
prompts given as embeddings, and requests for a single token, such as those of beam search, are neither drafted for nor
reported.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any
from uuid import uuid4

from vllm.v1.core.sched.scheduler import Scheduler
from vllm.v1.outputs import DraftTokenIds
from vllm.v1.request import RequestStatus

from tailrace import names, protocol, vllm_cpu
from tailrace import scope as scopes
from tailrace.door import Door, Request
from tailrace.plugin import PROPOSER, proposes_nothing, why_not_these_ranks
from tailrace.protocol import Hello
from tailrace.settings import Settings, find_fingerprint

log = logging.getLogger("tailrace.vllm")

SWEEP_STEPS = 4_096
# vLLM profiles its memory with one draft token a request: so many rows of logits for each. What it leaves free has room
# for more of them: a row takes so many bytes for each token of the vocabulary.
PROFILED_ROWS = 2
ROW_BYTES = 16
SPARE_BYTES = 1 << 29
NO_TAIL = "VLLM_DISABLE_REQUEST_ID_RANDOMIZATION"
_PREEMPTED = RequestStatus.PREEMPTED
_RUNNING = RequestStatus.RUNNING
_ABORTED = RequestStatus.FINISHED_ABORTED
_REASONS = {
    RequestStatus.FINISHED_STOPPED: protocol.STOP,
    RequestStatus.FINISHED_LENGTH_CAPPED: protocol.LENGTH,
    RequestStatus.FINISHED_ABORTED: protocol.ABORTED,
}


class NoDrafts:
    """The proposer of the speculative method: proposes nothing, since the scheduler brings the drafts."""

    def __init__(self, vllm_config: Any) -> None:
        del vllm_config
        try:
            vllm_cpu.mend()
        except Exception:  # nor does the scheduler draft then, since the table has the names that this needs
            log.warning("faults of this vLLM on the CPU cannot be mended", exc_info=True)

    def load_model(self, *args: Any, **kwargs: Any) -> None:
        """There is no model."""

    def propose(self, sampled_token_ids: list[list[int]], *args: Any, **kwargs: Any) -> list[list[int]]:
        """No draft for any request."""
        return [[] for _ in sampled_token_ids]


class TailraceScheduler(Scheduler):  # type: ignore[misc]
    """vLLM's scheduler, and what the door adds around four of its methods."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tailrace = attach(self)
        self._proposes_nothing = proposes_nothing(getattr(self.vllm_config, "speculative_config", None))

    def schedule(self, *args: Any, **kwargs: Any) -> Any:
        """Tells the agent of new requests."""
        step = super().schedule(*args, **kwargs)
        door = self._tailrace
        if door is not None and step.scheduled_new_reqs:
            try:
                door.scheduled(step)
            except Exception:
                door.give_up()
                self._tailrace = None
        return step

    def update_from_output(self, scheduler_output: Any, model_runner_output: Any) -> Any:
        """Tells the agent what this step said, as soon as it is known."""
        door = self._tailrace
        if door is None:
            return super().update_from_output(scheduler_output, model_runner_output)
        try:
            door.before_bookkeeping(scheduler_output, model_runner_output)
        except Exception:
            door.give_up()
            self._tailrace = door = None
        outputs = super().update_from_output(scheduler_output, model_runner_output)
        if door is not None:
            try:
                door.after_bookkeeping(scheduler_output)
            except Exception:
                door.give_up()
                self._tailrace = None
        return outputs

    def update_draft_token_ids(self, draft_token_ids: Any) -> None:
        """Gives the agent's drafts to the requests of the next step.

        Near a model's full length vLLM drafts zeros for the whole batch, whatever the proposer says. Where the drafts
        are the door's to bring, they never reach a request, also without a door.
        """
        door = self._tailrace
        drafts: list[list[int]] | None = None
        if door is not None:
            try:
                drafts = door.drafts(draft_token_ids.req_ids)
            except Exception:
                door.give_up()
                self._tailrace = None
        if drafts is None and self._proposes_nothing:
            drafts = [[] for _ in draft_token_ids.req_ids]
        if drafts is not None:
            draft_token_ids = DraftTokenIds(draft_token_ids.req_ids, drafts)
        super().update_draft_token_ids(draft_token_ids)

    def finish_requests(self, request_ids: Any, finished_status: Any) -> Any:
        """Notes which requests were aborted."""
        finished = super().finish_requests(request_ids, finished_status)
        door = self._tailrace
        if door is not None:
            try:
                door.finished(finished)
            except Exception:
                door.give_up()
                self._tailrace = None
        return finished

    def shutdown(self) -> None:
        """Leaves the agent."""
        if self._tailrace is not None:
            self._tailrace.stop()
        super().shutdown()


class _Entry:
    """A request of vLLM's and what the agent is told of it. vLLM forgets its object when it ends; the door does not."""

    __slots__ = ("ours", "prompt_tokens", "request", "seen", "turn")

    def __init__(self, request: Any) -> None:
        self.request = request
        self.prompt_tokens = request.num_prompt_tokens
        self.seen = self.prompt_tokens  # tokens, with the prompt, that the door has noticed
        self.turn = 0
        self.ours: Request | None = None  # None: its session has gone on, and says nothing yet


class EngineDoor:
    """Turns what the scheduler knows into calls of the door that all engines share."""

    def __init__(self, scheduler: Any, settings: Settings, hello: Hello) -> None:
        self._scheduler = scheduler
        self._settings = settings
        self._door = Door(settings.address, hello)
        self._draft_tokens_max = hello.draft_tokens_max
        self._length_max: int = scheduler.max_model_len
        self._tokens_max: int = scheduler.max_num_scheduled_tokens
        self._requests_max: int = scheduler.vllm_config.scheduler_config.max_num_seqs
        self._rows_max: int = PROFILED_ROWS * self._requests_max + SPARE_BYTES // (ROW_BYTES * hello.vocabulary)
        self._longest = self._draft_tokens_max  # draft of a request in the coming step
        self._known: dict[str, _Entry] = {}
        # vLLM makes its ids unique by a random tail. Where that is off, two engines or two starts would say the same.
        self._tail = f"-{uuid4().hex[:8]}" if os.environ.get(NO_TAIL, "0") != "0" else ""
        self._steps = 0
        self._busy = False
        self._told = False
        self._no_prompts = False
        self._measured_ns = 0
        self._lap_ns = 0
        self._ours_ns = 0

    def start(self) -> None:
        """Begins to attach."""
        self._door.start()

    def stop(self) -> None:
        """Leaves the agent."""
        self._door.stop()

    def give_up(self) -> None:
        """Logs the fault at hand and ends the door."""
        log.exception("serving without drafts from now on: a fault in Tailrace's door; answers are not affected")
        self._door.stop(0.0)

    def scheduled(self, step: Any) -> None:
        """Before the model runs: new requests, which may end in this step, and then vLLM forgets them."""
        started = time.perf_counter_ns()
        for new in step.scheduled_new_reqs:
            request = self._scheduler.requests.get(new.req_id)
            if request is not None and new.req_id not in self._known and _drafted(request):
                self._known[new.req_id] = entry = _Entry(request)
                entry.ours = self._ours(entry)
                self._door.begin(entry.ours)
        self._door.begin_early()
        self._ours_ns += time.perf_counter_ns() - started

    def before_bookkeeping(self, step: Any, output: Any) -> None:
        """Before vLLM's own work: tells the agent at once what was said, if it is sure by what is known here."""
        now = time.perf_counter_ns()
        engine_ns = now - self._lap_ns - self._ours_ns
        self._lap_ns = now
        scheduled, drafts = step.num_scheduled_tokens, step.scheduled_spec_decode_tokens
        self._no_prompts = step.total_num_scheduled_tokens == len(scheduled) + sum(map(len, drafts.values()))
        self._measured_ns = engine_ns if self._busy and self._no_prompts and scheduled else 0
        self._longest = self._longest_draft()
        foreseen = self._foresee(scheduled, output)
        for entry, held, room in foreseen:
            request = entry.request
            verified = _verified(drafts.get(request.request_id))
            self._said(entry, request.num_tokens + len(held), verified, room, held)
        self._told = bool(foreseen)
        if foreseen:
            self._tell(step)
        self._ours_ns = time.perf_counter_ns() - now

    def after_bookkeeping(self, step: Any) -> None:
        """After vLLM's own work: says what was not told before it, and who has ended."""
        started = time.perf_counter_ns()
        for request_id in step.num_scheduled_tokens:
            entry = self._known.get(request_id)
            if entry is not None:
                self._note(request_id, entry, _verified(step.scheduled_spec_decode_tokens.get(request_id)))
        if not self._told:
            self._tell(step)
        self._busy = bool(self._scheduler.running)
        self._steps += 1
        if self._steps % SWEEP_STEPS == 0:
            self.finished([entry.request for entry in self._known.values() if entry.request.is_finished()])
        self._ours_ns += time.perf_counter_ns() - started

    def _foresee(self, scheduled: Iterable[str], output: Any) -> list[tuple[_Entry, list[int], int]]:
        """What each request of this step has said, and its room; nothing unless that is sure and one goes on."""
        if not output.sampled_token_ids or _lost_prompts(output.kv_connector_output):
            return []
        foreseen = []
        goes_on = False
        for request_id in scheduled:
            entry = self._known.get(request_id)
            said = output.sampled_token_ids[output.req_id_to_index[request_id]]
            if entry is None or not said:
                continue
            request = entry.request
            if not _is_plain(request) or request.num_prompt_tokens != entry.prompt_tokens:
                return []
            left = self._left(request)
            held, ends = _until_stop(said, request.sampling_params, left)
            goes_on = goes_on or not ends
            foreseen.append((entry, held, 0 if ends else self._room(request, len(held))))
        return foreseen if goes_on else []

    def _tell(self, step: Any) -> None:
        rows: int = step.total_num_scheduled_tokens
        self._door.step(self._measured_ns, len(step.num_scheduled_tokens), rows, self._free())

    def drafts(self, request_ids: Iterable[str]) -> list[list[int]]:
        """The drafts for the next step, one list for each request; empty where there is none."""
        started = time.perf_counter_ns()
        self._door.wait()
        lists = []
        for request_id in request_ids:
            entry = self._known.get(request_id)
            lists.append(entry.ours.take() if entry is not None and entry.ours is not None else [])
        self._ours_ns += time.perf_counter_ns() - started
        return lists

    def finished(self, requests: Iterable[Any]) -> None:
        """Requests that ended by another way than by what they said."""
        for request in requests:
            entry = self._known.get(request.request_id)
            if entry is not None:
                self._end(request.request_id, entry)

    def _note(self, request_id: str, entry: _Entry, verified: int) -> None:
        request = entry.request
        if request.num_prompt_tokens != entry.prompt_tokens:
            self._turn(entry)
        tokens: int = request.num_tokens
        if tokens > entry.seen:
            room = self._room(request, 0) if request.status == _RUNNING else 0
            self._said(entry, tokens, verified, room, ())
        elif entry.ours is not None:
            self._door.shown(entry.ours)
            entry.seen = tokens
        if request.is_finished():
            self._end(request_id, entry)
        elif request.resumable and request.status not in (_RUNNING, _PREEMPTED):
            self._turn(entry)  # a session that waits for input leaves its place at the agent to others

    def _said(self, entry: _Entry, tokens: int, verified: int, room: int, ahead: Sequence[int]) -> None:
        entry.seen = tokens
        if entry.ours is None:
            entry.ours = self._ours(entry)
            self._door.begin(entry.ours)
        self._door.said(entry.ours, verified, room, ahead)

    def _left(self, request: Any) -> int:
        """Tokens until the request has its full length."""
        left: int = min(request.max_tokens - request.num_output_tokens, self._length_max - request.num_tokens)
        return left

    def _room(self, request: Any, ahead: int) -> int:
        """Draft tokens that could be said after so many that vLLM does not show yet: the model's own comes after them.

        vLLM keeps stop tokens from the row after a draft by what was said before the draft, so no draft reaches
        `min_tokens`. And it ends thinking that has its budget without a look at where the draft has ended it.
        """
        parameters = request.sampling_params
        if parameters.thinking_token_budget is not None:
            return 0
        room = min(self._longest, self._left(request) - ahead - 1)
        missing: int = parameters.min_tokens - request.num_output_tokens - ahead
        return max(0, min(room, missing - 1) if missing > 0 else room)

    def _longest_draft(self) -> int:
        """The longest draft of the coming step. Where one asks for logprobs, all take as many rows as the longest."""
        running = self._scheduler.running
        # Those that vLLM has put off, by the names of 0.31 and later and of 0.30, come first.
        first = getattr(self._scheduler, "kv_holding_waiting", getattr(self._scheduler, "skipped_waiting", ()))
        waiting = chain(first, self._scheduler.waiting)
        coming = list(islice(waiting, max(0, self._requests_max - len(running))))
        if any(r.sampling_params and r.sampling_params.logprobs is not None for r in chain(running, coming)):
            return max(0, min(self._draft_tokens_max, self._rows_max // (len(running) + len(coming)) - 1))
        return self._draft_tokens_max

    def _free(self) -> int:
        """Draft tokens that the coming step has room for. Half of it is left to prompts where there are any."""
        running = len(self._scheduler.running)
        free = self._tokens_max - running
        if not self._no_prompts or len(self._scheduler.waiting):
            free //= 2
        coming = min(self._requests_max, running + len(self._scheduler.waiting))
        return max(0, min(free, self._rows_max - coming))

    def _end(self, request_id: str, entry: _Entry) -> None:
        del self._known[request_id]
        if entry.ours is not None:
            request = entry.request
            reason = _REASONS.get(request.status, protocol.OTHER)
            if reason == protocol.ABORTED and request.sampling_params.stop:
                reason = protocol.OTHER  # the front end aborts a request whose text has a stop string
            self._door.end(entry.ours, reason)

    def _turn(self, entry: _Entry) -> None:
        """A session waits for input, or has it, and what was said becomes its prompt. Another request begins then."""
        if entry.ours is not None:
            entry.ours.tokens = ()
            self._door.end(entry.ours, protocol.OTHER)
            entry.ours = None
            entry.turn += 1
        entry.prompt_tokens = entry.seen = entry.request.num_prompt_tokens

    def _ours(self, entry: _Entry) -> Request:
        request = entry.request
        scope, named = self._scope(request)
        return Request(
            request.request_id + self._tail + (f"+{entry.turn}" if entry.turn else ""),
            request.all_token_ids,
            entry.prompt_tokens,
            arrived_ms=int(request.arrival_time * 1000),
            temperature=float(request.sampling_params.temperature),
            scope=scope,
            private=not named or _is_private(request),
        )

    def _scope(self, request: Any) -> tuple[str, bool]:
        """The request's scope, and whether it is known: where a header bears it, one without is nobody's.

        So is a request that has a scope where no header is known: this process lacks what the middleware's has.
        """
        if not self._settings.scope_header:
            return self._settings.scope, scopes.KEY not in (request.sampling_params.extra_args or {})
        if request.mm_features:  # forms reach these, and the middleware reads no forms
            return self._settings.scope, False
        scope = scopes.named(request.sampling_params.extra_args, self._settings.scope_secret)
        return scope or self._settings.scope, bool(scope)


def _until_stop(said: list[int], parameters: Any, left: int) -> tuple[list[int], bool]:
    """What of the sampled tokens is said, and whether the request ends with it: as vLLM's own `check_stop` will say."""
    stops = parameters.stop_token_ids or ()
    for count, token in enumerate(said, 1):
        if token == parameters.eos_token_id or token in stops or count == left:
            return said[:count], True
    return said[:], False  # vLLM trims its list


def _lost_prompts(connector: Any) -> bool:
    """Whether a connector of key and value caches has lost what requests of this step were to go on from."""
    return connector is not None and bool(connector.failed_recving or connector.invalid_block_ids)


def _is_plain(request: Any) -> bool:
    """Whether what ends the request can be foreseen."""
    plain: bool = request.status == _RUNNING and not request.resumable
    return plain and request.sampling_params.repetition_detection is None


def _verified(draft: list[int] | None) -> int:
    """How many draft tokens were verified. vLLM fills up resumed requests with -1, which are no draft."""
    return len(draft) if draft and draft[0] >= 0 else 0


def _drafted(request: Any) -> bool:
    """Not those for a single token, either: beam search and scoring make one of each step, with the whole prompt."""
    plain = request.pooling_params is None and request.prompt_embeds is None and request.prompt_token_ids is not None
    return plain and (request.max_tokens > 1 or request.resumable)


def _is_private(request: Any) -> bool:
    unfit = request.lora_request or request.mm_features or request.cache_salt or request.resumable
    return bool(unfit or (request.sampling_params.extra_args or {}).get(scopes.PRIVATE))


def attach(scheduler: Any) -> EngineDoor | None:
    """The door of a scheduler; None, with the reason in the log, where it cannot draft. Never raises."""
    try:
        _log_like_vllm()
        verdict = names.verdict(names.version())
        why = verdict.why_not or _unfit(scheduler)
        if why:
            log.warning("serving without drafts: %s", why)
            return None
        if not verdict.known:
            log.warning(
                "vLLM %s is none of the versions %s to %s whose sources were looked at; its names are as expected, so "
                "Tailrace drafts",
                verdict.version,
                names.VERSIONS[0],
                names.VERSIONS[-1],
            )
        settings = Settings.read()
        hello = _hello(scheduler.vllm_config, settings)
        door = EngineDoor(scheduler, settings, hello)
        log.info(
            "drafting for %s@%s, tokenizer %s, as engine %s, at most %d tokens; agent at %s",
            hello.model,
            hello.revision,
            hello.tokenizer,
            hello.engine,
            hello.draft_tokens_max,
            settings.address,
        )
        door.start()
        return door
    except Exception as e:
        log.warning("serving without drafts: %s", e, exc_info=not isinstance(e, ValueError))
        return None


def _unfit(scheduler: Any) -> str:
    config = scheduler.vllm_config
    speculative = config.speculative_config
    if speculative is None:
        return "no speculative method is configured; is the plug-in off by VLLM_PLUGINS? It needs the name tailrace"
    if not proposes_nothing(speculative):
        return f"the speculative method is {speculative.method} with {speculative.model}, not {PROPOSER}"
    if config.scheduler_config.async_scheduling:
        return "scheduling is asynchronous; remove --async-scheduling"
    return why_not_these_ranks(config.parallel_config)


def _hello(config: Any, settings: Settings) -> Hello:
    model_config = config.model_config
    served = model_config.served_model_name
    model = settings.model or (served if isinstance(served, str) else model_config.model)
    tokenizer = settings.tokenizer or find_fingerprint(model_config.tokenizer, model_config.tokenizer_revision)
    tokens = config.speculative_config.num_speculative_tokens
    return Hello(
        vocabulary=model_config.get_vocab_size(),
        # Preempted requests are known to the agent, too.
        requests_max=min(protocol.REQUESTS_MAX, 2 * config.scheduler_config.max_num_seqs),
        draft_tokens_max=min(protocol.DRAFT_TOKENS_MAX, tokens),
        engine=settings.engine_name(model, config.parallel_config.data_parallel_index),
        model=model,
        revision=settings.revision or model_config.revision or "main",
        tokenizer=tokenizer,
    )


def _log_like_vllm() -> None:
    """Lets Tailrace's log lines leave as vLLM's do, unless the user has set up logging for them."""
    ours, theirs = logging.getLogger("tailrace"), logging.getLogger("vllm")
    if not ours.handlers and not logging.getLogger().handlers:
        ours.handlers = list(theirs.handlers)
        ours.setLevel(theirs.getEffectiveLevel())
        ours.propagate = False
