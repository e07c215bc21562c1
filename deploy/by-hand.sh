#!/usr/bin/env bash
# Runs docker-compose.yml's processes without containers: a broker, an S3 store, a Flink cluster with two TaskManagers that
# takes the job's jar, two workers. Every part is its own JVM on loopback; ends by itself and stops what it started.
#
# Usage: deploy/by-hand.sh [--seconds N] [--input FILE --model M] [--pace R] [--stay]
#   --seconds N   send requests for at most N seconds (default 90)
#   --input FILE  JSON lines without parents to send, dealt to the workers in turn (default: synthetic traffic)
#   --model M     what the input is of (default: the synthetic traffic's)
#   --pace R      requests a second of each worker (default 5)
#   --stay        keep everything running until Ctrl-C
# Exit code 0: both workers loaded a snapshot and all accounting closed; 1: not; 2: bad usage or a part did not start.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
home="$root/.tailrace/by-hand"
model=synthetic@1,vocabulary=32768,tokenizer=synthetic-words
seconds=90 input='' pace=5 stay=no
kafka_port=19092 store_port=18090 rest_port=18081 worker_port=19464
export AWS_ACCESS_KEY_ID=tailrace AWS_SECRET_ACCESS_KEY=by-hand-only AWS_REGION=us-east-1
store="http://127.0.0.1:$store_port"
pids=()

fail() { echo "by-hand: $*" >&2; exit 2; }

while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?} && shift 2 ;;
    --input) input=${2:?} && shift 2 ;;
    --model) model=${2:?} && shift 2 ;;
    --pace) pace=${2:?} && shift 2 ;;
    --stay) stay=yes && shift ;;
    -h | --help) sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 0 ;;
    *) fail "unknown option '$1'; see --help" ;;
  esac
done

start() { # start NAME COMMAND...: in the background, output to a log, pid remembered
  local name=$1
  shift
  "$@" >"$home/$name.log" 2>&1 &
  pids+=($!)
  echo "started $name (pid $!, log $home/$name.log)"
}

# shellcheck disable=SC2329 # called by the trap
stop_all() {
  local pid i
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do kill "${pids[i]}" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
}
trap stop_all EXIT
trap 'exit 1' INT TERM

all_alive() {
  local pid
  for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null || return 1; done
}

await() { # await WHAT SECONDS COMMAND...: until the command succeeds
  local what=$1 limit=$2 began=$SECONDS
  shift 2
  until "$@" >/dev/null 2>&1; do
    all_alive || fail "a process ended while $what was to come up; look into the logs in $home"
    [ $((SECONDS - began)) -lt "$limit" ] || fail "$what did not come up within $limit s; look into the logs in $home"
    sleep 0.5
  done
  echo "$what is up after $((SECONDS - began)) s"
}

class_path() { # class_path NAME: of deploy/by-hand/NAME-pom.xml, resolved once
  local file="$home/$1.classpath" pom="$root/deploy/by-hand/$1-pom.xml"
  if [ ! -f "$file" ] || [ "$pom" -nt "$file" ] || [ "$root/pom.xml" -nt "$file" ]; then
    mvn -q -B --no-transfer-progress -f "$pom" dependency:build-classpath -DincludeScope=runtime -Dmdep.outputFile="$file" >"$home/maven.log" 2>&1
  fi
  cat "$file"
}

port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

start_store() {
  mkdir -p "$home/store"
  printf '%s\n' s3proxy.authorization=aws-v2-or-v4 "s3proxy.endpoint=$store" "s3proxy.identity=$AWS_ACCESS_KEY_ID" \
    "s3proxy.credential=$AWS_SECRET_ACCESS_KEY" jclouds.provider=filesystem-nio2 \
    "jclouds.filesystem.basedir=$home/store" >"$home/s3proxy.conf"
  cp "$root/deploy/by-hand/logback.xml" "$home/logback.xml"
  start store java -Xmx256m -Dlogback.configurationFile="$home/logback.xml" -cp "$(class_path s3proxy)" \
    org.gaul.s3proxy.Main --properties "$home/s3proxy.conf"
  await store 60 port_open $store_port
  STORE_ENDPOINT=$store "$root/deploy/store/create-buckets.sh" tailrace-segments tailrace-state
}

