"""Settings come from the environment and are refused in words."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tailrace import settings
from tailrace.agent import Address
from tailrace.settings import Settings, SettingsError


def test_without_variables_the_defaults_count() -> None:
    chosen = Settings.read({})
    assert chosen.address == Address(path=str(Path("~/.tailrace/agent.sock").expanduser()))
    assert (chosen.model, chosen.scope, chosen.scope_header, chosen.draft_tokens) == ("", "", "", 16)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("/run/agent.sock", Address(path="/run/agent.sock")),
        ("tcp://127.0.0.1:7001", Address(host="127.0.0.1", port=7001)),
        ("tcp://localhost:1", Address(host="localhost", port=1)),
        ("tcp://127.0.0.1:65535", Address(host="127.0.0.1", port=65535)),
    ],
)
def test_an_address_is_a_path_or_a_port_of_this_host(text: str, address: Address) -> None:
    assert Settings.read({settings.AGENT: text}).address == address


@pytest.mark.parametrize(
    "text",
    [
        "tcp://10.0.0.1:7001",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:70000",
        "tcp://[::1]:7001",
        "unix:///run/agent.sock",
        "tcp:7001",
        "tcp://",
    ],
)
def test_an_address_elsewhere_is_refused_with_its_value(text: str) -> None:
    with pytest.raises(SettingsError, match=r"TAILRACE_AGENT.*got"):
        Settings.read({settings.AGENT: text})


@pytest.mark.parametrize("text", ["0", "65", "-1", "many"])
def test_draft_tokens_have_bounds(text: str) -> None:
    with pytest.raises(SettingsError, match="1 to 64"):
        Settings.read({settings.DRAFT_TOKENS: text})


def test_every_variable_is_in_the_modules_table_and_in_the_readme() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    variables = [value for name, value in vars(settings).items() if isinstance(value, str) and value[:9] == "TAILRACE_"]
    assert len(variables) == 9
    for variable in variables:
        assert variable in (settings.__doc__ or "")
        assert variable in readme


def test_an_engines_name_is_the_same_again_and_has_no_hash_sign() -> None:
    named = Settings.read({settings.ENGINE: "a#b"})
    assert [named.engine_name("m", rank) for rank in (0, 1, 2)] == ["a-b", "a-b:1", "a-b:2"]
    plain = Settings.read({})
    assert plain.engine_name("model", 1) == plain.engine_name("model", 1)
    assert plain.engine_name("model", 1) != plain.engine_name("model", 2)
    assert len(plain.engine_name("m" * 500, 0)) == 200
    assert plain.engine_name("m" * 500, 1) != plain.engine_name("m" * 500, 2)
    assert 198 <= len(plain.engine_name("模" * 500, 0).encode()) <= 200


def test_a_fingerprint_is_of_the_files_bytes(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(b'{"a": 1}')
    expected = "sha256:" + hashlib.sha256(b'{"a": 1}').hexdigest()[:32]
    assert settings.find_fingerprint(str(tmp_path), None) == expected
    assert settings.find_fingerprint(str(tmp_path / "tokenizer.json"), None) == expected


def test_a_model_without_a_tokenizer_file_asks_for_the_variable(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="set TAILRACE_TOKENIZER"):
        settings.find_fingerprint(str(tmp_path), None)


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import tailrace; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tailrace']"
