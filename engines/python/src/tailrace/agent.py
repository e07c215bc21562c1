"""The connection to the agent.

Two types share the work. :class:`Connector` owns a daemon thread that connects, says HELLO and reads the answer, again
and again until it is welcome; an engine's own thread never waits for any of that. :class:`Connection` is a welcome
socket, used by the engine's thread: sending never blocks, and reading waits no longer than it is told to.

The connector says each change of state once, by :mod:`logging`, with addresses and names and never a token.
"""

from __future__ import annotations

import contextlib
import logging
import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tailrace import protocol
from tailrace.protocol import ProtocolError

log = logging.getLogger("tailrace.agent")

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0
SILENCE_SECONDS = 5.0
RETRY_SECONDS = 1.0
AGAIN_SECONDS = 0.02
REFUSED_RETRY_SECONDS = 60.0
LINES_A_MINUTE_MAX = 20
WELCOME_BYTES_MAX = 4 + 2 * (4 + protocol.STRING_BYTES_MAX)  # more than a REFUSED has
_BUFFER_BYTES = 1 << 16
_SELECTABLE_MAX = 1024


class Lost(Exception):  # noqa: N818
    """The connection is of no use any more. The message says why."""


@dataclass(frozen=True)
class Address:
    """Where the agent listens: the path of a Unix socket, or a port of the loopback address."""

    path: str = ""
    host: str = ""
    port: int = 0

    @staticmethod
    def parse(text: str) -> Address:
        """A path, or `tcp://127.0.0.1:PORT`. Raises ValueError for anything else."""
        if "://" not in text and not text.startswith("tcp:"):
            return Address(path=str(Path(text).expanduser()))
        host, _, port = text.removeprefix("tcp://").rpartition(":")
        if host not in ("127.0.0.1", "localhost") or not port.isdecimal() or not 0 < int(port) < 65536:
            raise ValueError(f"the agent's address is a path or tcp://127.0.0.1:PORT, got {text!r}")
        return Address(host=host, port=int(port))

    def __str__(self) -> str:
        return self.path or f"tcp://{self.host}:{self.port}"

    def connect(self, seconds: float) -> socket.socket:
        """A connected socket. Raises OSError."""
        if self.path:
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                made.settimeout(seconds)
                made.connect(self.path)
            except BaseException:
                made.close()
                raise
            return made
        made = socket.create_connection((self.host, self.port), seconds)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made


class Connection:
    """A welcome socket. Not thread-safe: its user holds a lock."""

    def __init__(self, made: socket.socket, welcome: protocol.Welcome) -> None:
        made.setblocking(False)
        self.agent = welcome.agent
        self.scope = welcome.scope
        self.moved_at = 0.0  # when the socket last took some of what it had not taken at once
        self._socket = made
        self._unsent = memoryview(b"")
        self.buffer = bytearray(_BUFFER_BYTES)
        self._have = 0

    def send(self, frame: bytes) -> None:
        """Sends what the socket takes and keeps the rest for flush."""
        self._unsent = memoryview(frame)
        self.flush()

    @property
    def behind(self) -> bool:
        """Whether the socket has not taken everything yet."""
        return bool(self._unsent)

    def flush(self) -> bool:
        """Whether there is no more to send. An agent that has gone may have said why: that is read next."""
        try:
            while self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
                if self._unsent:
                    self.moved_at = time.monotonic()
        except BlockingIOError:
            return False
        except OSError:
            self._unsent = memoryview(b"")
        return True

    def receive(self, body_bytes_max: int, seconds: float) -> tuple[int, int, int] | None:
        """Type, sequence and end of the next frame, whose body starts at 16 in `buffer`; None when it is not there.

        Waits `seconds` at most, 0 for not at all. The frame stays in the buffer until `forget`. Raises Lost, and
        ProtocolError for a header that cannot be.
        """
        deadline = 0.0
        while True:
            if self._have >= protocol.HEADER_BYTES:
                size, kind, sequence = protocol.read_header(self.buffer)
                if size > max(body_bytes_max, protocol.STRING_BYTES_MAX + 8):
                    raise ProtocolError(f"the answer has at most {body_bytes_max} bytes, the header says {size}")
                end = protocol.HEADER_BYTES + size
                if self._have >= end:
                    return kind, sequence, end
                if end > len(self.buffer):
                    self.buffer.extend(bytes(end - len(self.buffer)))
            if self._unsent:
                self.flush()
            if self._read():
                continue
            if seconds <= 0:
                return None
            now = time.perf_counter()
            deadline = deadline or now + seconds
            if now >= deadline:
                return None
            self._wait(deadline - now)

    def _read(self) -> bool:
        if self._have == len(self.buffer):
            return False
        try:
            with memoryview(self.buffer) as view:
                count = self._socket.recv_into(view[self._have :])
        except BlockingIOError:
            return False
        except OSError as e:
            raise Lost(f"receiving failed: {e}") from e
        if count == 0:
            raise Lost("the agent closed the connection")
        self._have += count
        return True

    def _wait(self, seconds: float) -> None:
        writers = [self._socket] if self._unsent else []
        if self._socket.fileno() < _SELECTABLE_MAX:
            select.select([self._socket], writers, [], seconds)
        else:  # select knows no such descriptor, and poll counts whole milliseconds
            time.sleep(min(seconds, 20e-6))

    def forget(self, end: int) -> None:
        """Drops the frame that ends at `end`."""
        rest = self._have - end
        if rest:
            self.buffer[:rest] = self.buffer[end : self._have]
        self._have = rest

    def closed_by_agent(self) -> bool:
        """Whether the other end is gone. Reads nothing, so it may be called beside the engine's thread."""
        try:
            return self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def close(self) -> None:
        """Closes the socket."""
        with contextlib.suppress(OSError):
            self._socket.close()


