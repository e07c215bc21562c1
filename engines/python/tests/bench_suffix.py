"""Serves recorded requests in a real vLLM and writes what suffix decoding proposed. Run by the engine's own Python.

``python bench_suffix.py FOLDER OUT.json stock|bench``: in vLLM with its method `suffix`, or as the laboratory's
benchmark calls it in an engine where drafters take turns.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

VOCABULARY = 2_000
LENGTH = 512
BATCH = 4
BLOCKS = 3
BLOCK = 8
ANSWER = 120
END = 2  # the answers' last token
BEYOND = 64  # tokens that an answer may go on for


def records() -> list[list[tuple[list[int], list[int]]]]:
    """Blocks of prompts and answers; answers are made of a few phrases, so they repeat themselves and each other."""
    rng = random.Random(5)
    phrases = [[rng.randrange(3, VOCABULARY) for _ in range(rng.randint(4, 30))] for _ in range(12)]
    blocks = []
    for _ in range(BLOCKS):
        block = []
        for _ in range(BLOCK):
            prompt = [rng.randrange(3, VOCABULARY) for _ in range(rng.randint(5, 40))] + rng.choice(phrases)
            answer: list[int] = []
            while len(answer) < ANSWER:
                answer += rng.choice(phrases)
            block.append((prompt, [*answer[: ANSWER - 1], END]))
        blocks.append(block)
    return blocks


def recorded_proposals() -> list[Any]:
    """What vLLM's proposer is asked and answers from now on: request, its tokens so far, draft."""
    from vllm.v1.spec_decode.suffix_decoding import SuffixDecodingProposer

    proposals: list[Any] = []
    propose = SuffixDecodingProposer.propose

    def recording(self: Any, count: int, batch: Any, sampled: list[list[int]], *args: Any, **kwargs: Any) -> Any:
        drafts = propose(self, count, batch, sampled, *args, **kwargs)
        for place, draft in enumerate(drafts):
            name = batch.req_ids[place].rsplit("-", 1)[0]
            proposals.append([name, int(batch.num_tokens_no_spec[place]), sampled[place], list(draft)])
        return drafts

    SuffixDecodingProposer.propose = recording
    return proposals


def in_turns(folder: Path) -> None:
    """As the benchmark does it."""
    from tailrace_bench.drafters import Record, Suffix
    from tailrace_bench.engine import Engine

    engine = Engine(folder, "30m", VOCABULARY, LENGTH, BATCH, eager=True)
    suffix = Suffix("suffix", engine.config)
    suffix.fresh("any")
    for block in records():
        served = engine.serve(suffix, [Record("any", prompt, answer) for prompt, answer in block])
        assert served.equal == len(block), f"{served.equal} of {len(block)} answers are the record's"


def stock(folder: Path) -> None:
    """vLLM with its own method."""
    from tailrace_bench import model
    from vllm import EngineArgs, LLMEngine, SamplingParams

    model.register()
    arguments = EngineArgs(
        model=str(model.write(folder, "30m", VOCABULARY, LENGTH)),
        skip_tokenizer_init=True,
        load_format="dummy",
        dtype=model.precision(),
        max_model_len=LENGTH,
        max_num_seqs=BATCH,
        max_num_batched_tokens=4096,
        enable_prefix_caching=False,
        enforce_eager=True,
        speculative_config={"method": "suffix"},
    )
    engine: Any = LLMEngine.from_engine_args(arguments)
    core = engine.engine_core.engine_core
    model.RECORDED.batch = core.model_executor.driver_worker.worker.model_runner.input_batch
    number = 0
    for block in records():
        for prompt, answer in block:
            number += 1
            model.RECORDED.sequences[f"r{number}"] = prompt + answer
            sampling = SamplingParams(temperature=0.0, max_tokens=ANSWER + BEYOND, ignore_eos=True, detokenize=False)
            sampling.stop_token_ids = [END]
            engine.add_request(f"r{number}", {"prompt_token_ids": prompt}, sampling)
        while engine.has_unfinished_requests():
            engine.step()


def main(folder: str, out: str, mode: str) -> None:
    proposals = recorded_proposals()
    {"stock": stock, "bench": in_turns}[mode](Path(folder))
    Path(out).write_text(json.dumps(proposals))


if __name__ == "__main__":
    main(*sys.argv[1:])
