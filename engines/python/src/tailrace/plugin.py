"""vLLM's general plug-in: with ``--scheduler-cls tailrace.vllm.TailraceScheduler`` no other flag is needed.

vLLM verifies drafts only when a speculative method is configured. Where the scheduler is Tailrace's and the user named
no method, the plug-in configures one whose proposer proposes nothing (:class:`tailrace.vllm.NoDrafts`). Where drafting
cannot work, it takes the scheduler back, so that vLLM serves with its own.

Where vLLM refuses to start with that configuration, it is made once more: with shorter drafts if those fit, else
without Tailrace.

It wraps ``EngineArgs.create_speculative_config`` and ``create_engine_config``, and raises nothing of its own there.

vLLM's rejection sampler does not know ``logprob_token_ids``: a request with them fails, and beside one with
``logprobs`` it can end the engine. So it is refused where vLLM refuses ``min_p``, in ``_validate_spec_decode``.

The plug-in also makes the secret that the middleware and the scheduler share (:mod:`tailrace.scope`): vLLM makes the
middleware when the engine runs already.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tailrace import names, scope
from tailrace.settings import Settings, SettingsError, find_fingerprint

log = logging.getLogger("tailrace.plugin")

SCHEDULER = "tailrace.vllm.TailraceScheduler"
PROPOSER = "tailrace.vllm.NoDrafts"
NO_CPU = "0.30"  # its rejection sampler needs Triton, also for n-grams


def register() -> None:
    """Called by vLLM in each of its processes, perhaps more than once; first in the one that starts the others."""
    try:
        scope.make_secret()
        engine_args: Any = importlib.import_module("vllm.engine.arg_utils").EngineArgs
        wrap(engine_args)
        refuse(importlib.import_module("vllm.sampling_params"))
    except Exception:
        log.exception("vLLM's configuration cannot be completed; give --speculative-config as the README shows")


def wrap(engine_args: Any) -> None:
    """Makes `create_speculative_config` complete the configuration first, and `create_engine_config` step aside."""
    if getattr(engine_args.create_speculative_config, "__tailrace__", False):
        return
    for method, wrapped in (
        ("create_speculative_config", _completing(engine_args.create_speculative_config)),
        ("create_engine_config", _starting(engine_args.create_engine_config)),
    ):
        wrapped.__tailrace__ = True  # type: ignore[attr-defined]
        setattr(engine_args, method, wrapped)


def refuse(module: Any) -> None:
    """Makes `SamplingParams` of vLLM's module refuse `logprob_token_ids` beside the speculative method of ours."""
    original = module.SamplingParams._validate_spec_decode
    if getattr(original, "__tailrace__", False):
        return

    @functools.wraps(original)
    def _validate_spec_decode(self: Any, speculative_config: Any) -> None:
        original(self, speculative_config)
        if self.logprob_token_ids is not None and proposes_nothing(speculative_config):
            error = getattr(module, "VLLMValidationError", ValueError)  # vLLM answers either with 400
            raise error("The logprob_token_ids sampling parameter is not supported with speculative decoding.")

    _validate_spec_decode.__tailrace__ = True  # type: ignore[attr-defined]
    module.SamplingParams._validate_spec_decode = _validate_spec_decode


def proposes_nothing(speculative_config: Any) -> bool:
    """Whether vLLM's speculative method is the one whose proposer is :class:`tailrace.vllm.NoDrafts`."""
    method, proposer = (getattr(speculative_config, name, None) for name in ("method", "model"))
    return method == "custom_class" and proposer == PROPOSER