start_kafka() {
  local cp config="$home/kafka.properties"
  cp=$(class_path kafka)
  sed -e "s#@DATA@#$home/kafka#; s#@PORT@#$kafka_port#g; s#@CONTROLLER_PORT@#$((kafka_port + 1))#g" \
    "$root/deploy/by-hand/kafka.properties" >"$config"
  java -cp "$cp" kafka.tools.StorageTool format --ignore-formatted -t dGFpbHJhY2UtYnktaGFuZA -c "$config" >"$home/format.log" 2>&1 ||
    fail "cannot format the broker's folder; see $home/format.log"
  start kafka java -Xmx400m -cp "$cp" kafka.Kafka "$config"
  await kafka 60 port_open $kafka_port
}

flink_options() { # the -D options that docker-compose.yml gives by FLINK_PROPERTIES
  printf '%s\n' -Djobmanager.rpc.address=127.0.0.1 -Djobmanager.rpc.port=16123 "-Drest.port=$rest_port" \
    -Dbind-host=127.0.0.1 -Djobmanager.bind-host=127.0.0.1 -Dtaskmanager.bind-host=127.0.0.1 -Dtaskmanager.host=127.0.0.1 \
    -Drest.bind-address=127.0.0.1 -Drest.address=127.0.0.1 "-Ds3.endpoint=$store" "-Dio.tmp.dirs=$home/flink-tmp" \
    -Dtaskmanager.rpc.port=0 -Dblob.server.port=0 \
    -Dheartbeat.timeout=10s \
    -Dmetrics.reporter.prometheus.port=19249-19259
}

two_taskmanagers() { curl -fsS "http://127.0.0.1:$rest_port/overview" | grep -q '"taskmanagers":2'; }

