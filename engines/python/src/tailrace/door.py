"""What the doors of all engines share: who runs, what the agent knows of each, and how long to wait.

An engine's own module calls, for every step of its batch::

    door.begin(request)                     # for each that is new
    door.begin_early()                      # where the engine is about to read prompts: so does the agent meanwhile
    door.said(request, verified, room)      # for each request that has said something, and may go on
    door.end(request, reason)               # for each that has ended
    door.step(nanos, requests, rows, free)  # once: tells the agent and asks for drafts
    door.wait()                             # reads the answer, within the deadline; request.draft has the tokens

Everything a request has said is kept by the engine, in the sequence handed over with :class:`Request`. The door keeps
one number for each request, how much of it the agent knows. So a STEP that could not be sent costs nothing: the next
one says all that has happened since. And a new connection needs no more than setting the numbers to zero.

An engine that does its own bookkeeping between sampling and drafting tells the agent before it, so that both go on at
once: it names the tokens that the sequence does not show yet (`ahead`), and says afterwards that it does (`shown`).

**The deadline.** Waiting takes at most :data:`SHARE` of the steps' time, all in all, and :data:`EARNED` of the time
that accepted drafts have saved, less what steps with drafts took longer; a step that was not measured counts as a mean
one. What a step leaves of that is kept for later ones: a single answer may be waited for up to :data:`BURST` of a mean
step. Each wait is taken off at once. What the machine takes longer to end one, because its cores are busy, is not: the
engine's own work would have waited. Until a step has been measured there is :data:`DEADLINE_SECONDS_FIRST` in all.

**Saving up.** Where less is left than answers have lately been waited for, the door does not ask in that step: it would
wait in vain. A late answer doubles what they are thought to take, to a step's share at least and the longest wait at
most. Each step that does not ask for it shrinks it: one pause of the agent does not keep the door from asking for long.

**Pauses.** Where drafts do not pay, the agent looks only now and then whether they would. It says for how many steps it
will not, and the door does not ask in these, so that nothing waits, until a request begins.

**The circuit breaker.** After :data:`LATE_MAX` late answers in a row the door asks only in every second step, then in
every fourth, down to every 64th. It still tells the agent all that is said. One answer in time closes the breaker.

**Answers that ended.** An ended request is kept until the agent says that its report is safe. At most
:data:`ENDED_MAX` requests are kept, beside those whose end the next STEP tells, and :data:`ENDED_TOKENS_MAX` tokens;
beyond that the oldest are dropped and counted. A connection is given up for it only where the ends themselves are more.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from array import array
from collections import deque
from collections.abc import Sequence

from tailrace import agent, protocol
from tailrace.agent import SILENCE_SECONDS, Address, Connection, Connector, Lost
from tailrace.protocol import ProtocolError, StepWriter
from tailrace.savings import Savings

log = logging.getLogger("tailrace.door")

SHARE = 0.03
EARNED = 0.1
BURST = 0.25
DEADLINE_SECONDS_FIRST = 100e-6
MEAN_STEPS = 16
OUTLIER = 4.0
ANSWER_WEIGHT = 1 / 8
ANSWER_SHRINK = 63 / 64
LATE_MAX = 8
PERIOD_MAX = 64
ENDED_MAX = 1_024
ENDED_TOKENS_MAX = 1 << 24  # of 4 bytes
BEGIN_BYTES_MAX = 1 << 15  # of a STEP's BEGINs together; one alone may be larger
FIXED_BYTES = 64  # more than a STEP has beside its operations, and a BEGIN beside strings and tokens
# What all others say in a STEP has room beside the largest BEGIN.
REQUEST_TOKENS_MAX = (protocol.BODY_BYTES_MAX - (1 << 21)) // 4
NUMBER_MAX = 2**32 - 2
IDLE_SECONDS = 0.5
SAY_SECONDS = 60.0
STOP_SECONDS = 0.5


class Request:
    """One running request, as the agent is told of it.

    `tokens` is a live view: the prompt and, after it, what has been said so far. It only ever grows.
    """

    __slots__ = (
        "ahead",
        "arrived_ms",
        "draft",
        "ended_sequence",
        "handed",
        "number",
        "private",
        "prompt_tokens",
        "reason",
        "room",
        "said_ms",
        "sent",
        "strings",
        "temperature",
        "tokens",
        "verified",
        "whole",
    )

    def __init__(
        self,
        request_id: str,
        tokens: Sequence[int],
        prompt_tokens: int,
        *,
        arrived_ms: int = 0,
        temperature: float = -1.0,
        scope: str = "",
        private: bool = False,
    ) -> None:
        self.strings = protocol.string(_short(request_id)) + protocol.string(scope)
        self.tokens = tokens
        self.prompt_tokens = prompt_tokens
        self.arrived_ms = arrived_ms
        self.temperature = temperature
        self.private = private
        self.number = 0  # 0: the agent does not know it
        self.sent = 0  # how many of `tokens`, and then of `ahead`, the agent knows
        self.ahead: Sequence[int] = ()  # said, and not in `tokens` yet
        self.verified = 0  # draft tokens verified since the last EXTEND
        self.room = 0  # draft tokens wanted for the coming step
        self.draft: list[int] = []
        self.handed = 0  # tokens of the draft that came last, on this connection, and is not verified yet
        self.reason = 0
        self.said_ms = 0
        self.ended_sequence = 0  # the STEP that bore its END
        self.whole = True  # False: it has ended, and `tokens` are only those that its agent does not know yet

    def take(self) -> list[int]:
        """The draft for the coming step, once."""
        draft, self.draft = self.draft, []
        return draft


def _short(request_id: str) -> str:
    """The id as the protocol takes it: what is too long ends in its hash."""
    raw = request_id.encode("utf-8", "replace")
    if len(raw) <= protocol.REQUEST_ID_BYTES_MAX:
        return raw.decode()
    kept = raw[: protocol.REQUEST_ID_BYTES_MAX - 65].decode("utf-8", "ignore")
    return f"{kept}:{hashlib.sha256(raw).hexdigest()}"


class Counts:
    """What has happened, for logs and tests."""

    __slots__ = ("broken", "drafted", "dropped", "late", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.drafted = 0
        self.late = 0
        self.dropped = 0
        self.broken = 0


class Door:
    """One engine's door. Its methods never raise what the agent or the network does.

    `wait`, and `step` after an early BEGIN, wait within the deadline; the others never wait.
    """

    def __init__(self, address: Address, hello: protocol.Hello) -> None:
        self.counts = Counts()
        self.deadline_seconds = DEADLINE_SECONDS_FIRST  # what is left to wait
        self._vocabulary = hello.vocabulary
        self._requests_max = hello.requests_max
        self._lock = threading.Lock()
        self._connector = Connector(address, hello, self._tick)
        self._connection: Connection | None = None
        self._active_at = 0.0
        self._mean_seconds = 0.0
        self._accepted = 0  # draft tokens, since a step was counted
        self._savings = Savings()
        self._answer_seconds = 0.0  # how long answers were waited for, a running mean
        # Requests that run; those of them that are to be begun; those that said something in the step that has just
        # ended; whether others did, too.
        self._live: dict[Request, None] = {}
        self._unbegun: dict[Request, None] = {}
        self._touched: list[Request] = []
        self._behind = False
        # Requests that ended: first those whose END is sent and not acknowledged, then those whose END is not sent.
        self._told: deque[Request] = deque()
        self._untold: deque[Request] = deque()
        self._ending = 0  # of those whose END is not sent, the ones that the agent takes for running
        self._ended_tokens = 0
        # What the connection knows.
        self._begun = 0
        self._number = 0
        self._sequence = 0
        self._awaiting = False
        self._early = False  # whether the STEP under way, or the last one, only begins requests
        self._sent_at = 0.0
        self._asked: list[Request] = []
        self._asked_numbers: list[tuple[int, int]] = []
        # The circuit breaker.
        self._late_in_a_row = 0
        self._period = 1
        self._since_asked = 0
        self._off = False
        self._pause = 0  # in so many steps there is nothing to ask for
        self._said_at: dict[str, float] = {}
        self._faulted = False

    def start(self) -> None:
        """Begins to attach, in the background."""
        self._connector.start()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Leaves the agent. What has ended is told before, within so many seconds."""
        try:
            self._tell_last(time.monotonic() + seconds)
        except Exception:
            self.fault()
        self._connector.stop()

    @property
    def attached(self) -> bool:
        """Whether an agent is there now."""
        return self._connection is not None

    def begin(self, request: Request) -> None:
        """A request runs."""
        with self._lock:
            self._live[request] = None
            self._unbegun[request] = None
            self._pause = 0

    def begin_early(self) -> None:
        """Tells the agent now of requests that have just begun. What cannot be told now is told with the next step."""
        if not self._unbegun:
            return
        self._active_at = time.monotonic()
        with self._lock:
            if not self._behind and self._may_send():
                writer = self._next()
                self._begin_live(writer)
                if writer.operations:
                    self._write(writer, 0, 0, 0, 0)
                    self._early = True
                else:
                    self._sequence -= 1

    def said(self, request: Request, verified: int, room: int, ahead: Sequence[int] = ()) -> None:
        """A running request has said something; so many tokens of its draft were verified; so many it has room for.

        What its sequence does not show yet is named by `ahead`.
        """
        if verified and request.handed:
            request.verified = min(verified, request.handed)
        request.handed = 0
        request.room = room
        request.draft = []
        request.ahead = ahead
        self._touched.append(request)

    def shown(self, request: Request) -> None:
        """The sequence of this request shows what was said ahead of it."""
        request.ahead = ()
        if request.sent > len(request.tokens):
            with self._lock:
                self._lose("the engine took back what it had said")

    def end(self, request: Request, reason: int) -> None:
        """A request has ended. Its tokens do not change any more."""
        with self._lock:
            if request in self._live:
                del self._live[request]
                self._unbegun.pop(request, None)
                request.reason = reason
                request.said_ms = int(time.time() * 1000)
                request.room = 0
                self._keep(request)

    def step(self, nanos: int, requests: int, rows: int, draft_tokens_max: int) -> None:
        """Tells the agent what has happened and asks for drafts. What cannot be told now is told with the next step.

        Waits for nothing but the answer to an early BEGIN, which is short: within the deadline.
        """
        touched, self._touched = self._touched, []
        self._active_at = time.monotonic()
        if nanos:
            self._measured(nanos * 1e-9, requests, rows)
        elif requests:
            self._earn(self._mean_seconds, requests, rows)
        with self._lock:
            self._asked = []
            self._hear_early()
            if self._may_send():
                if not self._asking():
                    for request in touched:
                        request.room = 0
                self._send(touched, nanos, requests, rows, draft_tokens_max)
            else:
                self._behind = True
                for request in touched:
                    request.room = 0

    def wait(self) -> None:
        """Puts the drafts that were asked for into their requests, if they come within the deadline."""
        if not self._asked:
            return
        with self._lock:
            asked, self._asked = self._asked, []
            if not asked or self._connection is None or not self._awaiting:
                return
            deadline = self.deadline_seconds
            drafts = self._wait_for_answer(self._connection)
            if drafts is not None:
                self._in_time(deadline - self.deadline_seconds)
                for request, draft in zip(asked, drafts, strict=True):
                    request.draft = draft
                    request.handed = len(draft)
                    self.counts.drafted += len(draft)
            elif self._awaiting:
                self._late(deadline)

    def _measured(self, seconds: float, requests: int, rows: int) -> None:
        mean = self._mean_seconds
        seconds = min(seconds, OUTLIER * mean) if mean else seconds
        self._mean_seconds = mean + (seconds - mean) / MEAN_STEPS if mean else seconds
        if rows == requests:
            self._savings.plain(seconds, requests)
        self._earn(seconds, requests, rows)

    def _earn(self, seconds: float, requests: int, rows: int) -> None:
        """A step is over that took so long."""
        accepted, self._accepted = self._accepted, 0
        if self._mean_seconds:
            saved = self._savings.step(seconds, requests, rows > requests, accepted)
            earned = SHARE * seconds + EARNED * saved
            self.deadline_seconds = min(self.deadline_seconds + earned, BURST * self._mean_seconds)

    def fault(self) -> None:
        """Logs the fault at hand, the first time: what called the door goes on without a draft."""
        if not self._faulted:
            self._faulted = True
            log.exception("no draft for a request: a fault in Tailrace's door; answers are not affected")

    # What follows holds the lock.

    def _tick(self) -> bool:
        """Does for an idle engine what its steps would do: takes a new connection, tells what ended.

        Whether there is more to tell than one STEP takes.
        """
        with self._lock:
            if time.monotonic() - self._active_at < IDLE_SECONDS:
                return False
            if self._may_send() and (self._untold or self._told):  # an empty STEP asks what is acknowledged by now
                self._asked = []
                self._send(None, 0, 0, 0, 0)
            return self._connection is not None and bool(self._untold or self._connection.behind)

    def _tell_last(self, until: float) -> None:
        while (left := until - time.monotonic()) > 0 and self._lock.acquire(timeout=left):
            try:
                if self._awaiting and self._connection is not None:
                    self._answer(self._connection, left)
                if self._awaiting or not self._untold or not self._may_send():
                    return
                self._asked = []
                self._send(None, 0, 0, 0, 0)
            finally:
                self._lock.release()

    def _hear_early(self) -> None:
        if self._awaiting and self._early and self._connection is not None:
            self._early = False  # an agent that does not answer it is waited for in one step alone
            self._wait_for_answer(self._connection)

    def _wait_for_answer(self, connection: Connection) -> list[list[int]] | None:
        """The drafts of the STEP under way, if they come within the deadline."""
        started = time.perf_counter()
        drafts = self._answer(connection, self.deadline_seconds)
        self.deadline_seconds = max(0.0, self.deadline_seconds - (time.perf_counter() - started))
        return drafts

    def _may_send(self) -> bool:
        """Whether an agent is there with no STEP under way."""
        fresh = self._connector.take()
        if fresh is not None:
            self._hear_out()
            self._renew(fresh)
        connection = self._connection
        if connection is None:
            return False
        if self._awaiting:
            self._answer(connection, 0.0)
            heard_of_at = max(self._sent_at, connection.moved_at)
            if self._awaiting and time.monotonic() - heard_of_at > SILENCE_SECONDS:
                self._lose(f"the agent has been silent for {SILENCE_SECONDS:.0f} s")
        return self._connection is not None and not self._awaiting

    def _hear_out(self) -> None:
        """Reads what an agent that has gone has said last, a refusal perhaps."""
        connection = self._connection
        while connection is not None and connection is self._connection:
            if self._answer(connection, 0.0) is None:
                connection.close()
                return

    def _renew(self, connection: Connection | None) -> None:
        """Another connection, or none: the agent at its other end knows nothing."""
        self._connection = connection
        self._awaiting = False
        self._sequence = 0
        self._begun = 0
        self._behind = False
        self._pause = 0
        self._unbegun = dict.fromkeys(self._live)
        ended = [*self._told, *self._untold]
        for request in ended:
            if not request.whole and not request.private:
                self._drop(request, "no agent takes what ended")
        self._told.clear()
        self._untold = deque(r for r in ended if self._worth_telling(r))
        self._ending = 0
        self._ended_tokens = sum(len(r.tokens) for r in self._untold)
        for requests in (self._live, self._untold):
            for request in requests:
                request.number = request.sent = request.verified = request.handed = 0

    def _lose(self, why: str) -> None:
        connection = self._connection
        self._renew(None)
        if connection is not None:
            self._connector.lost(connection, why)

    @staticmethod
    def _worth_telling(request: Request) -> bool:
        """Whether an agent that does not know this ended request should hear of it."""
        return request.whole and not request.private and len(request.tokens) > request.prompt_tokens

    def _keep(self, request: Request) -> None:
        if request.number == 0 and not self._worth_telling(request):
            return
        request.tokens = array("i", request.tokens[:])
        self._ended_tokens += len(request.tokens)
        self._untold.append(request)
        if request.number:
            self._ending += 1
            if request.private:
                self._cut(request)
        while len(self._told) + len(self._untold) - self._ending > ENDED_MAX or self._ended_tokens > ENDED_TOKENS_MAX:
            self._make_room()

    def _make_room(self) -> None:
        """Drops the oldest of what the agent has, else of what it never heard of, else what it knows of the rest."""
        if self._told:
            self._drop(self._told.popleft(), "no agent takes what ended")
        elif unknown := next(filter(_is_unknown, self._untold), None):
            self._untold.remove(unknown)
            self._drop(unknown, "no agent takes what ended")
        elif whole := next((r for r in self._untold if r.whole), None):
            self._cut(whole)
        else:
            self._lose("more has ended than can be kept until it takes it")

    def _cut(self, request: Request) -> None:
        """Forgets of an ended request what its agent knows, so no other agent will hear of it."""
        self._ended_tokens -= len(request.tokens)
        request.tokens = request.tokens[request.sent :]
        self._ended_tokens += len(request.tokens)
        request.sent = 0
        request.whole = False

    def _send(self, touched: list[Request] | None, nanos: int, requests: int, rows: int, draft_tokens_max: int) -> None:
        writer = self._next()
        self._write_ended(writer)
        if touched is not None:
            for request in self._to_tell(touched):
                if request.number:  # else it is to be begun, or it ended in the step that it said this in
                    self._extend(writer, request, self._ask(request))
            self._begin_live(writer)
            for request in touched:
                request.room = 0
        if touched is None or nanos or writer.operations:
            self._write(writer, nanos, requests, rows, draft_tokens_max)
        else:
            self._sequence -= 1

    def _next(self) -> StepWriter:
        """The next STEP, which says nothing yet."""
        self._sequence += 1
        self._asked_numbers = []
        return StepWriter()

    def _write(self, writer: StepWriter, nanos: int, requests: int, rows: int, draft_tokens_max: int) -> None:
        self._awaiting = True
        self._early = False
        self._sent_at = time.monotonic()
        self.counts.steps += 1
        frame = writer.frame(self._sequence, nanos, requests, rows, draft_tokens_max)
        if self._connection is not None:
            self._connection.send(frame)

    def _to_tell(self, touched: list[Request]) -> list[Request]:
        """The running requests that this STEP speaks of: all, if some have said what could not be told before."""
        behind, self._behind = self._behind, False
        return list(self._live) if behind else touched

    def _ask(self, request: Request) -> int:
        """How many draft tokens are asked for."""
        room, request.room = request.room, 0
        if room:
            self._asked.append(request)
            self._asked_numbers.append((request.number, room))
        return room

    def _begin_live(self, writer: StepWriter) -> None:
        """Begins as many running requests as this STEP may; the others come with the next ones."""
        begun = []
        for request in self._unbegun:
            if not self._begin(writer, request):
                break
            begun.append(request)
            if request.number and (room := self._ask(request)):
                writer.draft(request.number, room)
        for request in begun:
            del self._unbegun[request]

    def _write_ended(self, writer: StepWriter) -> None:
        """Ends what the agent knows first, which makes room for what is begun and ended at once."""
        untold, self._untold = self._untold, deque()
        for request in sorted(untold, key=_is_unknown) if len(untold) > 1 else untold:
            if request.number == 0:
                if self._untold or not self._begin(writer, request):  # nor is there room for what comes after it
                    self._untold.append(request)
                    continue
            elif len(request.tokens) > request.sent:
                self._extend(writer, request, 0)
            if request.number:
                writer.end(request.number, request.reason, request.said_ms)
                self._begun -= 1
                request.ended_sequence = self._sequence
            if not request.number or not request.whole:
                self._ended_tokens -= len(request.tokens)
                request.tokens = ()
            if request.number and not request.private:
                self._told.append(request)
            request.number = 0
        self._ending = 0

    def _begin(self, writer: StepWriter, request: Request) -> bool:
        """Whether the agent may go on with this request; if not, another STEP will begin it."""
        count = len(request.tokens) + len(request.ahead)
        packed = None
        if count <= REQUEST_TOKENS_MAX:
            size = FIXED_BYTES + len(request.strings) + 4 * count
            if (
                self._begun >= self._requests_max
                or (writer.begin_bytes and writer.begin_bytes + size > BEGIN_BYTES_MAX)
                or writer.bytes + size > protocol.BODY_BYTES_MAX
            ):
                return False
            packed = protocol.pack_tokens([*request.tokens[:], *request.ahead])
        if packed is None:
            return self._leave_out(request, f"it has more than {REQUEST_TOKENS_MAX} tokens")
        if not protocol.all_below(packed, self._vocabulary):
            return self._leave_out(request, f"a token of it is outside the vocabulary of {self._vocabulary}")
        self._number = self._number % NUMBER_MAX + 1
        self._begun += 1
        request.number = self._number
        request.sent = count
        request.verified = 0
        writer.begin(
            request.number,
            packed,
            request.prompt_tokens,
            request.arrived_ms,
            request.temperature,
            request.strings,
            request.private,
        )
        return True

    def _leave_out(self, request: Request, why: str) -> bool:
        """The agent cannot be told of this request: it runs without drafts and is not reported."""
        self._live.pop(request, None)
        self.counts.dropped += 1
        self._say_seldom("left out", f"a request runs without drafts and is not reported: {why}")
        return True

    def _extend(self, writer: StepWriter, request: Request, room: int) -> None:
        tokens = [*request.tokens[request.sent :], *request.ahead]
        if request.verified:
            self._accepted += min(request.verified, len(tokens) - 1)
        if room:
            writer.extend_draft(request.number, request.verified, tokens, room)
        elif tokens:
            writer.extend(request.number, request.verified, tokens)
        request.sent += len(tokens)
        request.verified = 0

    def _answer(self, connection: Connection, seconds: float) -> list[list[int]] | None:
        """The drafts of the STEP under way, if they are there within `seconds`."""
        try:
            got = connection.receive(protocol.drafts_bytes_max(self._asked_numbers), seconds)
            if got is None:
                return None
            kind, sequence, end = got
            if kind == protocol.REFUSED:
                raise Lost(self._refusal(connection.buffer[:end]))
            if kind != protocol.DRAFTS or sequence != self._sequence:
                raise ProtocolError(f"DRAFTS {self._sequence} were expected, got type {kind} with sequence {sequence}")
            reports, off, pause, drafts = protocol.read_drafts(
                connection.buffer, protocol.HEADER_BYTES, end, self._asked_numbers, self._vocabulary
            )
            connection.forget(end)
        except ProtocolError as e:
            self.counts.broken += 1
            self._lose(f"the agent sent a broken frame: {e}")
            return None
        except Lost as e:
            self._lose(str(e))
            return None
        self._awaiting = False
        if self._asked_numbers:
            self._switch(off)
            self._pause = 0 if self._unbegun else pause  # of those the agent does not know yet it has not thought
        while self._told and self._told[0].ended_sequence <= reports:
            self._ended_tokens -= len(self._told.popleft().tokens)
        return drafts

    def _refusal(self, frame: bytearray) -> str:
        """A refusal in words. What ended in a STEP that is a broken frame is dropped. Raises ProtocolError."""
        sequence, refused = protocol.decode(frame)
        if not isinstance(refused, protocol.Refused):
            return "the agent refused"
        if refused.code == protocol.REFUSED_FRAME:
            for request in [r for r in self._told if r.ended_sequence == sequence]:
                self._told.remove(request)
                self._drop(request, "the agent refuses a STEP with what ended")
        return agent.refusal(refused)

    def _drop(self, request: Request, why: str) -> None:
        self._ended_tokens -= len(request.tokens)
        self.counts.dropped += 1
        self._say_seldom("dropped", f"{why}; answers dropped so far: {self.counts.dropped}")

    def _asking(self) -> bool:
        """Whether this step asks: always, but for a pause, an open breaker, a policy that says no, or no time left."""
        self._since_asked += 1
        if self._pause:
            self._pause -= 1
            return False
        if self._since_asked < (PERIOD_MAX if self._off else self._period):
            return False
        self._answer_seconds = min(self._answer_seconds, BURST * self._mean_seconds)
        if self.deadline_seconds < self._answer_seconds:
            self._answer_seconds *= ANSWER_SHRINK
            return False
        self._since_asked = 0
        return True

    def _switch(self, off: bool) -> None:
        if off != self._off:
            self._off = off
            words = f"drafting is switched {'off' if off else 'on'} by the fleet's policy"
            self._say_seldom(words, words, logging.INFO)

    def _late(self, deadline_seconds: float) -> None:
        self.counts.late += 1
        self._answer_seconds = max(2 * self._answer_seconds, SHARE * self._mean_seconds)
        if not self._mean_seconds and not deadline_seconds:  # which says nothing of the agent
            return
        self._late_in_a_row += 1
        if self._late_in_a_row >= LATE_MAX:
            self._period = min(PERIOD_MAX, 2 * self._period)
            micros = round(deadline_seconds * 1e6)
            late = f"took longer than {micros} us" if micros else "were not there when the time to wait was used up"
            self._say_seldom("late", f"{LATE_MAX} drafts in a row {late}; asking less often for a while")

    def _in_time(self, waited_seconds: float) -> None:
        weight = ANSWER_WEIGHT if self._answer_seconds else 1.0
        self._answer_seconds += weight * (waited_seconds - self._answer_seconds)
        self._late_in_a_row = 0
        self._period = 1

    def _say_seldom(self, what: str, words: str, level: int = logging.WARNING) -> None:
        now = time.monotonic()
        if now - self._said_at.get(what, -SAY_SECONDS) >= SAY_SECONDS:
            self._said_at[what] = now
            log.log(level, "%s", words)


def _is_unknown(request: Request) -> bool:
    return request.number == 0
