"""What vLLM's door tells of a step, and what it leaves alone; vLLM is a toy."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from fake_agent import FakeAgent
from tailrace import protocol
from tailrace.agent import Address
from tailrace.settings import Settings
from toy_engine import hello, next_token, wait_for

LENGTH = 40
PROMPT = [1, 2, 3, 1, 2]


class RequestStatus(IntEnum):
    """Those of vLLM that a test needs."""

    WAITING = 1
    RUNNING = 2
    PREEMPTED = 3
    FINISHED_STOPPED = 4
    FINISHED_LENGTH_CAPPED = 5
    FINISHED_ABORTED = 6


class Request:
    """As much of vLLM's request as the door sees."""

    def __init__(self, request_id: str, prompt: list[int] | None, pooling: bool = False) -> None:
        self.request_id = request_id
        self.prompt_token_ids = prompt
        self.prompt_embeds = None if prompt else "embeddings"
        self.pooling_params = "embed" if pooling else None
        self.sampling_params: Any = None
        if not pooling:
            self.sampling_params = SimpleNamespace(
                temperature=0.0,
                stop=[],
                stop_token_ids=[],
                eos_token_id=None,
                extra_args=None,
                repetition_detection=None,
                logprobs=None,
                min_tokens=0,
                thinking_token_budget=None,
            )
        self.all_token_ids = list(prompt or [])
        self.num_prompt_tokens = len(self.all_token_ids)
        self.max_tokens = LENGTH
        self.arrival_time = 0.0
        self.status = RequestStatus.RUNNING
        self.mm_features = self.lora_request = self.cache_salt = None
        self.resumable = False

    def is_finished(self) -> bool:
        return self.status > RequestStatus.PREEMPTED

    @property
    def num_tokens(self) -> int:
        return len(self.all_token_ids)

    @property
    def num_output_tokens(self) -> int:
        return self.num_tokens - self.num_prompt_tokens


class DraftTokenIds(NamedTuple):
    """vLLM's drafts."""

    req_ids: list[str]
    draft_token_ids: list[list[int]]


class Scheduler:
    """As much of vLLM's scheduler as takes drafts."""

    def __init__(self, vllm_config: Any) -> None:
        self.vllm_config = vllm_config
        self.given: list[list[list[int]]] = []

    def update_draft_token_ids(self, drafts: DraftTokenIds) -> None:
        self.given.append(drafts.draft_token_ids)


@pytest.fixture
def engine_door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """The class of vLLM's door; however slow the agent is, its drafts are waited for."""
    monkeypatch.setattr("tailrace.door.Door._measured", lambda *_: None)
    for name, attributes in (
        ("torch", {}),
        ("vllm.v1.core.sched.scheduler", {"Scheduler": Scheduler}),
        ("vllm.v1.outputs", {"DraftTokenIds": DraftTokenIds}),
        ("vllm.v1.request", {"RequestStatus": RequestStatus}),
    ):
        module = ModuleType(name)
        module.__dict__.update(attributes)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "tailrace.vllm", raising=False)
    yield importlib.import_module("tailrace.vllm").EngineDoor
    for name in ("tailrace.vllm", "tailrace.vllm_cpu"):  # made with what is no vLLM
        sys.modules.pop(name, None)


