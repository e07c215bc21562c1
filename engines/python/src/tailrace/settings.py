"""What a door is told by the environment.

======================== ============================================================ =========================
variable                 what                                                         default
======================== ============================================================ =========================
TAILRACE_AGENT           where the agent listens: a path, or tcp://127.0.0.1:PORT     ~/.tailrace/agent.sock
TAILRACE_MODEL           the model, as the fleet calls it                             what the engine calls it
TAILRACE_REVISION        the revision of its weights                                  the engine's, else main
TAILRACE_TOKENIZER       the tokenizer's fingerprint                                  from tokenizer.json
TAILRACE_ENGINE          this engine's name in the fleet                              host, model and rank
TAILRACE_SCOPE           whose answers its requests share                             empty: the agent's choice
TAILRACE_SCOPE_HEADER    the header that bears a request's scope                      none: one scope for all
TAILRACE_SCOPE_SECRET    what marks the scopes that the middleware names              random, made by the plug-in
TAILRACE_DRAFT_TOKENS    most draft tokens of a request and step, 1 to 64             16
======================== ============================================================ =========================
"""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tailrace.agent import Address
from tailrace.protocol import DRAFT_TOKENS_MAX, ENGINE_BYTES_MAX, STRING_BYTES_MAX

AGENT = "TAILRACE_AGENT"
MODEL = "TAILRACE_MODEL"
REVISION = "TAILRACE_REVISION"
TOKENIZER = "TAILRACE_TOKENIZER"
ENGINE = "TAILRACE_ENGINE"
SCOPE = "TAILRACE_SCOPE"
SCOPE_HEADER = "TAILRACE_SCOPE_HEADER"
SCOPE_SECRET = "TAILRACE_SCOPE_SECRET"
DRAFT_TOKENS = "TAILRACE_DRAFT_TOKENS"
AGENT_DEFAULT = "~/.tailrace/agent.sock"
DRAFT_TOKENS_DEFAULT = 16


class SettingsError(ValueError):
    """A setting cannot be used. The message says which, what was found, and what to do."""


@dataclass(frozen=True)
class Settings:
    """The environment's settings; empty where the engine's own values count."""

    address: Address
    model: str = ""
    revision: str = ""
    tokenizer: str = ""
    engine: str = ""
    scope: str = ""
    scope_header: str = ""
    scope_secret: str = field(default="", repr=False)
    draft_tokens: int = DRAFT_TOKENS_DEFAULT

    @staticmethod
    def read(environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings of this process. Raises SettingsError."""
        try:
            address = Address.parse(environment.get(AGENT) or AGENT_DEFAULT)
        except ValueError as e:
            raise SettingsError(f"{AGENT}: {e}") from e
        for name in (MODEL, REVISION, TOKENIZER, SCOPE):
            if len(environment.get(name, "").encode()) > STRING_BYTES_MAX:
                raise SettingsError(f"{name} has at most {STRING_BYTES_MAX} bytes")
        return Settings(
            address,
            environment.get(MODEL, ""),
            environment.get(REVISION, ""),
            environment.get(TOKENIZER, ""),
            environment.get(ENGINE, ""),
            environment.get(SCOPE, ""),
            environment.get(SCOPE_HEADER, ""),
            environment.get(SCOPE_SECRET, ""),
            _draft_tokens(environment.get(DRAFT_TOKENS, "")),
        )

    def engine_name(self, model: str, rank: int) -> str:
        """This engine's name in the fleet: the same after a restart, and another for each rank."""
        name = self.engine or f"{socket.gethostname()}:{model}"
        told_apart = "" if self.engine and not rank else f":{rank}"
        encoded = name.replace("#", "-").encode("utf-8", "replace")[: ENGINE_BYTES_MAX - len(told_apart)]
        return encoded.decode("utf-8", "ignore") + told_apart


def _draft_tokens(text: str) -> int:
    if not text:
        return DRAFT_TOKENS_DEFAULT
    if not text.isdecimal() or not 1 <= int(text) <= DRAFT_TOKENS_MAX:
        raise SettingsError(f"{DRAFT_TOKENS} is a number from 1 to {DRAFT_TOKENS_MAX}, got {text!r}")
    return int(text)


def fingerprint(tokenizer_json: Path) -> str:
    """The fingerprint of a tokenizer.json. Raises OSError."""
    return "sha256:" + hashlib.sha256(tokenizer_json.read_bytes()).hexdigest()[:32]


def find_fingerprint(tokenizer: str, revision: str | None, *, download: bool = False) -> str:
    """The fingerprint of a tokenizer by its folder, file or Hugging Face name. Raises SettingsError if it has none.

    With `download` it is fetched where a name is not in Hugging Face's cache.
    """
    path = Path(tokenizer).expanduser()
    for candidate in (path / "tokenizer.json", path):
        if candidate.name == "tokenizer.json" and candidate.is_file():
            return fingerprint(candidate)
    found = find_file(tokenizer, revision, "tokenizer.json", download=download)
    if found is not None:
        return fingerprint(found)
    raise SettingsError(
        f"{tokenizer} has no tokenizer.json, so its fingerprint is unknown; set {TOKENIZER} to sha256: and the first "
        "32 hexadecimal digits of the SHA-256 of the file that defines the tokenizer, the same on every engine of "
        "this model"
    )


def find_file(model: str, revision: str | None, name: str, *, download: bool = False) -> Path | None:
    """A file of a model, in its folder or in Hugging Face's cache; None if it is not there."""
    local = Path(model).expanduser() / name
    if local.is_file():
        return local
    for local_only in (True, False) if download else (True,):
        try:
            from huggingface_hub import hf_hub_download

            return Path(hf_hub_download(model, name, revision=revision, local_files_only=local_only))
        except Exception:
            continue
    return None
