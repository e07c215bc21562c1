"""A request's scope from a header, for vLLM's HTTP server.

Start vLLM with ``--middleware tailrace.scope.ScopeFromHeader`` and set ``TAILRACE_SCOPE_HEADER`` to the header's name.
The gateway in front of vLLM must set this header for each authenticated tenant and must remove it from what clients
send: whoever can set it can draw on that scope's answers.

The middleware puts the scope into the request's ``vllm_xargs`` as ``tailrace_scope``, where the scheduler finds it, and
removes what a client has put there itself. Before the scope stands a mark, made of it with a secret that vLLM's
processes share (:func:`make_secret`). So where the middleware is missing no client can name a scope. vLLM's log of
requests, where it is on, shows scopes with their marks, not the secret. A request without the header
belongs to nobody, and is marked as private: it is drafted for from its own context only, and its answer is neither
remembered nor reported. So is one with a scope that reaches a scheduler which knows of no header. Where such a
scheduler gets what has no place for a mark (a batch of chats, a form, a body beyond the bound), all share one scope.

Without ``TAILRACE_SCOPE_HEADER`` all requests have one scope. A request with ``"store": false`` is
marked as ``tailrace_private`` all the same. A batch of chats, which has no extra arguments, gets a ``cache_salt`` of
its own instead: the scheduler takes that for private, too.

vLLM runs the middleware before it looks at ``--api-key``, so whoever reaches the port is read: authentication belongs
in the gateway. The middleware reads JSON alone, of the paths that generate, and no more than ``BODY_BYTES_MAX`` of a
request. A larger one goes on unread and has no scope. Everything else passes as it comes.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from tailrace.protocol import STRING_BYTES_MAX
from tailrace.settings import SCOPE_HEADER, SCOPE_SECRET

log = logging.getLogger("tailrace.scope")

KEY = "tailrace_scope"
PRIVATE = "tailrace_private"
# By the end of the path: where the body's extra arguments stand.
_PLACES = {
    "/completions": ("vllm_xargs",),
    "/responses": ("vllm_xargs",),
    "/messages": ("vllm_xargs",),
    "/invocations": ("vllm_xargs",),
    "/generate": ("sampling_params", "extra_args"),
}
_UNMARKED = "/completions/batch"  # generates, and has no place for them
BODY_BYTES_MAX = 16 << 20

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


def make_secret() -> None:
    """Makes what marks the middleware's scopes, where a header bears them. The processes started later inherit it."""
    if os.environ.get(SCOPE_HEADER) and not os.environ.get(SCOPE_SECRET):
        os.environ[SCOPE_SECRET] = secrets.token_hex(16)


def named(arguments: Mapping[str, Any] | None, secret: str) -> str:
    """The scope in a request's extra arguments; empty if there is none that the middleware has put there."""
    mark, _, scope = str((arguments or {}).get(KEY, "")).partition(":")
    ours = secret and hmac.compare_digest(mark.encode("utf-8", "replace"), _mark(scope, secret).encode())
    return scope if ours and len(scope.encode("utf-8", "replace")) <= STRING_BYTES_MAX else ""


def marked(scope: str, secret: str) -> str:
    """A scope as :func:`named` takes it."""
    return f"{_mark(scope, secret)}:{scope}"


def _mark(scope: str, secret: str) -> str:
    return hmac.new(secret.encode(), scope.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]


