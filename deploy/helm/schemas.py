"""Writes one JSON schema a kind, as kubeconform looks for them: schemas.py FOLDER FLINK_OPERATOR_JAR PROMETHEUS_CRD_FOLDER."""

import json
import sys
import zipfile
from pathlib import Path

import kubernetes_validate
import yaml

VERSION = "v1.34.0-local-strict"


def strict(schema: object, top: bool = True) -> object:
    """What no schema names is an error."""
    if isinstance(schema, list):
        return [strict(part, False) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(part, False) for name, part in schema.items()}
    if isinstance(made.get("properties"), dict) and "additionalProperties" not in made:
        if not made.get("x-kubernetes-preserve-unknown-fields"):
            made["additionalProperties"] = False
    if top:
        made["properties"] |= {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    return made


def write(folder: Path, definition: str) -> None:
    spec = yaml.safe_load(definition)["spec"]
    for version in spec["versions"]:
        schema = strict(version["schema"]["openAPIV3Schema"])
        kind, group = spec["names"]["kind"].lower(), spec["group"].split(".")[0]
        if kind == "flinkdeployment":  # the artefact is older than the operator that knows Flink 2.3
            del schema["properties"]["spec"]["properties"]["flinkVersion"]["enum"]
        (folder / f"{kind}-{group}-{version['name']}.json").write_text(json.dumps(schema))


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    own = Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema" / VERSION
    for schema in own.glob("*.json"):
        here = f'"{folder.as_uri()}/_definitions.json#'
        (folder / schema.name).write_text(schema.read_text().replace('"/api/_definitions.json#', here))
    with zipfile.ZipFile(sys.argv[2]) as jar:
        write(folder, jar.read("META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml").decode())
    for kind in ("podmonitors", "prometheusrules"):
        write(folder, (Path(sys.argv[3]) / f"monitoring.coreos.com_{kind}.yaml").read_text())


main()
