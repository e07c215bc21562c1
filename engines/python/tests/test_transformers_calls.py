"""What the door of transformers does around a call; the model and transformers are toys."""

from __future__ import annotations

import importlib
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fake_agent import FakeAgent
from tailrace import protocol
from tailrace.agent import Address
from tailrace.settings import Settings
from toy_engine import VOCABULARY, attached, next_token, wait_for

LENGTH = 60
PROMPT = [1, 2, 3, 1, 2]


class Tensor(np.ndarray):
    """As much of torch's as the door asks for."""

    def new_tensor(self, values: list[list[int]]) -> Any:
        return tensor(values)


def tensor(values: list[list[int]]) -> Any:
    return np.array(values).view(Tensor)


class DynamicCache:
    pass


class Model:
    """Verifies candidates as transformers does."""

    name_or_path = "toy"
    config = SimpleNamespace(get_text_config=lambda: SimpleNamespace(vocab_size=VOCABULARY))

    def __init__(self) -> None:
        self.generation_config = SimpleNamespace(eos_token_id=None)

    def _get_candidate_generator(self, **_: Any) -> Any:
        return "transformers' own"

    def generate(self, ids: Any, said: Callable[[], None] = lambda: None, **kwargs: Any) -> Any:
        config = kwargs.get("generation_config") or SimpleNamespace(**kwargs)
        ends = vars(config).get("eos_token_id", self.generation_config.eos_token_id)
        given = SimpleNamespace(max_length=LENGTH, eos_token_id=ends)
        assisted = getattr(config, "prompt_lookup_num_tokens", None)
        generator = self._get_candidate_generator(generation_config=given) if assisted else None
        tokens = ids[0].tolist()
        while len(tokens) < LENGTH:
            candidates = generator.get_candidates(tensor([tokens]))[0][0].tolist() if generator else tokens
            for token in [*candidates[len(tokens) :], None]:
                tokens.append(next_token(tokens))
                if token != tokens[-1] or len(tokens) == LENGTH or tokens[-1] == ends:
                    break
            said()
            if tokens[-1] == ends:
                break
        return tensor([tokens])


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The door's module."""
    torch, transformers, generation = (ModuleType(n) for n in ("torch", "transformers", "transformers.generation"))
    vars(torch).update(Tensor=Tensor, cat=lambda parts, dim: np.concatenate(parts, axis=dim).view(Tensor))
    vars(transformers).update(DynamicCache=DynamicCache)
    vars(generation).update(CandidateGenerator=object)
    for module in (torch, transformers, generation):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    yield importlib.import_module("tailrace.transformers")
    del sys.modules["tailrace.transformers"]  # made with what is no transformers


@pytest.fixture
def agent(socket_path: Path) -> Iterator[FakeAgent]:
    with FakeAgent(socket_path) as agent:
        yield agent
        assert not agent.broken


@pytest.fixture
def drafting(door: Any, agent: FakeAgent) -> Iterator[Any]:
    settings = Settings(Address(path=agent.path), tokenizer="sha256:0123456789abcdef")
    drafting = door.Drafting(Model(), settings=settings)
    attached(drafting.door)
    yield drafting
    drafting.close()


def drafted(drafting: Any, agent: FakeAgent, **kwargs: Any) -> int:
    """How many tokens are drafted for a call, which says what it says without."""
    wait_for(lambda: agent.answered >= drafting.door.counts.steps)
    drafting.door.deadline_seconds = 60.0
    before: int = drafting.door.counts.drafted
    ids = tensor([PROMPT])
    assert drafting.generate(ids, **kwargs).tolist() == drafting._model.generate(ids).tolist()
    assert "_get_candidate_generator" not in vars(drafting._model)
    return int(drafting.door.counts.drafted) - before


class Wrapped:
    """Hands all on to the model it wraps, as PeftModel and torch.compile do."""

    def __init__(self, model: Model) -> None:
        self._wraps = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_wraps"], name)


