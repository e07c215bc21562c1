"""A stand-in for an engine: asks an agent for drafts while it says recorded answers, and counts what it would have accepted.

Usage: probe.py SOCKET RECORDING [SHARE]. Exit code 0: at least SHARE (default 0.5) of the answers' tokens came as drafts.
With `probe.py --write RECORDING SEED` it writes a recording: answers that nothing can guess but who has seen them.
"""

import json
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "engines" / "python" / "src"))

VOCABULARY = 32_768
STEP_SECONDS = 0.02
DRAFT_TOKENS = 16


def write(path: str, seed: str) -> None:
    dice = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(20):
            tokens = [dice.randrange(VOCABULARY) for _ in range(160)]
            out.write(json.dumps({"id": f"probe-{seed}-{number}", "prompt": tokens[:40], "response": tokens[40:]}) + "\n")


def draft(socket: str, recording: str, share: float) -> int:
    from tailrace import door, protocol
    from tailrace.agent import Address

    os.chdir(os.path.dirname(socket))  # the whole path may be too long for a socket
    hello = protocol.Hello(VOCABULARY, 64, DRAFT_TOKENS, "probe", "synthetic", "1", "synthetic-words")
    engine = door.Door(Address(path=os.path.basename(socket)), hello)
    engine.start()
    said = accepted = 0
    for line in open(recording, encoding="utf-8"):
        record = json.loads(line)
        one = one_answer(engine, record["id"] + f"-{time.time_ns()}", record["prompt"], record["response"])
        said, accepted = said + len(record["response"]), accepted + one
    engine.stop()
    print(f"{accepted:,} of {said:,} answer tokens came as drafts; {engine.counts.steps} steps, {engine.counts.late} late")
    return 0 if accepted >= share * said else 1


def one_answer(engine, name: str, prompt: list[int], answer: list[int]) -> int:
    """How many of its tokens came as drafts."""
    from tailrace.door import Request

    tokens = list(prompt)
    request = Request(name, tokens, len(prompt))
    engine.begin(request)
    accepted = verified = 0
    while len(tokens) < len(prompt) + len(answer):
        begun = time.monotonic()
        engine.said(request, verified, DRAFT_TOKENS)
        engine.step(int(STEP_SECONDS * 1e9), 1, 1 + verified, DRAFT_TOKENS)
        engine.deadline_seconds = STEP_SECONDS
        engine.wait()
        drafted = request.take()
        rest = answer[len(tokens) - len(prompt) :]
        right = next((n for n, token in enumerate(drafted) if n >= len(rest) or token != rest[n]), len(drafted))
        right = min(right, len(rest) - 1)
        tokens.extend(rest[: right + 1])
        accepted, verified = accepted + right, len(drafted)
        time.sleep(max(0.0, STEP_SECONDS - (time.monotonic() - begun)))
    engine.end(request, 1)
    engine.step(0, 0, 0, 0)
    return accepted


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write(sys.argv[2], sys.argv[3])
    else:
        sys.exit(draft(sys.argv[1], os.path.abspath(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 0.5))