class Steps:
    """A toy of vLLM's scheduler, and the door beside it."""

    def __init__(
        self, made: Callable[..., Any], socket: Path, requests_max: int = 8, sequences_max: int = 1_000
    ) -> None:
        self.requests: dict[str, Request] = {}
        self.running: list[Request] = []
        self.waiting: list[Request] = []
        self.max_model_len = 1_000
        self.max_num_scheduled_tokens = 1_000
        self.vllm_config = SimpleNamespace(scheduler_config=SimpleNamespace(max_num_seqs=sequences_max))
        self.connector: Any = None
        self.drafts: dict[str, list[int]] = {}
        self._new: list[Request] = []
        self.door = made(self, Settings(Address(path=str(socket))), hello(requests_max))
        self.door.start()
        self.door._door.deadline_seconds = 60.0
        wait_for(self._attached)

    def _attached(self) -> bool:
        self.door._door.step(0, 0, 0, 0)
        return bool(self.door._door.attached)

    def stop(self) -> None:
        """The door stops, and has told all that has ended, however slow this machine is."""
        self.door._door._tell_last(time.monotonic() + 60)
        self.door.stop()

    def add(self, *requests: Request) -> None:
        for request in requests:
            self.requests[request.request_id] = request
            self.running.append(request)
            self._new.append(request)

    def step(self) -> None:
        """Each request says its next token, and what of its draft is right; one that pools ends."""
        scheduled = list(self.running)
        said = {r.request_id: self._said(r) for r in scheduled}
        step = SimpleNamespace(
            scheduled_new_reqs=[SimpleNamespace(req_id=r.request_id) for r in self._new],
            num_scheduled_tokens={r.request_id: 1 + len(self.drafts.get(r.request_id, [])) for r in scheduled},
            total_num_scheduled_tokens=len(scheduled) + sum(map(len, self.drafts.values())),
            scheduled_spec_decode_tokens={name: draft for name, draft in self.drafts.items() if draft},
        )
        output = SimpleNamespace(
            sampled_token_ids=list(said.values()),
            req_id_to_index={name: place for place, name in enumerate(said)},
            kv_connector_output=self.connector,
        )
        if self._new:
            self.door.scheduled(step)
            self._new = []
        self.door.before_bookkeeping(step, output)
        for request in scheduled:
            request.all_token_ids += said[request.request_id]
            if request.pooling_params:
                request.status = RequestStatus.FINISHED_STOPPED
            elif request.num_output_tokens == request.max_tokens:
                ended = RequestStatus.WAITING if request.resumable else RequestStatus.FINISHED_LENGTH_CAPPED
                request.status = ended
        self.running = [r for r in scheduled if r.status == RequestStatus.RUNNING]
        self.requests = {r.request_id: r for r in self.running}
        self.door.after_bookkeeping(step)
        names = [r.request_id for r in scheduled]
        self.drafts = dict(zip(names, self.door.drafts(names), strict=True))
        self.drafts = {name: draft for name, draft in self.drafts.items() if name in self.requests}

    def _said(self, request: Request) -> list[int]:
        if request.pooling_params:
            return []
        tokens, said = [0, 0, *request.all_token_ids], list[int]()
        for drafted in [*self.drafts.get(request.request_id, []), None]:
            said.append(next_token(tokens + said))
            if drafted != said[-1]:
                break
        return said[: request.max_tokens - request.num_output_tokens]


@pytest.mark.parametrize(
    ("method", "proposer", "given"),
    [("custom_class", "tailrace.vllm.NoDrafts", [[], []]), ("ngram", "ngram", [[0, 0], [0, 0]])],
)
def test_zeros_of_vllms_own_reach_no_request_where_the_drafts_are_ours_to_bring(
    engine_door: Callable[..., Any], method: str, proposer: str, given: list[list[int]]
) -> None:
    made = importlib.import_module(engine_door.__module__).TailraceScheduler
    speculative = SimpleNamespace(method=method, model=proposer)
    scheduler = made(SimpleNamespace(speculative_config=speculative))  # of no known version: there is no door
    assert scheduler._tailrace is None
    scheduler.update_draft_token_ids(DraftTokenIds(["a", "b"], [[0, 0], [0, 0]]))
    assert scheduler.given == [given]


def test_ranks_with_a_scheduler_each_have_no_door(engine_door: Callable[..., Any]) -> None:
    unfit = importlib.import_module(engine_door.__module__)._unfit
    parallel = SimpleNamespace(
        pipeline_parallel_size=1, tensor_parallel_size=2, distributed_executor_backend="external_launcher"
    )
    config = SimpleNamespace(
        speculative_config=SimpleNamespace(method="custom_class", model="tailrace.vllm.NoDrafts"),
        scheduler_config=SimpleNamespace(async_scheduling=False),
        parallel_config=parallel,
    )
    assert "external_launcher" in unfit(SimpleNamespace(vllm_config=config))
    parallel.distributed_executor_backend = "mp"
    assert unfit(SimpleNamespace(vllm_config=config)) == ""