def _completing(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def create_speculative_config(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if is_ours(self.scheduler_cls):
                complete(self, *args, **kwargs)
        except Exception:
            log.exception("serving without drafts: vLLM's configuration could not be completed")
            _step_aside(self)
        return original(self, *args, **kwargs)

    return create_speculative_config


def _starting(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def create_engine_config(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            config = original(self, *args, **kwargs)
            room, why = _room_in_graphs(self, config)
            if not why:
                return config
        except Exception as e:
            if not _completed(self):
                raise
            room, why = _room_beside_lora(self, e)
        vars(self).clear()
        vars(self).update(before)
        what = _draft_less(self, room)
        drafts = is_ours(self.scheduler_cls)
        config = create_engine_config(self, *args, **kwargs)  # without drafts vLLM's own error is the last word
        if drafts == is_ours(self.scheduler_cls):
            log.warning("%s: %s", what, why)
        return config

    return create_engine_config


def _completed(args: Any) -> bool:
    """Whether vLLM has taken up a configuration of ours."""
    return is_ours(args.scheduler_cls) and "target_model_config" in (args.speculative_config or {})


def _room_beside_lora(args: Any, refusal: Exception) -> tuple[int, str]:
    """How many draft tokens vLLM's sizes have room for, where that is what it refuses, and why it does."""
    tokens = args.speculative_config.get("num_speculative_tokens", 0)
    rows, requests = args.max_num_batched_tokens, args.max_num_seqs  # vLLM has set them, if it came so far
    if args.enable_lora and rows and requests and rows < requests * (tokens + 1):
        return rows // requests - 1, (
            f"with LoRA vLLM asks for --max-num-batched-tokens {requests * (tokens + 1)} for drafts of {tokens} tokens "
            f"and --max-num-seqs {requests}, and has {rows}"
        )
    return 0, f"vLLM does not start with a speculative method here: {' '.join(str(refusal).split())}"


def _room_in_graphs(args: Any, config: Any) -> tuple[int, str]:
    """How many draft tokens the largest CUDA graph has room for, and why fewer than asked; no words where all have."""
    if not _completed(args):
        return 0, ""
    tokens = config.speculative_config.num_speculative_tokens
    compilation = getattr(config, "compilation_config", None)
    largest = getattr(compilation, "max_cudagraph_capture_size", None) or 0
    mode = getattr(compilation, "cudagraph_mode", None)
    if not 0 < largest <= tokens or mode is None or mode.decode_mode().name != "FULL":
        return 0, ""
    return largest - 1, (
        f"vLLM captures CUDA graphs of a whole draft and one more row, {tokens + 1} with {tokens} draft tokens, and "
        f"the largest cudagraph_capture_sizes is {largest}"
    )


def _draft_less(args: Any, tokens: int) -> str:
    """Asks for shorter drafts where some fit and nobody has said how long they are, else for none; says which."""
    config = {k.replace("-", "_"): v for k, v in (args.speculative_config or {}).items()}
    if tokens > 0 and args.spec_tokens is None and "num_speculative_tokens" not in config:
        args.speculative_config = {**config, "num_speculative_tokens": tokens}
        return f"drafts have at most {tokens} tokens"
    _step_aside(args)
    return "serving without drafts"


def is_ours(scheduler: Any) -> bool:
    """Whether a scheduler, by name or as a class, is Tailrace's."""
    if isinstance(scheduler, str):
        return scheduler == SCHEDULER
    return scheduler is not None and f"{scheduler.__module__}.{scheduler.__qualname__}" == SCHEDULER


def complete(args: Any, target_model_config: Any, target_parallel_config: Any) -> None:
    """Adds the speculative method to the arguments, or takes the scheduler out of them and says why."""
    why = _unfit(args, target_model_config, target_parallel_config)
    if why:
        _step_aside(args)
        log.warning("serving without drafts: %s", why)
        return
    config = dict(args.speculative_config or {})
    for key, flag, value in (
        ("method", "spec_method", "custom_class"),
        ("model", "spec_model", PROPOSER),
        ("num_speculative_tokens", "spec_tokens", Settings.read().draft_tokens),
    ):
        if getattr(args, flag, None) is None:  # vLLM adds what a flag says
            config.setdefault(key, value)
    args.speculative_config = config


def _step_aside(args: Any) -> None:
    """Takes the scheduler out of the arguments, and the speculative settings with it unless they are another's."""
    args.scheduler_cls = None
    if not _others_method(args):
        args.speculative_config = args.spec_method = args.spec_model = args.spec_tokens = None


def _others_method(args: Any) -> str:
    """The speculative method or proposer, where it is another's; empty where it is ours or none is named."""
    config = {k.replace("-", "_"): v for k, v in (args.speculative_config or {}).items()}
    method = config.get("method") or getattr(args, "spec_method", None)
    proposer = config.get("model") or getattr(args, "spec_model", None)
    ours = method in (None, "custom_class") and proposer in (None, PROPOSER)
    return "" if ours else str(method or proposer)


def _unfit(args: Any, model: Any, parallel: Any) -> str:
    """Why drafting cannot work here; empty if it can."""
    method = _others_method(args)
    if method:
        return f"the speculative method is {method}; remove it, and Tailrace drafts"
    if getattr(model, "runner_type", "generate") != "generate":
        return "this model does not generate text"
    if getattr(model, "is_diffusion", False):
        return "this is a diffusion model"
    verdict = names.verdict(names.version())
    return (
        why_not_these_ranks(parallel)
        or verdict.why_not
        or why_not_here(verdict)
        or _refused(args, model, parallel)
        or _unnamed(model)
    )


def why_not_these_ranks(parallel: Any) -> str:
    """Why no single scheduler decides alone what all ranks compute; empty if one does."""
    if getattr(parallel, "pipeline_parallel_size", 1) > 1:
        return "with pipeline parallelism steps overlap, and vLLM takes no drafts in lists"
    external = getattr(parallel, "distributed_executor_backend", None) == "external_launcher"
    if external and getattr(parallel, "tensor_parallel_size", 1) > 1:
        return "with external_launcher each rank has a scheduler of its own, and drafts may reach one and not another"
    return ""


def _refused(args: Any, model: Any, parallel: Any) -> str:
    """What the user asked for that vLLM refuses, or drops in silence, beside drafts in lists; empty if nothing."""
    if args.async_scheduling:
        return "scheduling is asynchronous; remove --async-scheduling, and Tailrace drafts"
    if getattr(parallel, "prefill_context_parallel_size", 1) > 1:
        return "prefill context parallelism needs vLLM's V2 model runner, which takes no drafts in lists"
    if getattr(parallel, "enable_batch_sharded_sampling", None):
        return "batch-sharded sampling needs vLLM's V2 model runner, which takes no drafts in lists"
    if getattr(args, "watermark_config", None):
        return "watermarks need vLLM's V2 model runner, which takes no drafts in lists"
    return refused_here(model.get_diff_sampling_param(), args.logits_processors or ())


def refused_here(sampling: Mapping[str, Any], processors: Sequence[Any] = ()) -> str:
    """The same, of what the environment and the model's sampling parameters ask for; `processors` are given ones."""
    if os.environ.get("VLLM_USE_V2_MODEL_RUNNER") == "1":
        return "vLLM's V2 model runner takes no drafts in lists; unset VLLM_USE_V2_MODEL_RUNNER"
    loaded = [str(given) for given in processors]
    loaded += [e.name for e in importlib.metadata.entry_points(group="vllm.logits_processors")]
    if loaded:
        return f"vLLM loads no logits processors beside a speculative method, and here are {', '.join(loaded)}"
    if sampling.get("min_p"):
        return (
            "the model's generation_config.json sets min_p for every request, and vLLM refuses min_p beside a "
            """speculative method; with --override-generation-config '{"min_p": 0}' Tailrace drafts"""
        )
    return ""


def _unnamed(model: Any) -> str:
    """Why the agent would not know which tokens the engine speaks; empty if it does."""
    try:
        if not Settings.read().tokenizer:
            find_fingerprint(model.tokenizer, model.tokenizer_revision, download=True)
    except SettingsError as e:
        return str(e)
    return ""


def why_not_here(verdict: names.Verdict) -> str:
    """Why a vLLM whose names are as expected verifies nothing on this platform; empty if it does."""
    if verdict.version.startswith(f"{NO_CPU}.") and _on_cpu():
        return f"vLLM {NO_CPU} for the CPU does not start with any speculative method; take a later one"
    return ""


def _on_cpu() -> bool:
    return bool(importlib.import_module("vllm.platforms").current_platform.is_cpu())
