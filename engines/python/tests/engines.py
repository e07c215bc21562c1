"""Where the real engines are, for tests marked `engine`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tailrace

PYTHON = "TAILRACE_ENGINE_PYTHON"
MODEL = "TAILRACE_TINY_MODEL"
HERE = Path(__file__).parent
CACHE = Path.home() / ".cache" / "tailrace"  # where `tailrace bench engine` makes its environment, and others may stand
SHARED = Path("shared/models/tinystories-656k")  # below a folder above this one
# What the tests were written against. A Python that is named may have another version, to see what it does.
VERSIONS = {"vllm": "0.32.", "transformers": "5.19.", "llama_cpp": "0.3.36", "arctic_inference": "0.3."}
_VERSION = (
    "import importlib.util as u, importlib.metadata as m, sys; module = sys.argv[1]; "
    "print(*(map(m.version, m.packages_distributions()[module]) if u.find_spec(module) else ()))"
)


def engine_python(module: str) -> str:
    """The Python that has an engine; the test is skipped where there is none."""
    given = os.environ.get(PYTHON, "")
    pythons = [given] if given else [str(python) for python in sorted(CACHE.glob("*/bin/python"), reverse=True)]
    for python in pythons:
        found = subprocess.run([python, "-c", _VERSION, module], capture_output=True, text=True, check=False).stdout
        if found.strip() if given else found.startswith(VERSIONS[module]):
            return python
    if given:
        pytest.skip(f"{given} ({PYTHON}) has no {module}")
    wanted = f"{module} {VERSIONS[module].rstrip('.')}"
    pytest.skip(f"{PYTHON} is not set to a Python with {wanted}, and no environment in {CACHE} has it")


def tiny_model() -> Path:
    """The folder of the tiny model."""
    given = [Path(os.environ[MODEL])] if os.environ.get(MODEL) else [above / SHARED for above in HERE.parents]
    for folder in given:
        if (folder / "model.safetensors").is_file():
            return folder
    pytest.skip(f"{MODEL} is not set to the folder of a small Llama, and no folder above has {SHARED}")


def prompts(model: Path, count: int) -> list[list[int]]:
    """Prompts that stand beside the model."""
    lines = (model / "greedy.jsonl").read_text().splitlines()
    return [json.loads(line)["prompt"] for line in lines[:count]]


def installed(folder: Path) -> Path:
    """A folder that Python takes for one where the package is installed, plug-in and all; needs no network."""
    (folder / "tailrace").symlink_to(Path(tailrace.__file__).parent)
    info = folder / f"tailrace-{tailrace.__version__}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tailrace\nVersion: {tailrace.__version__}\n")
    (info / "entry_points.txt").write_text("[vllm.general_plugins]\ntailrace = tailrace.plugin:register\n")
    return folder


def environment(python: str, site: Path, agent: Path | str, **more: str) -> dict[str, str]:
    """What an engine's process gets: the package, the agent, and what vLLM asks for on the CPU."""
    lib = Path(python).parent.parent / "lib" / "libiomp5.so"
    tcmalloc = Path("/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4")
    given = {
        **os.environ,
        "PYTHONPATH": str(site),
        "TAILRACE_AGENT": str(agent),
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_LOGGING_LEVEL": "WARNING",
        "HF_HUB_OFFLINE": "1",
        "LD_PRELOAD": ":".join(str(p) for p in (tcmalloc, lib) if p.exists()),
    }
    return {**given, **more}


def run(python: str, script: str, *arguments: object, env: Mapping[str, str]) -> str:
    """Runs a script of this folder and gives what it said; its last words if it failed."""
    command = [python, str(HERE / script), *map(str, arguments)]
    done = subprocess.run(command, env=dict(env), capture_output=True, text=True, check=False, timeout=1800)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout + done.stderr


class AgentProcess:
    """The fake agent in a process of its own, so that it takes nothing from the engine's interpreter."""

    def __init__(self, path: Path, record: Path | None) -> None:
        arguments = [sys.executable, str(HERE / "fake_agent.py"), str(path), *([str(record)] if record else [])]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "listening\n"

    def told(self) -> dict[str, Any]:
        """Ends the agent; what it was told."""
        out, _ = self.process.communicate("", timeout=60)
        told: dict[str, Any] = json.loads(out)
        return told


@contextmanager
def agent(record: Path | None = None) -> Iterator[tuple[Path, AgentProcess]]:
    """The path of a fake agent's socket, and the agent."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder:
        path = Path(folder) / "agent.sock"
        running = AgentProcess(path, record)
        try:
            yield path, running
        finally:
            running.process.kill()
            running.process.wait()