def test_a_fault_of_the_door_leaves_empty_drafts(engine_door: Callable[..., Any]) -> None:
    made = importlib.import_module(engine_door.__module__).TailraceScheduler
    scheduler = made(
        SimpleNamespace(speculative_config=SimpleNamespace(method="custom_class", model="tailrace.vllm.NoDrafts"))
    )
    scheduler._tailrace = SimpleNamespace(give_up=lambda: None)  # which knows no drafts
    scheduler.update_draft_token_ids(DraftTokenIds(["a"], [[0, 0]]))
    assert scheduler.given == [[[]]]
    assert scheduler._tailrace is None


def test_what_is_not_drafted_for_passes_untouched_beside_one_that_is(
    engine_door: Callable[..., Any], socket_path: Path
) -> None:
    with FakeAgent(socket_path) as agent:
        steps = Steps(engine_door, socket_path)
        drafted, pooling, embedded = Request("drafted", PROMPT), Request("pools", PROMPT, True), Request("embeds", None)
        single = Request("of a beam search", PROMPT)
        single.max_tokens = 1
        steps.add(drafted, pooling, embedded, single)
        steps.step()
        assert single.status == RequestStatus.FINISHED_LENGTH_CAPPED
        assert pooling.status == RequestStatus.FINISHED_STOPPED
        assert pooling.all_token_ids == PROMPT
        again = Request("pools later", PROMPT, True)
        steps.add(again)
        while steps.running:
            assert steps.drafts.get("embeds") in (None, [])
            steps.step()
        wait_for(lambda: bool(agent.ended))
        assert agent.accepted > 10
        assert [(t.request_id, t.said, t.reason) for t in agent.ended] == [
            ("drafted", drafted.all_token_ids[len(PROMPT) :], protocol.LENGTH)
        ]
        assert not agent.broken
        begun = [op for s in agent.steps for op in s.operations if isinstance(op, protocol.Begin)]
        assert [op.request_id for op in begun] == ["drafted"]
        assert list(begun[0].tokens) == PROMPT, "the agent was told before the model ran"
        assert steps.door._known == {}
        steps.stop()


def test_sessions_that_wait_for_input_hold_no_place_at_the_agent(
    engine_door: Callable[..., Any], socket_path: Path
) -> None:
    with FakeAgent(socket_path) as agent:
        steps = Steps(engine_door, socket_path, requests_max=2)
        sessions = [Request(name, PROMPT) for name in ("one", "two")]
        for session in sessions:
            session.resumable, session.max_tokens = True, 3
        plain = Request("plain", PROMPT)
        for requests in (sessions, [plain]):
            steps.add(*requests)
            while steps.running:
                steps.step()
        wait_for(lambda: len(agent.ended) == 3)
        session = sessions[0]
        assert session.status == RequestStatus.WAITING
        session.all_token_ids[-1:] = PROMPT  # vLLM takes back the last token, and the input goes on
        session.num_prompt_tokens, session.status = session.num_tokens, RequestStatus.RUNNING
        steps.add(session)
        while steps.running:
            steps.step()
        steps.stop()
        wait_for(lambda: len(agent.ended) == 4)
        assert [t.request_id for t in agent.ended] == ["one", "two", "plain", "one+1"]
        assert [t.begin.private for t in agent.ended] == [True, True, False, True]
        assert agent.ended[2].said == plain.all_token_ids[len(PROMPT) :]
        assert not agent.broken


