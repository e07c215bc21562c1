"""One flag is enough, and what the user said himself stays."""

from __future__ import annotations

import importlib.metadata
import logging
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tailrace import names, plugin
from tailrace.names import Verdict


@dataclass
class ModelConfig:
    runner_type: str = "generate"
    is_diffusion: bool = False
    tokenizer: str = "no/such-model"
    tokenizer_revision: str | None = None
    sampling: dict[str, Any] = field(default_factory=dict)

    def get_diff_sampling_param(self) -> dict[str, Any]:
        return self.sampling


@dataclass
class ParallelConfig:
    pipeline_parallel_size: int = 1
    prefill_context_parallel_size: int = 1
    enable_batch_sharded_sampling: bool | None = None


@dataclass
class EngineArgs:
    """As far as the plug-in sees vLLM's."""

    scheduler_cls: Any = plugin.SCHEDULER
    speculative_config: dict[str, Any] | None = None
    spec_method: str | None = None
    spec_model: str | None = None
    spec_tokens: int | None = None
    async_scheduling: bool | None = None
    logits_processors: list[Any] | None = None
    watermark_config: dict[str, Any] | None = None
    seen: list[Any] = field(default_factory=list)

    def create_speculative_config(self, target_model_config: Any, target_parallel_config: Any) -> Any:
        self.seen.append(self.speculative_config)
        return self.speculative_config


@pytest.fixture(autouse=True)
def fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "verdict", lambda running: Verdict("0.32.0", True, ()))
    monkeypatch.setenv("TAILRACE_TOKENIZER", "sha256:0123456789abcdef")


@pytest.fixture
def engine_args() -> type[EngineArgs]:
    class Wrapped(EngineArgs):
        pass

    plugin.wrap(Wrapped)
    plugin.wrap(Wrapped)
    return Wrapped


OURS = {"method": "custom_class", "model": plugin.PROPOSER, "num_speculative_tokens": 16}


def create(args: EngineArgs, model: ModelConfig | None = None, parallel: ParallelConfig | None = None) -> Any:
    return args.create_speculative_config(
        target_model_config=model or ModelConfig(), target_parallel_config=parallel or ParallelConfig()
    )


def test_the_scheduler_alone_turns_verification_on(engine_args: type[EngineArgs]) -> None:
    args = engine_args()
    assert create(args) == OURS
    assert len(args.seen) == 1


def test_the_schedulers_class_does_as_well_as_its_name(engine_args: type[EngineArgs]) -> None:
    scheduler = type("TailraceScheduler", (), {"__module__": "tailrace.vllm"})
    assert create(engine_args(scheduler_cls=scheduler)) == OURS


def test_another_scheduler_is_left_alone(engine_args: type[EngineArgs]) -> None:
    for scheduler in (None, "mine.Scheduler", type("Other", (), {})):
        args = engine_args(scheduler_cls=scheduler)
        assert create(args) is None
        assert args.scheduler_cls is scheduler


def test_what_the_user_gave_stays(engine_args: type[EngineArgs]) -> None:
    assert create(engine_args(speculative_config={"num_speculative_tokens": 5})) == {
        **OURS,
        "num_speculative_tokens": 5,
    }
    explicit = {**OURS, "num_speculative_tokens": 7}
    assert create(engine_args(speculative_config=dict(explicit))) == explicit
    without_count = {k: v for k, v in OURS.items() if k != "num_speculative_tokens"}
    assert create(engine_args(spec_tokens=4)) == without_count  # vLLM adds the 4
    by_flags = engine_args(spec_method="custom_class", spec_model=plugin.PROPOSER, spec_tokens=4)
    assert create(by_flags) == {}
    assert by_flags.scheduler_cls == plugin.SCHEDULER


