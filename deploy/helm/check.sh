#!/usr/bin/env bash
# Renders the chart as it is, with everything on, and without Flink's operator, and checks every object, and those of deploy/kubernetes,
# against the schemas of Kubernetes, Flink's operator and Prometheus' operator. Helm and kubeconform are built from Go's modules, the schemas come from
# PyPI, Maven and Go; all of it is kept in .tailrace/helm.
#
# Usage: deploy/helm/check.sh       Exit code 0: all is valid; 1: not; 3: a tool is missing, nothing was checked.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
home="$root/.tailrace/helm"
chart="$root/deploy/helm/tailrace"
kubernetes=1.34.0
mkdir -p "$home/bin" "$home/schemas"

say() { echo "helm: $*"; }

for tool in go python3 mvn; do
  command -v "$tool" >/dev/null 2>&1 || { say "nothing was checked: no $tool found"; exit 3; }
done

get_tools() {
  [ -x "$home/bin/helm" ] || GOBIN="$home/bin" go install helm.sh/helm/v3/cmd/helm@v3.19.0
  [ -x "$home/bin/kubeconform" ] || GOBIN="$home/bin" go install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0
}

get_schemas() {
  [ ! -f "$home/schemas/complete" ] || return 0
  [ -x "$home/python/bin/python" ] || python3 -m venv "$home/python"
  "$home/python/bin/pip" install -q --disable-pip-version-check "kubernetes-validate==1.37.0" PyYAML
  local operators flink
  operators=$(go mod download -json github.com/prometheus-operator/prometheus-operator@v0.82.2 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  mvn -q -B dependency:copy -Dartifact=org.apache.flink:flink-kubernetes-operator-api:1.10.0 -DoutputDirectory="$home" \
    -f "$root/pom.xml" -N >"$home/maven.log" 2>&1
  flink="$home/flink-kubernetes-operator-api-1.10.0.jar"
  "$home/python/bin/python" "$root/deploy/helm/schemas.py" "$home/schemas" "$flink" "$operators/example/prometheus-operator-crd"
  touch "$home/schemas/complete"
}

check() { # check NAME OPTIONS...: renders and validates
  local name=$1
  shift
  "$home/bin/helm" template tailrace "$chart" --namespace tailrace --kube-version "$kubernetes" "$@" \
    >"$home/$name.yaml" 2>"$home/$name.log" || { grep Error "$home/$name.log"; exit 1; }
  validate "$name" "$home/$name.yaml"
}

validate() { # validate NAME FILE
  local name=$1
  "$home/bin/kubeconform" -strict -summary -kubernetes-version "$kubernetes" \
    -schema-location "$home/schemas/{{ .ResourceKind }}{{ .KindSuffix }}.json" "$2" >"$home/$name.log" ||
    { cat "$home/$name.log"; exit 1; }
  say "$name: $(tail -1 "$home/$name.log")"
}

get_tools
get_schemas
"$home/bin/helm" lint --strict "$chart" >"$home/lint.log" 2>&1 || { cat "$home/lint.log"; exit 1; }
check default
check everything -f "$root/deploy/helm/everything.yaml"
check plain -f "$root/deploy/helm/plain.yaml"
validate vllm-with-agent "$root/deploy/kubernetes/vllm-with-agent.yaml"
say "not checked: that flinkVersion is one that the operator knows"