def test_where_vllms_ids_have_no_random_tail_two_starts_say_other_ids(
    engine_door: Callable[..., Any], socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_DISABLE_REQUEST_ID_RANDOMIZATION", "1")
    with FakeAgent(socket_path) as agent:
        for _ in range(2):
            steps = Steps(engine_door, socket_path)
            steps.add(Request("0", PROMPT), Request("1", PROMPT))
            while steps.running:
                steps.step()
            steps.stop()
        wait_for(lambda: len(agent.ended) == 4)
        ids = [t.request_id for t in agent.ended]
        assert len(set(ids)) == 4
        assert sorted(i.partition("-")[0] for i in ids) == ["0", "0", "1", "1"]


def longest_drafts(steps: Steps) -> dict[str, int]:
    """Runs all requests to their ends; the longest draft that each of them had."""
    longest = dict.fromkeys(steps.requests, 0)
    while steps.running:
        steps.step()
        for name, draft in steps.drafts.items():
            longest[name] = max(longest[name], len(draft))
    steps.stop()
    return longest


def test_no_draft_reaches_the_least_length_of_an_answer(engine_door: Callable[..., Any], socket_path: Path) -> None:
    with FakeAgent(socket_path):
        steps = Steps(engine_door, socket_path)
        for least in range(20, 28):
            request = Request(f"at least {least}", PROMPT)
            request.sampling_params.min_tokens = least
            steps.add(request)
        before: list[int] = []
        after: list[int] = []
        while steps.running:
            steps.step()
            for request in steps.running:
                said, draft = request.num_output_tokens, steps.drafts.get(request.request_id, [])
                (before if said < request.sampling_params.min_tokens else after).append(len(draft))
                if said < request.sampling_params.min_tokens:  # vLLM keeps stop tokens from the row after the draft
                    assert said + len(draft) < request.sampling_params.min_tokens
        steps.stop()
        assert max(before) > 2
        assert max(after) > 2


def test_thinking_that_has_a_budget_is_not_drafted_for(engine_door: Callable[..., Any], socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        steps = Steps(engine_door, socket_path)
        thinks = Request("thinks", PROMPT)
        thinks.sampling_params.thinking_token_budget = 10
        steps.add(thinks, Request("says", PROMPT))
        longest = longest_drafts(steps)
        assert longest["thinks"] == 0
        assert longest["says"] > 1
        wait_for(lambda: len(agent.ended) == 2)  # it is reported all the same


@pytest.mark.parametrize("asks", ["running", "waiting"])
def test_beside_a_request_for_logprobs_drafts_are_as_long_as_vllm_has_memory_for(
    engine_door: Callable[..., Any], socket_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    monkeypatch.setattr(sys.modules[engine_door.__module__], "SPARE_BYTES", 0)
    with FakeAgent(socket_path):
        steps = Steps(engine_door, socket_path, sequences_max=4)  # eight rows of logits are profiled
        first, second = Request("first", PROMPT), Request("second", PROMPT)
        steps.add(first, second)
        asking = Request("asks for logprobs", PROMPT)
        asking.sampling_params.logprobs = 0
        (steps.running if asks == "running" else steps.waiting).append(asking)
        steps.requests[asking.request_id] = asking
        while first.status == RequestStatus.RUNNING:
            steps.step()
            if asks == "waiting" and len(steps.running) < 2:
                break
            assert all(len(draft) + 1 <= 8 // 3 for draft in steps.drafts.values())
        steps.stop()


def test_a_step_has_no_more_rows_than_vllm_has_memory_for(
    engine_door: Callable[..., Any], socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[engine_door.__module__], "SPARE_BYTES", 0)
    with FakeAgent(socket_path) as agent:
        steps = Steps(engine_door, socket_path, sequences_max=4)
        steps.add(Request("one", PROMPT), Request("other", PROMPT))
        while steps.running:
            steps.step()
        steps.stop()
        wait_for(lambda: len(agent.ended) == 2)
        asked = [s.draft_tokens_max for s in agent.steps if s.requests]
        assert max(asked[:-1]) == 2 * 4 - 2  # at the last step's end none runs


@pytest.mark.parametrize("lost", [False, True])
def test_what_a_connector_says_without_a_loss_lets_the_agent_hear_early(
    engine_door: Callable[..., Any], socket_path: Path, lost: bool
) -> None:
    with FakeAgent(socket_path):
        steps = Steps(engine_door, socket_path)
        steps.connector = SimpleNamespace(failed_recving={"x"} if lost else set(), invalid_block_ids=set())
        steps.add(Request("one", PROMPT))
        steps.step()
        assert steps.door._told is not lost
        longest_drafts(steps)