def test_the_environment_says_how_many_tokens(engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_DRAFT_TOKENS", "8")
    assert create(engine_args())["num_speculative_tokens"] == 8


@pytest.mark.parametrize(
    ("args", "model", "parallel", "word"),
    [
        ({"speculative_config": {"method": "ngram"}}, {}, {}, "ngram"),
        ({"spec_method": "eagle3"}, {}, {}, "eagle3"),
        ({"spec_model": "some/draft"}, {}, {}, "some/draft"),
        ({}, {"runner_type": "pooling"}, {}, "does not generate"),
        ({}, {"is_diffusion": True}, {}, "diffusion"),
        ({}, {}, {"pipeline_parallel_size": 2}, "pipeline"),
        ({}, {}, {"prefill_context_parallel_size": 2}, "prefill context"),
        ({}, {}, {"enable_batch_sharded_sampling": True}, "batch-sharded"),
        ({"async_scheduling": True}, {}, {}, "remove --async-scheduling"),
        ({"watermark_config": {"scheme": "x"}}, {}, {}, "watermarks"),
        ({"logits_processors": ["mine:Filter"]}, {}, {}, "mine:Filter"),
        ({}, {"sampling": {"min_p": 0.1}}, {}, "override-generation-config"),
    ],
)
def test_where_drafts_cannot_be_vllm_keeps_its_own_scheduler_and_it_is_said_why(
    engine_args: type[EngineArgs],
    caplog: pytest.LogCaptureFixture,
    args: dict[str, Any],
    model: dict[str, Any],
    parallel: dict[str, Any],
    word: str,
) -> None:
    given = engine_args(**args)
    before = given.speculative_config
    with caplog.at_level(logging.WARNING, "tailrace"):
        assert create(given, ModelConfig(**model), ParallelConfig(**parallel)) is before
    assert given.scheduler_cls is None
    assert len(caplog.messages) == 1
    assert "serving without drafts" in caplog.messages[0]
    assert word in caplog.messages[0]


def test_a_logits_processor_that_is_installed_is_not_dropped(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = {"vllm.logits_processors": [SimpleNamespace(name="filter")]}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found[group])
    args = engine_args()
    assert create(args) is None
    assert args.scheduler_cls is None
    assert "filter" in caplog.messages[0]


def test_the_v2_runner_by_force_keeps_vllms_own_scheduler(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("VLLM_USE_V2_MODEL_RUNNER", "0")
    assert create(engine_args()) == OURS
    monkeypatch.setenv("VLLM_USE_V2_MODEL_RUNNER", "1")
    assert create(engine_args()) is None
    assert "VLLM_USE_V2_MODEL_RUNNER" in caplog.messages[0]


def test_a_min_p_of_0_is_none(engine_args: type[EngineArgs]) -> None:
    assert create(engine_args(), ModelConfig(sampling={"min_p": 0, "top_p": 0.9})) == OURS


def test_a_tokenizer_without_a_fingerprint_leaves_verification_off(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.delenv("TAILRACE_TOKENIZER")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert create(engine_args(), ModelConfig(tokenizer=str(tmp_path))) is None
    assert "set TAILRACE_TOKENIZER" in caplog.messages[0]
    (tmp_path / "tokenizer.json").write_text("{}")
    assert create(engine_args(), ModelConfig(tokenizer=str(tmp_path))) == OURS


def test_a_tokenizer_that_is_not_here_yet_is_fetched(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[bool] = []

    def download(model: str, name: str, *, revision: str | None, local_files_only: bool) -> str:
        asked.append(local_files_only)
        if local_files_only:
            raise FileNotFoundError(name)
        (tmp_path / name).write_text("{}")
        return str(tmp_path / name)

    monkeypatch.delenv("TAILRACE_TOKENIZER")
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=download))
    assert create(engine_args(), ModelConfig(tokenizer="some/model")) == OURS
    assert asked == [True, False]


def test_a_setting_that_cannot_be_used_is_said_without_a_trace(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TAILRACE_DRAFT_TOKENS", "many")
    assert create(engine_args()) is None
    assert "TAILRACE_DRAFT_TOKENS" in caplog.messages[0]
    assert caplog.records[0].exc_info is None


def test_an_unfit_vllm_keeps_its_own_scheduler(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(names, "verdict", lambda running: Verdict("0.99.0", False, ("vllm.x.Y",)))
    args = engine_args()
    assert create(args) is None
    assert args.scheduler_cls is None
    assert "vllm.x.Y" in caplog.messages[0]


def test_the_version_that_verifies_nothing_on_the_cpu_keeps_its_own_scheduler_there(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(names, "verdict", lambda running: Verdict("0.30.0", True, ()))
    monkeypatch.setattr(plugin, "_on_cpu", lambda: False)
    assert create(engine_args()) == OURS
    monkeypatch.setattr(plugin, "_on_cpu", lambda: True)
    assert create(engine_args()) is None
    assert "0.30 for the CPU" in caplog.messages[0]
    monkeypatch.setattr(names, "verdict", lambda running: Verdict("0.31.0", True, ()))
    assert create(engine_args()) == OURS


def test_a_fault_in_the_plug_in_never_reaches_vllm(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(running: str) -> Verdict:
        raise RuntimeError("boom")

    monkeypatch.setattr(names, "verdict", fail)
    args = engine_args()
    assert create(args) is None
    assert args.scheduler_cls is None


def test_registering_without_vllm_raises_nothing() -> None:
    plugin.register()
