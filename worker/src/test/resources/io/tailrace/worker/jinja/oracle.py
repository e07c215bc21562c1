"""Renders templates with Python's Jinja, with the settings that transformers gives it for chat templates.

    python oracle.py                     reads {"template", "context"} a line and answers {"text"} or {"error"} a line
    python oracle.py snippets.jinja      writes what each snippet of the file gives to snippets.json beside it
"""

import json
import pathlib
import sys

from jinja2 import ext, nodes, sandbox
from jinja2.exceptions import TemplateError

CONTEXT = {
    "messages": [
        {"role": "system", "content": " Be brief.\n"},
        {"role": "user", "content": "Who is «Ann» \U0001f600?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "name": "look", "arguments": {"n": 2, "q": "a \"b\" <c> é"}}]},
        {"role": "tool", "content": [{"type": "text", "text": "none"}, {"type": "image"}]},
    ],
    "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}}],
    "documents": None,
    "add_generation_prompt": True,
    "bos_token": "<s>",
    "eos_token": "</s>",
}


class Generation(ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_said"), [], [], body).set_lineno(line)

    def _said(self, caller):
        return caller()


def environment():
    made = sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, ext.loopcontrols]
    )

    def raise_exception(message):
        raise TemplateError(message)

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = lambda pattern: "26 Jul 2024"
    return made


ENVIRONMENT = environment()


def render(template, context):
    try:
        return {"text": ENVIRONMENT.from_string(template).render(**context)}
    except Exception as e:
        return {"error": repr(e)[:300]}


def record(path):
    snippets = path.read_text().split("\n====\n")
    records = [{"template": snippet, **render(snippet, CONTEXT)} for snippet in snippets]
    out = {"context": CONTEXT, "snippets": records}
    path.with_suffix(".json").write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        record(pathlib.Path(sys.argv[1]))
    else:
        for line in sys.stdin:
            asked = json.loads(line)
            print(json.dumps(render(asked["template"], asked["context"])), flush=True)
