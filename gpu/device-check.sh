#!/usr/bin/env bash
# Everything to do when a GPU is at hand, in one command of under nine minutes. Writes report.md.
#
#   gpu/device-check.sh pack                    builds what the check needs into gpu/target/device-check: a small Java runtime, classes,
#                                               the stand-in driver, the pointer chase. Needs JDK, Maven, g++, nvcc. Fails if it and
#                                               the sources, which travel together, are more than 64 MiB.
#   gpu/device-check.sh [--out FOLDER]          runs on this machine's GPU, from that folder; needs nothing but the driver
#   gpu/device-check.sh --stand-in              rehearses it on the stand-in driver: small sizes, times that mean nothing
#
# Parts: drafts, samples and acceptance equal to Java's and, byte for byte, to the kernels compiled for the host; PyTorch's work and
# ours in order on one stream, where there is PyTorch; compute-sanitizer where it is there; latency by batch and lane, beside pointer
# chase and copies; uploads, swaps, bytes across the bus; a verification step of a Llama-shaped model where there is PyTorch. A part
# that cannot run says NOT RUN and why; exit 1 if one failed.
set -uo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
bundle="$root/gpu/target/device-check"
out="$root/gpu/target/device-report"
stand_in=no

fail() {
  echo "device-check.sh: $*" >&2
  exit 2
}

# A machine that is lent for the check takes so much: the bundle and the sources, ignored files left out.
readonly travels_bytes_max=$((64 << 20))

weigh() {
  local bundled sources
  bundled="$(du -sb "$bundle" | cut -f 1)"
  sources="$(cd "$root" && git ls-files -coz --exclude-standard 2>/dev/null | du -cb --files0-from=- 2>/dev/null | tail -n 1 | cut -f 1)"
  echo "$bundle: $bundled bytes, and $sources bytes of sources, of $travels_bytes_max that may travel"
  [ $((bundled + sources)) -le "$travels_bytes_max" ] || fail "that is too much; the largest: $(du -ab "$bundle" | sort -rn | sed -n '2,6p' | tr '\n\t' '; ')"
}

pack() {
  local repository="${MAVEN_REPOSITORY:-$HOME/.m2/repository}" home version tool
  for tool in mvn jlink g++ nvcc; do command -v "$tool" >/dev/null || fail "pack needs $tool on PATH"; done
  (cd "$root" && mvn -B -q ${MAVEN_OFFLINE:+-o} -pl gpu -am -DskipTests test-compile) || fail "the build failed"
  rm -rf "$bundle"
  mkdir -p "$bundle/lib" "$bundle/stand-in"
  for module in suffix testkit gpu; do cp -r "$root/$module/target/classes" "$bundle/lib/$module"; done
  cp -r "$root/gpu/target/test-classes" "$bundle/lib/gpu-check"
  version="$(sed -n 's:.*<jcuda.version>\(.*\)</jcuda.version>.*:\1:p' "$root/pom.xml")"
  cp "$repository/org/jcuda/jcuda/$version/jcuda-$version.jar" \
    "$repository/org/jcuda/jcuda-natives/$version/jcuda-natives-$version-linux-x86_64.jar" "$bundle/lib/" || fail "no jcuda in $repository"
  g++ -std=c++17 -O2 -fPIC -shared -ffp-contract=off -I "$root/gpu/src/main/cuda" -I "$root/gpu/src/test/cuda" \
    -Wl,-soname,libcuda.so.1 -o "$bundle/stand-in/libcuda.so.1" "$root/gpu/src/test/cuda/stand_in.cc" || fail "g++ failed"
  nvcc -O3 -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=sm_100 \
    -gencode arch=compute_80,code=compute_80 -o "$bundle/chase.fatbin" "$root/gpu/src/test/cuda/chase.cu" || fail "nvcc failed"
  cp "$root"/gpu/src/test/python/{llama_cost,stream_order}.py "$bundle/"
  home="$(dirname "$(dirname "$(readlink -f "$(command -v jlink)")")")"
  "$home/bin/jlink" --add-modules java.base,java.logging,java.management,jdk.unsupported --strip-debug --no-header-files \
    --no-man-pages --compress=2 --output "$bundle/jdk" || fail "jlink failed"
  rm -rf "$bundle/jdk/legal"
  git -C "$root" rev-parse --short HEAD >"$bundle/commit" 2>/dev/null || echo unknown >"$bundle/commit"
  weigh
}

# All of it ends within so many seconds: what is left of them bounds each part, too.
readonly all_seconds=530

# Sets limit: at most so many seconds, and no more than are left.
within() {
  limit=$((all_seconds - SECONDS < $1 ? all_seconds - SECONDS : $1))
  [ "$limit" -gt 5 ] || limit=5
}

# Whether a part ran into its limit: told to end, or killed 5 seconds later since it did not.
timed_out() { [ "$1" = 124 ] || [ "$1" = 137 ]; }

# Runs a part of the check, NAME COMMAND..., for at most $limit seconds, and says what became of it.
failed=0
part() {
  local name="$1" began="$SECONDS" code
  shift
  "$@"
  code=$?
  if [ "$code" -ne 0 ]; then
    failed=1
    say "**$name FAILED**, exit $code$(timed_out "$code" && echo " (over its $limit s)")."
  fi
  echo "$name: $((SECONDS - began)) s" >&2
  return "$code"
}

say() { printf '%s\n' "$@" | tee -a "$report"; }

on_device() {
  local options=()
  [ "$stand_in" = no ] || options=(-Dtailrace.standIn="$bundle/stand-in/libcuda.so.1")
  java_run "${options[@]}" "$@"
}

