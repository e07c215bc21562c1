"""The doctor names the first fault, and what to do."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fake_agent import FakeAgent, Told, repeat_own_context
from tailrace import doctor, names, settings
from tailrace.protocol import Refused
from toy_engine import wait_for


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, socket_path: Path) -> None:
    """An engine is installed, and the environment names a model."""
    monkeypatch.setattr(doctor, "_engines", lambda say: None)
    monkeypatch.setenv(settings.AGENT, str(socket_path))
    monkeypatch.setenv(settings.MODEL, "tiny")
    monkeypatch.setenv(settings.TOKENIZER, "sha256:0123456789abcdef")


def examined(model: str = "", name: str = "", revision: str = "", tokenizer: str = "") -> tuple[int, str]:
    lines: list[str] = []
    code = doctor.examine(doctor.Served(model, name, revision, tokenizer), lines.append)
    return code, "\n".join(lines)


def test_all_is_well_with_an_agent_that_drafts(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        code, said = examined()
        assert code == 0
        assert "got a draft of 8 tokens" in said
        assert not agent.broken
        assert agent.ended[0].begin.private
        assert agent.accepted == 8
        assert agent.hellos[0].engine.endswith(":doctor")


@pytest.mark.parametrize(
    ("scope", "agents", "header", "said"),
    [
        ("chat", "else", "", "lane tiny@v%2F1/chat (TAILRACE_SCOPE)"),
        ("", "a b~", "", "lane tiny@v%2F1/a+b%7E (the agent's --scope)"),
        ("", "..", "", "lane tiny@v%2F1/%2E%2E (the agent's --scope)"),
        ("", "", "", "own context only: no lane is named"),
        ("chat", "else", "x-tenant", "lane tiny@v%2F1/SCOPE, by their header x-tenant"),
    ],
)
def test_the_lane_is_named_as_the_agent_writes_it(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, scope: str, agents: str, header: str, said: str
) -> None:
    monkeypatch.setenv(settings.SCOPE, scope)
    monkeypatch.setenv(settings.SCOPE_HEADER, header)
    monkeypatch.setenv(settings.REVISION, "v/1")
    with FakeAgent(socket_path) as agent:
        agent.scope = agents
        code, everything = examined()
        assert code == 0
        assert said in everything


def test_an_absent_agent_is_to_be_started(socket_path: Path) -> None:
    code, said = examined()
    assert code == 1
    assert f"no agent listens at {socket_path}" in said
    assert "Start one: ./tailrace agent, or set" in said


def test_a_refusal_is_given_in_the_agents_words_with_a_remedy(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.refuse = Refused(2, "the lane has tokenizer sha256:ffff")
        code, said = examined()
        assert code == 1
        assert "the lane has tokenizer sha256:ffff" in said
        assert settings.TOKENIZER in said


def test_an_agent_that_is_full_has_a_second_one_beside_it(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.refuse = Refused(3, "the agent has 64 engines already")
        code, said = examined()
        assert code == 1
        assert "Run a second agent with its own --listen" in said


def test_an_agent_that_does_not_draft_is_noticed(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.off = True
        code, said = examined()
        assert code == 1
        assert "got no draft in" in said


def test_an_agent_that_drafts_once_it_knows_the_steps_is_given_the_time(socket_path: Path) -> None:
    def late(told: Told, most: int) -> list[int]:
        return repeat_own_context(told, most) if len(told.said) > 10 else []

    with FakeAgent(socket_path, late) as agent:
        code, said = examined()
        assert code == 0
        assert "got a draft of 8 tokens" in said
        assert "at step 11" in said
        wait_for(lambda: len(agent.ended) == 1)
        told = agent.ended[0]
        repeated = list(doctor.REPEATED)
        assert told.prompt + told.said == (repeated * 7)[: len(told.prompt + told.said)]
        assert all(step.nanos > 0 for step in agent.steps[2:])


@pytest.mark.parametrize(("draft", "word"), [([], "got no draft in"), ([1, 2, 3], "[1, 2, 3]")])
def test_no_draft_and_a_draft_of_something_else_are_told_apart(socket_path: Path, draft: list[int], word: str) -> None:
    with FakeAgent(socket_path, lambda told, most: draft):
        code, said = examined()
        assert code == 1
        assert word in said


def test_junk_is_noticed(socket_path: Path) -> None:
    with FakeAgent(socket_path) as agent:
        agent.junk = lambda frame: b"\xff" * len(frame)
        code, said = examined()
        assert code == 1
        assert "do not understand each other" in said


def test_a_silent_agent_is_noticed(socket_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ANSWER_SECONDS", 0.1)
    with FakeAgent(socket_path) as agent:
        agent.held.set()
        code, said = examined()
        agent.held.clear()
        assert code == 1
        assert "no answer" in said


def test_a_model_without_a_fingerprint_asks_for_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(settings.TOKENIZER)
    code, said = examined(str(tmp_path))
    assert code == 1
    assert "set TAILRACE_TOKENIZER" in said


def test_a_wrong_address_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.AGENT, "tcp://10.0.0.1:1")
    code, said = examined()
    assert code == 1
    assert "TAILRACE_AGENT" in said


def test_an_environment_without_an_engine_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(doctor, "_PACKAGES", ("no-such-engine",))
    code, said = examined()
    assert code == 1
    assert "no engine is installed" in said


def test_a_vllm_that_does_not_load_the_plug_in_does_not_draft(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"vllm.general_plugins": [SimpleNamespace(name="tailrace")], "vllm.logits_processors": []}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found[group])
    monkeypatch.setattr(names, "verdict", lambda running: names.Verdict("0.32.0", True, ()))
    monkeypatch.setattr(doctor, "_engines", doctor._vllm)
    with FakeAgent(socket_path):
        for plugins, code, words in (
            ("", 1, "VLLM_PLUGINS is ''"),
            ("mine", 1, "VLLM_PLUGINS is 'mine'"),
            ("mine,tailrace", 0, "All is well"),
        ):
            monkeypatch.setenv("VLLM_PLUGINS", plugins)
            told, said = examined()
            assert told == code
            assert words in said


def test_what_makes_vllm_serve_without_drafts_is_said(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "generation_config.json").write_text('{"min_p": 0.1}')
    monkeypatch.setattr(names, "version", lambda: "0.32.0")
    assert "--override-generation-config" in examined(str(tmp_path))[1]
    found = {"vllm.logits_processors": [SimpleNamespace(name="filter")]}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found[group])
    assert "here are filter" in examined(str(tmp_path))[1]
    monkeypatch.setenv("VLLM_USE_V2_MODEL_RUNNER", "1")
    code, said = examined(str(tmp_path))
    assert code == 1
    assert "unset VLLM_USE_V2_MODEL_RUNNER" in said
    monkeypatch.setattr(names, "version", lambda: "")  # no vLLM, so nothing of this matters
    with FakeAgent(socket_path):
        assert examined(str(tmp_path))[0] == 0


def test_a_long_name_is_cut_by_its_bytes(socket_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.ENGINE, "é" * 98)
    with FakeAgent(socket_path) as agent:
        assert examined()[0] == 0
        assert agent.hellos[0].engine == "é" * 95 + ":doctor"


def test_help_is_the_modules_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main(["--help"]) == 0
    assert capsys.readouterr().out == doctor.__doc__
    for wrong in (["a", "b", "c"], ["a", "--revisions", "b"], ["--tokenizer"]):
        assert doctor.main(wrong) == 1
        assert str(doctor.__doc__) in capsys.readouterr().err


def test_arguments_are_vllms(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[doctor.Served] = []

    def examine(served: doctor.Served, say: doctor.Say) -> int:
        given.append(served)
        return 0

    monkeypatch.setattr(doctor, "examine", examine)
    assert doctor.main(["a", "b", "--revision", "v2", "--tokenizer=t"]) == 0
    assert doctor.main([]) == 0
    assert given == [doctor.Served("a", "b", "v2", "t"), doctor.Served()]


@pytest.mark.parametrize(
    ("config", "vocabulary"),
    [
        ({"vocab_size": 4096}, 4096),
        ({"text_config": {"vocab_size": 152_064}}, 152_064),
        ({"text_config": {"vocab_size": 5_000}, "vocab_size": 0}, 5_000),
        ({"vocab_size": "many"}, doctor.VOCABULARY_DEFAULT),
        ({"text_config": "none"}, doctor.VOCABULARY_DEFAULT),
        ([], doctor.VOCABULARY_DEFAULT),
    ],
)
def test_the_vocabulary_is_the_engines(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, config: object, vocabulary: int
) -> None:
    monkeypatch.delenv(settings.MODEL)
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text(json.dumps(config))
    with FakeAgent(socket_path) as agent:
        code, said = examined(str(model), "served")
        assert code == 0
        assert agent.hellos[0].vocabulary == vocabulary
        assert agent.hellos[0].model == "served"
    unknown = vocabulary == doctor.VOCABULARY_DEFAULT
    known = "the model's vocab_size" if unknown else vocabulary
    assert f"--model served@main,vocabulary={known},tokenizer=sha256:0123456789abcdef" in said
    assert ("vocabulary is not known here: the agent is told 32000" in said) == unknown


def test_a_vocabulary_that_the_config_leaves_to_transformers_is_asked_of_it(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def from_pretrained(model: str, *, revision: str | None, local_files_only: bool) -> SimpleNamespace:
        assert (model, revision, local_files_only) == (str(tmp_path), "v2", True)
        return SimpleNamespace(get_text_config=lambda: SimpleNamespace(vocab_size=262_144))

    auto = SimpleNamespace(from_pretrained=from_pretrained)
    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace(AutoConfig=auto))
    (tmp_path / "config.json").write_text('{"text_config": {"model_type": "gemma3_text"}}')
    with FakeAgent(socket_path) as agent:
        code, said = examined(str(tmp_path), "served", "v2")
        assert code == 0
        assert agent.hellos[0].vocabulary == 262_144
        assert "not known here" not in said


def test_revision_and_tokenizer_are_vllms_unless_the_environment_names_them(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def cached(model: str, name: str, *, revision: str | None, local_files_only: bool) -> str:
        file = tmp_path / f"{model}-{revision}" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f'{{"vocab_size": 777, "of": "{model} {revision}"}}')
        return str(file)

    for variable in (settings.MODEL, settings.TOKENIZER):
        monkeypatch.delenv(variable)
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=cached))
    with FakeAgent(socket_path) as agent:
        assert examined("model", "", "v2", "tokenizer")[0] == 0
        assert examined("model", "", "v2")[0] == 0
        monkeypatch.setenv(settings.REVISION, "ours")
        monkeypatch.setenv(settings.TOKENIZER, "sha256:0123456789abcdef")
        assert examined("model", "", "v2")[0] == 0
        told = [(hello.revision, hello.tokenizer) for hello in agent.hellos]
        of = {name: settings.fingerprint(tmp_path / f"{name}-v2" / "tokenizer.json") for name in ("tokenizer", "model")}
        assert told == [("v2", of["tokenizer"]), ("v2", of["model"]), ("ours", "sha256:0123456789abcdef")]
        assert not (tmp_path / "model-None").exists()


def test_a_model_in_hugging_faces_cache_is_found_by_its_name(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text('{"vocab_size": 777}')
    (tmp_path / "tokenizer.json").write_text("{}")

    def cached(model: str, name: str, *, revision: str | None, local_files_only: bool) -> str:
        assert local_files_only
        if model != "some/model":
            raise FileNotFoundError(model)
        return str(tmp_path / name)

    for variable in (settings.MODEL, settings.TOKENIZER):
        monkeypatch.delenv(variable)
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=cached))
    with FakeAgent(socket_path) as agent:
        assert examined("some/model")[0] == 0
        assert agent.hellos[0].vocabulary == 777
    code, said = examined("other/model")
    assert code == 1
    assert "start vLLM, which downloads it" in said
