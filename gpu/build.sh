#!/usr/bin/env bash
# Compiles the kernels into the module's resources: machine code for sm_80, sm_90 and sm_100, and PTX for what comes later.
# Needs nvcc (CUDA 12.8 or newer). The driver that runs them must be as new as the nvcc: users with an older one run this script
# with theirs. Prints registers, shared memory and spills of each kernel; --report FILE writes them there too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
report=""
if [ "${1:-}" = "--report" ]; then
  report="${2:?--report needs a file}"
fi
command -v nvcc >/dev/null || { echo "build.sh: no nvcc on PATH; install the CUDA toolkit (12.8 or newer)" >&2; exit 2; }

out=src/main/resources/io/tailrace/gpu
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
nvcc -std=c++17 -O3 --fmad=false --ftz=false --prec-div=true -I src/main/cuda -Xptxas -v -fatbin --compress-mode=size \
  -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=sm_100 \
  -gencode arch=compute_80,code=compute_80 \
  -o "$work/kernels.fatbin" src/main/cuda/kernels.cu 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
grep -v 'ptxas\|Function properties\|stack frame\|Used\|^ *$' "$work/log" >&2 || true

# What it was made of: every source by name, and its bytes.
sources() { find src/main/cuda -type f | LC_ALL=C sort; }
hash="$(sources | while read -r file; do printf '%s\n' "${file#src/main/cuda/}"; cat "$file"; done | sha256sum | cut -d ' ' -f 1)"
mv "$work/kernels.fatbin" "$out/kernels.fatbin"
{
  echo "source=$hash"
  echo "binary=$(sha256sum "$out/kernels.fatbin" | cut -d ' ' -f 1)"
  echo "nvcc=$(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')"
} >"$out/kernels.properties"

table() {
  echo "| kernel | target | registers | spilled bytes, stored / loaded | stack bytes | static shared bytes |"
  echo "|---|---|---|---|---|---|"
  awk '
    /Compiling entry function/ { split($0, q, "\x27"); kernel = q[2]; target = q[4] }
    /bytes stack frame/ { stack = $1; stores = $5; loads = $9 }
    /Used .* registers/ && kernel != "" {
      registers = $0; sub(/.*Used /, "", registers); sub(/ registers.*/, "", registers)
      shared = "0"
      if (match($0, /[0-9]+ bytes smem/)) { shared = substr($0, RSTART, RLENGTH); sub(/ bytes smem/, "", shared) }
      printf "| `%s` | %s | %s | %s / %s | %s | %s |\n", kernel, target, registers, stores, loads, stack, shared
      kernel = ""
    }' "$work/log" | LC_ALL=C sort
}
table
[ -z "$report" ] || table >"$report"
