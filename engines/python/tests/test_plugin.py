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
    tensor_parallel_size: int = 1
    distributed_executor_backend: str | None = None
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
    enable_lora: bool = False
    max_num_batched_tokens: int | None = None
    max_num_seqs: int | None = None
    graphs: int | None = None
    v2_only: bool = False
    model_is_there: bool = True
    seen: list[Any] = field(default_factory=list)

    def create_speculative_config(self, target_model_config: Any, target_parallel_config: Any) -> Any:
        self.seen.append(self.speculative_config)
        given = {"method": self.spec_method, "model": self.spec_model, "num_speculative_tokens": self.spec_tokens}
        flags = {key: value for key, value in given.items() if value is not None}
        if flags:
            self.speculative_config = {**(self.speculative_config or {}), **flags}
        if self.speculative_config is None:
            return None
        if not self.speculative_config.keys() & {"method", "model"}:
            raise ValueError("num_speculative_tokens was provided but without speculative model.")
        config, self.speculative_config = (
            self.speculative_config,
            {**self.speculative_config, "target_model_config": target_model_config},
        )
        return config

    def create_engine_config(self, usage_context: Any = None) -> Any:
        """Refuses what vLLM refuses, with its sizes for servers on a large GPU."""
        if not self.model_is_there:
            raise OSError("no such model")
        given = self.create_speculative_config(
            target_model_config=ModelConfig(), target_parallel_config=ParallelConfig()
        )
        tokens = given["num_speculative_tokens"] if given else 0
        self.max_num_batched_tokens = self.max_num_batched_tokens or 8192
        self.max_num_seqs = self.max_num_seqs or 1024
        if given and self.enable_lora and self.max_num_batched_tokens < self.max_num_seqs * (tokens + 1):
            raise ValueError("Consider increasing max_num_batched_tokens")
        if given and self.v2_only:
            raise ValueError("trace replay requires\n  Model Runner V2")
        mode = SimpleNamespace(decode_mode=lambda: SimpleNamespace(name="FULL"))
        return SimpleNamespace(
            speculative_config=SimpleNamespace(num_speculative_tokens=tokens) if given else None,
            compilation_config=SimpleNamespace(max_cudagraph_capture_size=self.graphs, cudagraph_mode=mode),
            usage_context=usage_context,
        )


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


LAUNCHED: dict[str, Any] = {"distributed_executor_backend": "external_launcher", "tensor_parallel_size": 2}


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
    by_flag = engine_args(spec_tokens=4)
    assert create(by_flag) == {**OURS, "num_speculative_tokens": 4}
    assert "num_speculative_tokens" not in by_flag.seen[0]  # vLLM adds the 4, and refuses to be told twice
    by_flags = engine_args(spec_method="custom_class", spec_model=plugin.PROPOSER, spec_tokens=4)
    assert create(by_flags) == {**OURS, "num_speculative_tokens": 4}
    assert by_flags.seen == [{}]  # vLLM adds all three
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
        ({}, {}, LAUNCHED, "external_launcher"),
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
    alone = create(EngineArgs(**args))
    with caplog.at_level(logging.WARNING, "tailrace"):
        assert create(given, ModelConfig(**model), ParallelConfig(**parallel)) == alone
    assert given.scheduler_cls is None
    assert len(caplog.messages) == 1
    assert "serving without drafts" in caplog.messages[0]
    assert word in caplog.messages[0]


@pytest.mark.parametrize(
    "given",
    [
        {"spec_tokens": 8},
        {"speculative_config": {"num_speculative_tokens": 8}},
        {"speculative_config": OURS},
        {"spec_method": "custom_class", "spec_model": plugin.PROPOSER, "spec_tokens": 8},
    ],
)
@pytest.mark.parametrize("fault", [False, True])
def test_stepping_aside_leaves_no_speculative_setting_that_is_not_anothers(
    engine_args: type[EngineArgs], monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], fault: bool
) -> None:
    if fault:
        monkeypatch.setattr(names, "verdict", None)
    args = engine_args(async_scheduling=not fault, **given)
    assert create(args) is None
    assert args.scheduler_cls is args.speculative_config is None
    assert (args.spec_method, args.spec_model, args.spec_tokens) == (None, None, None)


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


def test_a_launcher_of_one_rank_and_ranks_with_one_scheduler_draft(engine_args: type[EngineArgs]) -> None:
    for given in ({**LAUNCHED, "tensor_parallel_size": 1}, {**LAUNCHED, "distributed_executor_backend": "mp"}):
        assert create(engine_args(), parallel=ParallelConfig(**given)) == OURS


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


