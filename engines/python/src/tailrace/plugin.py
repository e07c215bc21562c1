"""vLLM's general plug-in: with ``--scheduler-cls tailrace.vllm.TailraceScheduler`` no other flag is needed.

vLLM verifies drafts only when a speculative method is configured. Where the scheduler is Tailrace's and the user named
no method, the plug-in configures one whose proposer proposes nothing (:class:`tailrace.vllm.NoDrafts`). Where drafting
cannot work, it takes the scheduler back, so that vLLM serves with its own.

It wraps one method, ``EngineArgs.create_speculative_config``, and never raises. It also makes the secret that the
middleware and the scheduler share (:mod:`tailrace.scope`): vLLM makes the middleware when the engine runs already.
"""

from __future__ import annotations

import functools
import importlib
import logging
from typing import Any

from tailrace import names, scope

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
    except Exception:
        log.exception("vLLM's configuration cannot be completed; give --speculative-config as the README shows")


def wrap(engine_args: Any) -> None:
    """Makes `create_speculative_config` complete the configuration first."""
    original = engine_args.create_speculative_config
    if getattr(original, "__tailrace__", False):
        return

    @functools.wraps(original)
    def create_speculative_config(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if is_ours(self.scheduler_cls):
                complete(self, *args, **kwargs)
        except Exception:
            log.exception("serving without drafts: vLLM's configuration could not be completed")
            self.scheduler_cls = None
        return original(self, *args, **kwargs)

    create_speculative_config.__tailrace__ = True  # type: ignore[attr-defined]
    engine_args.create_speculative_config = create_speculative_config


def is_ours(scheduler: Any) -> bool:
    """Whether a scheduler, by name or as a class, is Tailrace's."""
    if isinstance(scheduler, str):
        return scheduler == SCHEDULER
    return scheduler is not None and f"{scheduler.__module__}.{scheduler.__qualname__}" == SCHEDULER


def complete(args: Any, target_model_config: Any, target_parallel_config: Any) -> None:
    """Adds the speculative method to the arguments, or takes the scheduler out of them and says why."""
    why = _unfit(args, target_model_config, target_parallel_config)
    if why:
        args.scheduler_cls = None
        log.warning("serving without drafts: %s", why)
        return
    config = dict(args.speculative_config or {})
    config.setdefault("method", "custom_class")
    config.setdefault("model", PROPOSER)
    if getattr(args, "spec_tokens", None) is None:
        config.setdefault("num_speculative_tokens", _draft_tokens())
    args.speculative_config = config


def _unfit(args: Any, model: Any, parallel: Any) -> str:
    """Why drafting cannot work here; empty if it can."""
    config = {k.replace("-", "_"): v for k, v in (args.speculative_config or {}).items()}
    method = config.get("method") or getattr(args, "spec_method", None)
    proposer = config.get("model") or getattr(args, "spec_model", None)
    if method not in (None, "custom_class") or proposer not in (None, PROPOSER):
        return f"the speculative method is {method or proposer}; remove it, and Tailrace drafts"
    if getattr(model, "runner_type", "generate") != "generate":
        return "this model does not generate text"
    if getattr(model, "is_diffusion", False):
        return "this is a diffusion model"
    if getattr(parallel, "pipeline_parallel_size", 1) > 1:
        return "with pipeline parallelism steps overlap, and vLLM takes no drafts in lists"
    verdict = names.verdict(names.version())
    return verdict.why_not or why_not_here(verdict)


def why_not_here(verdict: names.Verdict) -> str:
    """Why a vLLM whose names are as expected verifies nothing on this platform; empty if it does."""
    if verdict.version.startswith(f"{NO_CPU}.") and _on_cpu():
        return f"vLLM {NO_CPU} for the CPU does not start with any speculative method; take a later one"
    return ""


def _on_cpu() -> bool:
    return bool(importlib.import_module("vllm.platforms").current_platform.is_cpu())


def _draft_tokens() -> int:
    from tailrace.settings import Settings

    return Settings.read().draft_tokens