@dataclass(frozen=True)
class Attachment:
    """What came of one try to attach: a connection, or words why not and when to try again."""

    connection: Connection | None
    words: str
    retry_seconds: float


def attach(address: Address, hello: protocol.Hello) -> Attachment:
    """Connects, says HELLO and reads the answer, within some seconds. Never raises."""
    made: socket.socket | None = None
    try:
        made = address.connect(CONNECT_SECONDS)
        made.settimeout(ANSWER_SECONDS)
        made.sendall(protocol.encode(0, hello))
        _, answer = protocol.decode(_read_frame(made, time.monotonic() + ANSWER_SECONDS))
        if isinstance(answer, protocol.Welcome):
            connection, made = Connection(made, answer), None
            return Attachment(connection, answer.agent, 0)
        if isinstance(answer, protocol.Refused):
            return Attachment(None, refusal(answer), _retry_seconds(answer.code))
        return Attachment(None, f"the agent at {address} answered HELLO with {type(answer).__name__}", RETRY_SECONDS)
    except FileNotFoundError:
        return Attachment(None, f"no agent listens at {address}", RETRY_SECONDS)
    except (OSError, ProtocolError) as e:
        return Attachment(None, f"the agent at {address} does not answer: {e}", RETRY_SECONDS)
    finally:
        if made is not None:
            made.close()


def refusal(refused: protocol.Refused) -> str:
    """The agent's refusal in words."""
    return f"the agent refused (code {refused.code}): {refused.words}"


def _retry_seconds(code: int) -> float:
    lasting = code in (protocol.REFUSED_VERSION, protocol.REFUSED_MODEL)
    return REFUSED_RETRY_SECONDS if lasting else RETRY_SECONDS


def _read_frame(made: socket.socket, until: float) -> bytes:
    head = _read_exactly(made, protocol.HEADER_BYTES, until)
    size = protocol.read_header(head)[0]
    if size > WELCOME_BYTES_MAX:
        raise ProtocolError(f"the answer to HELLO is short, the header says {size} bytes")
    return head + _read_exactly(made, size, until)


def _read_exactly(made: socket.socket, count: int, until: float) -> bytes:
    got = b""
    while len(got) < count:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        made.settimeout(left)
        part = made.recv(count - len(got))
        if not part:
            raise ConnectionResetError("it closed the connection")
        got += part
    return got


class Connector:
    """Keeps a door attached, from a thread of its own.

    `tick` is called about once a second from that thread, so that a door can do what an idle engine does not; soon
    again while it says that there is more to do.
    """

    def __init__(self, address: Address, hello: protocol.Hello, tick: Callable[[], bool]) -> None:
        self._address = address
        self._hello = hello
        self._tick = tick
        self._lock = threading.Lock()  # of what this thread and the engine's share
        self._ready: Connection | None = None
        self._current: Connection | None = None
        self._wake = threading.Event()
        self._stopped = False
        self._said = ""
        self._minute_began = -60.0
        self._lines = 0
        self._thread = threading.Thread(target=self._run, name="tailrace-agent", daemon=True)

    def start(self) -> None:
        """Starts the thread, once: two would take each other's place at the agent."""
        if self._thread.ident is None:
            self._thread.start()

    def take(self) -> Connection | None:
        """A connection that has become ready since the last call; the one before it is of no use any more."""
        if self._ready is None:  # as in nearly every step
            return None
        with self._lock:
            taken, self._ready = self._ready, None
            return taken

    def lost(self, connection: Connection, why: str) -> None:
        """The door gives a connection up."""
        connection.close()
        with self._lock:
            known = self._current is connection
            if known:
                self._current = None
        if known:
            self._say(logging.WARNING, f"serving without drafts: {why}; attaching again each second")

    def stop(self) -> None:
        """Ends the thread and closes what it holds."""
        with self._lock:
            self._stopped = True
            held = self._ready, self._current
        self._wake.set()
        for connection in held:
            if connection is not None:
                connection.close()

    def _run(self) -> None:
        while not self._stopped:
            seconds = RETRY_SECONDS
            try:
                current = self._current
                if current is None or current.closed_by_agent():
                    seconds = self._attach()
                if self._tick():
                    seconds = AGAIN_SECONDS
            except Exception:
                log.exception("the thread that attaches to the agent goes on after a fault")
            self._wake.wait(seconds)
            self._wake.clear()

    def _attach(self) -> float:
        answer = attach(self._address, self._hello)
        with self._lock:
            self._current = answer.connection
            if answer.connection is not None:
                self._ready = answer.connection
                if self._stopped:
                    answer.connection.close()
        if answer.connection is None:
            self._say(logging.WARNING, f"serving without drafts: {answer.words}")
            return answer.retry_seconds
        self._say(logging.INFO, f"attached to {answer.words} at {self._address}")
        return RETRY_SECONDS

    def _say(self, level: int, words: str) -> None:
        """Says what has changed, up to so many lines a minute: an agent may come and go without end."""
        if words == self._said:
            return
        self._said = words
        now = time.monotonic()
        if now - self._minute_began > 60:
            self._minute_began, self._lines = now, 0
        self._lines += 1
        if self._lines <= LINES_A_MINUTE_MAX:
            more = "; saying no more for a minute" if self._lines == LINES_A_MINUTE_MAX else ""
            log.log(level, "%s%s", words, more)