start_flink() {
  local cp
  cp=$(class_path flink)
  mkdir -p "$home/conf" "$home/plugins/s3-fs-hadoop" "$home/flink-tmp"
  cp "$root/deploy/flink/config.yaml" "$home/conf/config.yaml"
  cp "$root/deploy/by-hand/log4j2.properties" "$home/conf/log4j2.properties"
  [ -n "$(ls "$home/plugins/s3-fs-hadoop")" ] ||
    mvn -q -B --no-transfer-progress -f "$root/deploy/by-hand/flink-pom.xml" dependency:copy -Dmdep.useBaseVersion=true \
      -Dartifact="org.apache.flink:flink-s3-fs-hadoop:$(sed -n 's:.*<flink.version>\(.*\)</flink.version>.*:\1:p' "$root/pom.xml")" \
      -DoutputDirectory="$home/plugins/s3-fs-hadoop" >/dev/null
  export FLINK_PLUGINS_DIR="$home/plugins" FLINK_CONF_DIR="$home/conf"
  local opens=(--add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED)
  local log=("-Dlog4j2.configurationFile=$home/conf/log4j2.properties") options resources memory
  mapfile -t options < <(flink_options)
  flink=(java -Xmx256m "${opens[@]}" "${log[@]}" -cp "$cp")
  start jobmanager java -Xmx320m -XX:MaxMetaspaceSize=256m "${opens[@]}" "${log[@]}" -cp "$cp" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$home/conf" "${options[@]}"
  mapfile -t resources < <(java -cp "$cp" org.apache.flink.runtime.util.bash.BashJavaUtils GET_TM_RESOURCE_PARAMS \
    --configDir "$home/conf" "${options[@]}" 2>/dev/null | sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p')
  read -r -a memory <<<"${resources[0]}"
  read -r -a resources <<<"${resources[1]}"
  local n
  for n in 1 2; do
    start taskmanager-$n java "${memory[@]}" -XX:G1HeapRegionSize=8m -XX:+ExitOnOutOfMemoryError "${opens[@]}" "${log[@]}" -cp "$cp" \
      org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$home/conf" "${resources[@]}" "${options[@]}" \
      -Dtaskmanager.resource-id=taskmanager-$n
  done
  await "Flink with two TaskManagers" 120 two_taskmanagers
}

make_keys() {
  command -v openssl >/dev/null || fail "no openssl found, which makes the keys"
  (umask 077 && openssl genpkey -algorithm ed25519 -out "$home/signing.pem")
  openssl pkey -in "$home/signing.pem" -pubout -out "$home/trusted.pem"
}

submit_job() {
  "${flink[@]}" org.apache.flink.client.cli.CliFrontend run -d -m "127.0.0.1:$rest_port" "$root/jobs/target/tailrace-job.jar" \
    --bootstrap "127.0.0.1:$kafka_port" --store s3://tailrace-segments/ --scratch "$home/flink-tmp" --model "$model" \
    --signing-key "$home/signing.pem" --trusted-keys "$home/trusted.pem" \
    >"$home/submit.log" 2>&1 || fail "the job was not accepted; see $home/submit.log"
  await "the job" 120 all_tasks_run
}

all_tasks_run() {
  local job
  job=$(curl -fsS "http://127.0.0.1:$rest_port/jobs" | sed -nE 's/.*"id":"([0-9a-f]{32})".*/\1/p')
  [ -n "$job" ] && curl -fsS "http://127.0.0.1:$rest_port/jobs/$job" | grep -q '"state":"RUNNING"' &&
    ! curl -fsS "http://127.0.0.1:$rest_port/jobs/$job" | grep -qE '"status":"(CREATED|SCHEDULED|DEPLOYING|INITIALIZING)"'
}

tailrace() { "$root/tailrace" "$@"; }

start_workers() {
  local n inputs
  export AWS_ENDPOINT_URL_S3=$store
  for n in 1 2; do
    inputs="$home/worker-$n.jsonl.gz"
    start worker-$n "$root/tailrace" load --name worker-$n --bootstrap "127.0.0.1:$kafka_port" --model "$model" \
      --store s3://tailrace-segments/ --cache "$home/cache-$n" --trusted-keys "$home/trusted.pem" --input "$inputs" --requests $((seconds * pace)) \
      --pace "$pace" --own-context --port $((worker_port + n)) --json "$home/worker-$n.json"
  done
}

write_inputs() { # one file a worker, with request ids of their own
  local n
  for n in 1 2; do
    rm -f "$home/worker-$n.jsonl.gz"
    if [ -z "$input" ]; then
      tailrace traffic --requests $((seconds * pace)) --seed $n --id-prefix w$n- "$home/worker-$n.jsonl.gz"
    else
      (gzip -dcf "$input" || true) | awk -v n=$n 'NR % 2 == n % 2' | gzip >"$home/worker-$n.jsonl.gz"
    fi
  done
}

metric() { # metric NAME PORT...: the sum over the ports
  local name=$1 port
  shift
  for port in "$@"; do curl -fsS "http://127.0.0.1:$port/metrics" 2>/dev/null || true; done |
    awk -v name="$name" 'index($1, name) == 1 && substr($1, length(name) + 1, 1) ~ /[{ ]|^$/ { sum += $NF } END { printf "%.0f", sum }'
}

flink_metric() { metric "flink_taskmanager_job_task_operator_$1" 19249 19250 19251 19252; }

report() {
  local admitted shards duplicate read
  read=$(flink_metric 'admitted') shards=$(flink_metric lane_shard_admitted) duplicate=$(flink_metric lane_shard_duplicate)
  admitted=$read
  echo "job: $admitted records admitted = $shards in shards + $duplicate repeats; $(flink_metric lane_shard_indexedTokens) tokens indexed"
  echo "job: $(metric flink_jobmanager_job_numberOfCompletedCheckpoints 19249 19250 19251) checkpoints, $(metric flink_jobmanager_job_numRestarts 19249 19250 19251) restarts"
  echo "store: $(find "$home/store/tailrace-segments" -name '*.segment' | wc -l) segments; state: $(find "$home/store/tailrace-state" -name _metadata | wc -l) checkpoints"
  [ "$admitted" -gt 0 ] && [ "$admitted" -eq $((shards + duplicate)) ]
}

loaded() { # both workers serve a version that the job announced
  local n
  for n in 1 2; do
    [ "$(metric tailrace_snapshot_loads $((worker_port + n)))" -gt 0 ] || return 1
  done
}

rm -rf "$home/store" "$home/kafka" "$home/cache-1" "$home/cache-2"
mkdir -p "$home"
(cd "$root" && mvn -q -B -Dmaven.test.skip=true -Dspotless.check.skip=true -pl jobs,cli -am package) >"$home/maven.log" 2>&1 ||
  fail "the build failed; see $home/maven.log"
write_inputs
make_keys
start_store
start_kafka
tailrace topics create --bootstrap "127.0.0.1:$kafka_port"
start_flink
submit_job
workers_from=${#pids[@]}
start_workers
await "a snapshot on both workers" 120 loaded
verdict=0
for pid in "${pids[@]:workers_from}"; do wait "$pid" || verdict=1; done
sleep 3
report || verdict=1
for n in 1 2; do
  echo "worker-$n:" && cat "$home/worker-$n.log"
done
if [ $stay = yes ]; then
  echo "Flink: http://127.0.0.1:$rest_port   store: $store   Kafka: 127.0.0.1:$kafka_port   Ctrl-C ends it."
  wait
fi
exit $verdict