def built(args: EngineArgs) -> int:
    """How many draft tokens vLLM's configuration has; the arguments say the same."""
    config = args.create_engine_config("server")
    assert config.usage_context == "server"
    tokens = config.speculative_config.num_speculative_tokens if config.speculative_config else 0
    assert (args.scheduler_cls == plugin.SCHEDULER) == (tokens > 0)
    assert (args.speculative_config is None) == (tokens == 0)
    return tokens


def test_what_vllm_takes_is_built_once(engine_args: type[EngineArgs], caplog: pytest.LogCaptureFixture) -> None:
    for args in (engine_args(), engine_args(enable_lora=True, max_num_seqs=64), engine_args(graphs=512)):
        assert built(args) == 16
        assert len(args.seen) == 1
    assert not caplog.messages


def test_beside_lora_drafts_are_as_long_as_vllms_sizes_allow(
    engine_args: type[EngineArgs], caplog: pytest.LogCaptureFixture
) -> None:
    args = engine_args(enable_lora=True)
    assert built(args) == 7
    assert len(caplog.messages) == 1
    assert "at most 7 tokens" in caplog.messages[0]
    assert "--max-num-batched-tokens 17408" in caplog.messages[0]
    assert built(args) == 7  # built again from the same arguments


@pytest.mark.parametrize(
    "given", [{"spec_tokens": 12}, {"speculative_config": {"num-speculative-tokens": 12}}, {"max_num_seqs": 8192}]
)
def test_beside_lora_a_length_of_ones_own_or_no_room_leaves_vllms_scheduler(
    engine_args: type[EngineArgs], caplog: pytest.LogCaptureFixture, given: dict[str, Any]
) -> None:
    assert built(engine_args(enable_lora=True, **given)) == 0
    assert len(caplog.messages) == 1
    assert "serving without drafts" in caplog.messages[0]


@pytest.mark.parametrize(("graphs", "tokens", "word"), [(8, 7, "at most 7 tokens"), (1, 0, "without drafts")])
def test_drafts_fit_into_the_largest_graph(
    engine_args: type[EngineArgs], caplog: pytest.LogCaptureFixture, graphs: int, tokens: int, word: str
) -> None:
    assert built(engine_args(graphs=graphs)) == tokens
    assert len(caplog.messages) == 1
    assert word in caplog.messages[0]
    assert f"cudagraph_capture_sizes is {graphs}" in caplog.messages[0]


def test_what_vllm_refuses_beside_drafts_is_served_without_and_said_once(
    engine_args: type[EngineArgs], caplog: pytest.LogCaptureFixture
) -> None:
    for lora in (False, True):
        caplog.clear()
        assert built(engine_args(v2_only=True, enable_lora=lora)) == 0
        assert len(caplog.messages) == 1
        assert "serving without drafts" in caplog.messages[0]
        assert "trace replay requires Model Runner V2" in caplog.messages[0]


def test_what_vllm_refuses_anyway_is_its_own_word(
    engine_args: type[EngineArgs], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(OSError, match="no such model"):
        engine_args(model_is_there=False).create_engine_config()
    other = engine_args(scheduler_cls=None, speculative_config=dict(OURS), v2_only=True)
    with pytest.raises(ValueError, match="V2"):
        other.create_engine_config()
    assert not caplog.messages


def test_a_request_that_the_rejection_sampler_does_not_know_is_refused_beside_our_method() -> None:
    class SamplingParams:
        logprob_token_ids: list[int] | None = None
        seen: Any = None

        def _validate_spec_decode(self, speculative_config: Any) -> None:
            self.seen = speculative_config

    class VLLMValidationError(Exception):
        pass

    module = SimpleNamespace(SamplingParams=SamplingParams, VLLMValidationError=VLLMValidationError)
    for _ in range(2):
        plugin.refuse(module)
    ours, other = (SimpleNamespace(method="custom_class", model=m) for m in (plugin.PROPOSER, "mine.Proposer"))
    asked = SamplingParams()
    asked._validate_spec_decode(ours)
    asked.logprob_token_ids = [1, 2]
    for config in (None, other):
        asked._validate_spec_decode(config)
        assert asked.seen is config
    with pytest.raises(VLLMValidationError, match="logprob_token_ids"):
        asked._validate_spec_decode(ours)
    assert asked.seen is ours
    del module.VLLMValidationError
    with pytest.raises(ValueError, match="logprob_token_ids"):
        asked._validate_spec_decode(ours)


def test_registering_without_vllm_raises_nothing() -> None:
    plugin.register()