java_run() { timeout -k 5 "$limit" "$bundle/jdk/bin/java" -Xmx"$heap" -XX:MaxDirectMemorySize="$heap" -cp "$class_path" "$@"; }

# A Python part, NAME ARGUMENTS..., into the report.
python_run() {
  local name="$1" code
  shift
  command -v python3 >/dev/null || { say "NOT RUN: there is no python3." && return 0; }
  timeout -k 5 "$limit" python3 "$bundle/$name.py" "$@" 2>"$out/$name.log" | tee -a "$report"
  code="${PIPESTATUS[0]}"
  [ "$code" = 0 ] || say "$(tail -n 1 "$out/$name.log")"
  return "$code"
}

# Where compute-sanitizer is; nothing if nowhere. The toolkit does not put itself on PATH.
find_sanitizer() {
  local at
  for at in "$(command -v compute-sanitizer)" "${CUDA_HOME:+$CUDA_HOME/bin/compute-sanitizer}" /usr/local/cuda/bin/compute-sanitizer; do
    [ -x "$at" ] && echo "$at" && return
  done
}

# The check of equality under a tool of compute-sanitizer, with few drafts. What the tool finds is a failure; a tool that does not
# know the device, or does not end in time, has checked nothing and says so.
sanitize() {
  local tool="$1" log="$out/sanitizer-$1.log" code
  within 32
  timeout -k 5 "$limit" "$sanitizer" --error-exitcode 9 --tool "$tool" "$bundle/jdk/bin/java" -Xmx2g -cp "$class_path" \
    io.tailrace.gpu.check.DeviceCheck equal /dev/stdout "$out/sanitized.bin" 100 >"$log" 2>&1
  code=$?
  if grep -qi 'device not supported' "$log"; then
    say "$tool NOT RUN: the tool does not know this device."
  elif timed_out "$code"; then
    say "$tool NOT RUN to its end: over $limit s."
  elif [ "$code" = 0 ]; then
    say "$tool: $(grep -a 'SUMMARY' "$log" || echo 'no summary'). $(grep -a 'drafts equal' "$log" | tail -n 1)"
  else
    failed=1
    say "**$tool FAILED**, exit $code: $(grep -a 'SUMMARY' "$log" || tail -n 1 "$log")"
  fi
}

check() {
  local tool sanitizer main=io.tailrace.gpu.check.DeviceCheck drafts=10000 sizes="1000000 10000000 100000000" class_path
  heap=16g
  [ -x "$bundle/jdk/bin/java" ] || fail "no $bundle: run '$0 pack' first, here or where the sources are built, and bring the folder"
  [ "$stand_in" = no ] || { drafts=500 sizes="20000 200000" heap=1g; }
  class_path="$bundle/lib/suffix:$bundle/lib/testkit:$bundle/lib/gpu:$bundle/lib/gpu-check:$(printf '%s:' "$bundle"/lib/*.jar)"
  mkdir -p "$out"
  report="$out/report.md"
  : >"$report"
  SECONDS=0

  say "# Device check" "" "Commit $(cat "$bundle/commit"), $(date -u +%Y-%m-%dT%H:%MZ)."
  if [ "$stand_in" = yes ]; then
    say "" "**A rehearsal on the stand-in driver: the kernels ran on the host. No figure below says anything about a GPU.**"
  else
    say "$(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 | head -n 4)"
  fi

  say "" "## Equality" ""
  local device_ran=no
  within 60
  part "equality with Java" on_device "$main" equal "$report" "$out/device.bin" "$drafts" && device_ran=yes
  within 80
  part "the same on the host" java_run -Dtailrace.standIn="$bundle/stand-in/libcuda.so.1" "$main" equal /dev/stdout \
    "$out/host.bin" "$drafts" >"$out/host.log" || cat "$out/host.log"
  if [ "$device_ran" = yes ] && cmp "$out/device.bin" "$out/host.bin"; then
    say "Device and host gave the same $(stat -c %s "$out/device.bin") bytes of drafts and verdicts, sampling included."
  else
    failed=1
    say "**Device and host differ**, or one of them gave nothing."
  fi

  say "" "## PyTorch and ours on one stream" ""
  if [ "$stand_in" = yes ]; then
    say "NOT RUN: a rehearsal."
  else
    within 50
    part "order of the stream" python_run stream_order "$bundle/lib/gpu/io/tailrace/gpu/kernels.fatbin"
  fi

  say "" "## compute-sanitizer" ""
  if [ "$stand_in" = yes ]; then
    say "NOT RUN: a rehearsal."
  elif ! sanitizer="$(find_sanitizer)" || [ -z "$sanitizer" ]; then
    say "NOT RUN: compute-sanitizer is neither on PATH nor in /usr/local/cuda/bin nor in CUDA_HOME."
  else
    for tool in memcheck racecheck synccheck; do sanitize "$tool"; done
  fi

  within 170
  # shellcheck disable=SC2086
  part "latency" on_device "$main" times "$report" "$bundle/chase.fatbin" $((limit - 10)) $sizes

  say "" "## Verification step of a Llama-shaped model" ""
  if [ "$stand_in" = yes ]; then
    say "NOT RUN: a rehearsal."
  else
    within 90
    part "verification step" python_run llama_cost
  fi
  say "" "$([ "$failed" = 0 ] && echo "Every part that ran passed" || echo "**Something failed**"), $SECONDS s."
  return "$failed"
}

mode=check
while [ $# -gt 0 ]; do
  case "$1" in
    pack) mode=pack ;;
    --stand-in) stand_in=yes ;;
    --out) out="${2:?--out needs a folder}" && shift ;;
    *) fail "unknown: $1; see the head of this file" ;;
  esac
  shift
done
"$mode"