def test_a_wrapped_model_is_served_without_drafts_and_told_of(
    door: Any, agent: FakeAgent, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(Address(path=agent.path), tokenizer="sha256:0123456789abcdef")
    with caplog.at_level(logging.WARNING, "tailrace.transformers"):
        drafting = door.Drafting(Wrapped(Model()), settings=settings)
    assert caplog.messages == ["serving without drafts: Wrapped wraps the model that generates; give that one"]
    ids = tensor([PROMPT])
    asked: list[Any] = []
    drafting._model._wraps._get_candidate_generator = lambda **given: asked.append(given)
    assert drafting.generate(ids).tolist() == Model().generate(ids).tolist()
    assert not asked
    drafting.close()


def test_what_a_model_with_an_adapter_says_is_nobody_elses(drafting: Any, agent: FakeAgent) -> None:
    assert drafted(drafting, agent) > 0
    drafting._model._hf_peft_config_loaded = True
    assert drafted(drafting, agent) > 0
    drafting._model._hf_peft_config_loaded = False
    drafting._model.peft_config = {"default": "as PeftModel leaves it in the model that it wraps"}
    assert drafted(drafting, agent) > 0
    wait_for(lambda: len(agent.ended) == 3)
    assert [t.begin.private for t in agent.ended] == [False, True, True]


def test_a_call_that_fails_ends_its_request(drafting: Any, agent: FakeAgent) -> None:
    def fail() -> None:
        raise RuntimeError("as asked")

    for _ in range(6):
        with pytest.raises(RuntimeError, match="as asked"):
            drafting.generate(tensor([PROMPT]), said=fail)
    assert drafted(drafting, agent) > 0
    assert not drafting.door._live
    wait_for(lambda: protocol.LENGTH in {t.reason for t in agent.ended})
    assert {t.reason for t in agent.ended} == {protocol.ABORTED, protocol.LENGTH}


def test_a_calls_own_end_token_is_an_end(drafting: Any, agent: FakeAgent) -> None:
    whole = drafting._model.generate(tensor([PROMPT]))[0].tolist()
    end = max(whole[len(PROMPT) :], key=whole[len(PROMPT) :].index)  # the one that comes last
    for given in ({"eos_token_id": end}, {"generation_config": SimpleNamespace(eos_token_id=end)}, {}):
        drafting.generate(tensor([PROMPT]), **given)
        wait_for(lambda: bool(agent.ended))
        assert agent.ended.pop().reason == (protocol.STOP if given else protocol.LENGTH)


@pytest.mark.parametrize("method", ["begin", "said", "end"])
def test_a_fault_in_the_door_leaves_the_call_as_it_is_and_is_logged_once(
    drafting: Any, agent: FakeAgent, method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken, caplog.at_level(logging.ERROR, "tailrace"):
        broken.setattr(drafting.door, method, lambda *_: 1 / 0)
        for _ in range(2):
            drafted(drafting, agent)
    assert len([r for r in caplog.records if r.exc_info]) == 1
    assert drafted(drafting, agent) > 0


def test_another_thread_gets_the_models_own_method(drafting: Any, agent: FakeAgent) -> None:
    got: set[Any] = set()

    def look() -> None:
        thread = threading.Thread(target=lambda: got.add(drafting._model._get_candidate_generator()))
        thread.start()
        thread.join()

    assert drafted(drafting, agent, said=look) > 0
    assert got == {"transformers' own"}


def test_a_call_beside_another_is_served_without(drafting: Any, agent: FakeAgent) -> None:
    counts = []

    def beside() -> None:
        drafting.generate(tensor([PROMPT]))
        counts.append(len(drafting.door._live))

    assert drafted(drafting, agent, said=beside) > 0
    assert set(counts) == {1}


@pytest.mark.parametrize(
    "settings",
    [
        {"cache_implementation": "static"},
        {"use_cache": False},
        {"num_return_sequences": 2},
        {"num_beams": 3},
        {"stop_strings": ["a"]},
        {"guidance_scale": 1.5},
        {"prompt_lookup_num_tokens": 3},
    ],
)
def test_what_assisted_generation_cannot_do_is_served_without(
    door: Any, drafting: Any, agent: FakeAgent, settings: dict[str, Any]
) -> None:
    model = drafting._model
    assert door.declines(model, settings)
    assert door.declines(model, {"generation_config": SimpleNamespace(**settings)})
    vars(model.generation_config).update(settings)
    assert drafted(drafting, agent) == 0
    assert not door.declines(model, dict.fromkeys(settings))


def test_arguments_that_see_each_token_once_and_other_caches_are_served_without(door: Any) -> None:
    model: Any = Model()
    for name in ("logits_processor", "stopping_criteria", "prefix_allowed_tokens_fn", "custom_generate"):
        assert door.declines(model, {name: []})
    assert door.declines(model, {"past_key_values": object()})
    assert not door.declines(model, {"past_key_values": DynamicCache(), "num_beams": 1, "use_cache": True})
    model._is_stateful = True
    assert door.declines(model, {})


def test_a_configuration_is_not_changed(drafting: Any, agent: FakeAgent) -> None:
    config = SimpleNamespace(num_beams=1)
    assert drafted(drafting, agent, generation_config=config) > 0
    assert vars(config) == {"num_beams": 1}