class ScopeFromHeader:
    """An ASGI middleware."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._header = os.environ.get(SCOPE_HEADER, "").lower().encode()
        self._secret = os.environ.get(SCOPE_SECRET, "")
        if self._header and not self._secret:
            log.warning("no request has a scope: plug-in tailrace is off, so set %s to random characters", SCOPE_SECRET)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One connection."""
        if not _generates(scope):
            await self._app(scope, receive, send)
            return
        body, whole, rest = await _read(receive)
        changed = self._with_marks(body, _path(scope), self._tenant(scope)) if whole else None
        if changed is not None:
            length = str(len(changed)).encode()
            headers = [(k, length if k == b"content-length" else v) for k, v in scope["headers"]]
            scope, body = {**scope, "headers": headers}, changed
        await self._app(scope, _replay(body, whole, rest, receive), send)

    def _tenant(self, scope: Message) -> str:
        values = [v for k, v in scope["headers"] if self._header and k.lower() == self._header]
        if len(values) != 1:  # twice is as good as none: somebody has added one to the gateway's
            return ""
        tenant: str = values[0].decode("latin-1").strip(" \t")  # bytes of UTF-8 are spaces, too, in latin-1
        return tenant if len(tenant.encode()) <= STRING_BYTES_MAX else ""

    def _with_marks(self, body: bytes, path: str, tenant: str) -> bytes | None:
        """The body with this scope and no other; None if it needs no change."""
        try:
            return self._marked(json.loads(body), path, tenant)
        except (ValueError, RecursionError):
            return None  # vLLM refuses it

    def _marked(self, request: Any, path: str, tenant: str) -> bytes | None:
        if not isinstance(request, dict):
            return None
        changed = bool(self._header) and _strip(request)
        marks: dict[str, Any] = {KEY: marked(tenant, self._secret)} if tenant and self._secret else {}
        asked = request.get("store") is False
        if asked or (self._header and not marks):  # whatever the scheduler's process knows of the header
            marks[PRIVATE] = 1
        place = next((p for end, p in _PLACES.items() if path.endswith(end)), None)
        if marks and place is not None and _put(request, place, marks):
            changed = True
        if path.endswith(_UNMARKED) and asked and not request.get("cache_salt"):
            request["cache_salt"] = secrets.token_hex(16)
            changed = True
        return json.dumps(request).encode() if changed else None


def _put(request: dict[str, Any], place: tuple[str, ...], marks: dict[str, Any]) -> bool:
    at = request
    for name in place:
        if at.get(name) is None:
            at[name] = {}
        at = at[name]
        if not isinstance(at, dict):
            return False
    at.update(marks)
    return True


def _strip(request: dict[str, Any]) -> bool:
    """Removes every scope that the client has put in, however deep; whether there was one."""
    found = False
    inner: list[Any] = [request]
    while inner:
        value = inner.pop()
        if isinstance(value, dict):
            found = value.pop(KEY, value) is not value or found
            inner += value.values()
        elif isinstance(value, list):
            inner += [one for one in value if isinstance(one, dict | list)]
    return found


def _path(scope: Message) -> str:
    return str(scope.get("path", "")).rstrip("/")


def _generates(scope: Message) -> bool:
    """Whether a request may be one to generate, in JSON, and no larger than is read."""
    if scope.get("type") != "http" or scope.get("method") != "POST":
        return False
    if not _path(scope).endswith((*_PLACES, _UNMARKED)):
        return False
    types = [v.lower() for k, v in scope["headers"] if k.lower() == b"content-type"]
    lengths = [v for k, v in scope["headers"] if k.lower() == b"content-length"]
    is_json = not types or any(b"json" in v for v in types)  # where none is named, it may be taken for JSON
    return is_json and not any(v.isdigit() and int(v) > BODY_BYTES_MAX for v in lengths)


async def _read(receive: Receive) -> tuple[bytes, bool, Message | None]:
    """The body, and whether it is whole; a message that is none of it, if the client has gone."""
    parts: list[bytes] = []
    size = 0
    while size <= BODY_BYTES_MAX:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts), False, message
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if not message.get("more_body", False):
            return b"".join(parts), True, None
    return b"".join(parts), False, None


def _replay(body: bytes, whole: bool, rest: Message | None, receive: Receive) -> Receive:
    told: list[Message] = [{"type": "http.request", "body": body, "more_body": not whole}]
    if rest is not None:
        told.append(rest)

    async def again() -> Message:
        return told.pop(0) if told else await receive()

    return again
