"""The wheel installs in a clean environment, and there it is what the README says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tailrace

pytestmark = pytest.mark.full

PACKAGE = Path(__file__).parents[1]
SOURCES = PACKAGE / "src" / "tailrace"
# What an engine's environment need not have: the modules of doors beside those of their own engine.
LIGHT = ("", ".agent", ".doctor", ".door", ".names", ".plugin", ".protocol", ".savings", ".scope", ".settings")


class Installed:
    """The wheel, and the Python of an environment that has nothing but it and what it asks for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        wheels = folder / "wheels"
        self._run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), str(PACKAGE)])
        (self.wheel,) = wheels.glob("*.whl")
        home = folder / "environment"
        venv.create(home, with_pip=True)
        self.python = str(home / "bin" / "python")
        self._run([self.python, "-m", "pip", "install", "-q", str(self.wheel)])

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        return done.stdout

    def run(self, *arguments: str) -> str:
        """What the environment's Python says."""
        return self._run([self.python, *arguments])

    def evaluate(self, code: str) -> Any:
        """What the environment's Python finds in a variable named `found`."""
        return json.loads(self.run("-c", f"{code}\nimport json; print(json.dumps(found))"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("package"))


def test_the_wheel_has_every_module_and_nothing_else(installed: Installed) -> None:
    files = [name for name in zipfile.ZipFile(installed.wheel).namelist() if ".dist-info/" not in name]
    modules = {f"tailrace/{file.name}" for file in SOURCES.iterdir() if file.is_file()}
    assert "tailrace/py.typed" in modules
    assert set(files) == modules


def test_it_asks_for_numpy_alone_and_says_its_version(installed: Installed) -> None:
    found = installed.evaluate(
        "import tailrace, importlib.metadata as m; found = [tailrace.__version__, m.version('tailrace'), "
        "m.requires('tailrace'), tailrace.__file__]"
    )
    version, packaged, requires, file = found
    assert version == packaged == tailrace.__version__
    assert [requirement.split(">")[0] for requirement in requires] == ["numpy"]
    assert Path(file).is_relative_to(installed.folder)


def test_vllm_finds_the_plug_in_and_it_can_be_called(installed: Installed) -> None:
    found = installed.evaluate(
        "from importlib.metadata import entry_points; found = []\n"
        "for e in entry_points(group='vllm.general_plugins'): e.load()(); found.append([e.name, e.value])"
    )
    assert found == [["tailrace", "tailrace.plugin:register"]]


def test_type_checkers_find_its_types(installed: Installed) -> None:
    assert installed.evaluate("import importlib.resources as r; found = (r.files('tailrace') / 'py.typed').is_file()")


def test_the_doctor_tells_how_it_is_used_and_what_is_missing(installed: Installed) -> None:
    assert "python -m tailrace.doctor MODEL [NAME]" in installed.run("-m", "tailrace.doctor", "--help")
    done = subprocess.run(
        [installed.python, "-m", "tailrace.doctor", "tiny"],
        cwd=installed.folder,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no engine is installed in this Python environment" in done.stdout


def test_importing_it_takes_numpy_at_most_and_the_package_itself_nothing(installed: Installed) -> None:
    code = (
        "import sys, importlib; importlib.import_module('tailrace{module}')\n"
        "found = sorted({{n.split('.')[0] for n in sys.modules}} - set(sys.stdlib_module_names) - {{'__main__'}})"
    )
    for module in LIGHT:
        found = {name for name in installed.evaluate(code.format(module=module)) if not name.startswith("_")}
        assert found <= {"tailrace", "numpy"}, module
        if not module:
            assert found == {"tailrace"}
