#!/usr/bin/env bash
# Starts docker-compose.yml for real and sees that it bears what it promises: answers sent in by one client are drafted by
# another, the audit is green, the store refuses who has no keys, each container may be killed, and `down` and `up` lose nothing.
# Types what the pages say of Compose as they say it. Takes everything down again, but for images.
#
# Usage: deploy/docker/try-compose.sh       as root (it kills containers' processes and opens the agent's socket)
# Images that cannot be pulled are made by bases.sh. Exit code 0: all held; 1: something did not; 3: no Docker engine, nothing was tried.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
home="$root/.tailrace/try-compose"
model=synthetic@1,vocabulary=32768,tokenizer=synthetic-words
bootstrap=127.0.0.1:29092
export COMPOSE_PROJECT_NAME=tailrace-try COMPOSE_FILE="$root/docker-compose.yml"
export AWS_ACCESS_KEY_ID=tailrace AWS_SECRET_ACCESS_KEY=tailrace-try-out-only AWS_ENDPOINT_URL_S3=http://127.0.0.1:8090 AWS_DEFAULT_REGION=us-east-1

say() { echo "try-compose: $*"; }
fail() { say "$*" >&2; exit 1; }

await() { # await WHAT SECONDS COMMAND...: until the command succeeds
  local what=$1 limit=$2 began=$SECONDS
  shift 2
  until "$@" >"$home/last.log" 2>&1; do
    [ $((SECONDS - began)) -lt "$limit" ] || { cat "$home/last.log" >&2; fail "no $what within $limit s"; }
    sleep 1
  done
  say "$what after $((SECONDS - began)) s"
}

get_images() {
  local image missing=no
  services=(kafka store jobmanager taskmanager worker agent prometheus)
  for image in $(sed -nE 's/^(FROM| *image:) ([^ ]+:[^ ]+).*/\2/p' "$root/deploy/docker/Dockerfile" "$root/docker-compose.yml" | grep -v '^tailrace/'); do
    docker image inspect "$image" >/dev/null 2>&1 || docker pull -q "$image" >/dev/null 2>&1 || case $image in
      grafana/*) grafana=no ;;
      *) missing=yes ;;
    esac
  done
  if [ "${grafana:-yes}" = yes ]; then services+=(grafana); else say "Grafana is left out: its image cannot be pulled, and nothing stands in for it"; fi
  # Those of bases.sh hold what a build fetches: made anew, since that may have changed.
  ! docker image inspect tailrace/debian:bookworm >/dev/null 2>&1 || missing=yes
  [ $missing = no ] || "$root/deploy/docker/bases.sh" >"$home/bases.log" 2>&1 || fail "no base images; see $home/bases.log"
}

block() { # block NUMBER [PAGE HEADING]: of a page's section, if none is named of that on Compose
  sed -n "/^${3:-## With Docker Compose}\$/,/^## /p" "$root/docs/how-to/${2:-run-a-fleet}.md" |
    awk -v number="$1" '/^```sh$/ { at++; inside = 1; next } /^```$/ { inside = 0 } inside && at == number' | sed -E 's/ +#.*//'
}

typed() { (cd "$root" && bash -ec "$1"); } # typed COMMANDS: a page's, as they stand

say_typed() { sed 's/^/try-compose: typed: /' <<<"$1"; }

start() { # start COMMAND: with the services' names, since one may be left out
  typed "$1 ${services[*]}" >"$home/up.log" 2>&1 || { tail -5 "$home/up.log" >&2; fail "$1 failed"; }
  say_typed "$1 ${services[*]}"
}

job() { curl -fsS http://127.0.0.1:8081/jobs | grep -oE '[0-9a-f]{32}' | head -1; }

job_runs() { curl -fsS "http://127.0.0.1:8081/jobs/$(job)" | grep -q '"state":"RUNNING"'; }

backs() { block 1 upgrade '### Back to a savepoint with Docker Compose'; } # the page's commands

back() { backs | sed -n "$1p" | sed -E "s/JOB_ID/$(job)/; s#=SAVEPOINT#=${savepoint:-}#"; } # back NUMBER: one of them

saves() { # saves COMMAND: takes a savepoint, which is $savepoint then
  typed "$1" | tee "$home/savepoint.log"
  savepoint=$(grep -oE 's3://[^ ]*/savepoint-[0-9a-f-]+' "$home/savepoint.log" | tail -1)
}

started_from() { curl -fsS "http://127.0.0.1:8081/jobs/$(job)/checkpoints" | grep -qE "\"restored\":\{[^}]*\"external_path\":\"$1"; }

go_back() { # to a savepoint that is older than what was sent last, which the job then reads again
  start "$(back 2)"
  await "job running" 120 job_runs
  await "start from the savepoint" 10 started_from "$savepoint"
  start "$(back 3)"
  await "job running" 120 job_runs
  await "start from what the job has saved since" 10 started_from s3://tailrace-state/checkpoints/
  say_typed "$(backs)"
}

bucket_block() { # bucket_block NUMBER: of the page on backups, but for what needs Kubernetes
  block "$1" restore '## With buckets' | grep -v '^kubectl '
}

bucketed() { # bucketed NUMBER: the same, with what its names stand for
  bucket_block "$1" | sed -E "s/JOB_ID/$(job 2>/dev/null)/; s#/NAME#/${savepoint##*/}#g; s#kafka:9092#$bootstrap#"
}

flink() { docker compose exec -T jobmanager flink "$1" -m jobmanager:8081 "${@:2}"; } # as on a host that has it

aws() { "$home/python/bin/aws" "$@"; }

back_up() {
  aws s3 mb s3://backup
  saves "$(bucketed 1 | head -1)"
  typed "$(bucketed 1 | tail -n +2)" >"$home/backup.log"
  say_typed "$(bucket_block 1)"
}

restore() { # of what both buckets held when they were backed up
  docker compose stop jobmanager >/dev/null 2>&1
  for bucket in tailrace-segments tailrace-state; do aws s3 rm --quiet --recursive s3://$bucket; done
  typed "$(bucketed 2)" >"$home/restore.log"
  start "TAILRACE_FROM=$savepoint docker compose up -d --wait"
  await "job running" 120 job_runs
  await "start from the savepoint" 10 started_from "$savepoint"
  start "docker compose up -d --wait"
  await "job running" 120 job_runs
  docker compose stop worker >/dev/null 2>&1
  await "green audit of the backup and what came since" 180 typed "$(bucketed 3)"
  say_typed "$(bucket_block 2; bucket_block 3)"
}

rotate() { # the store's keys
  local old=$AWS_SECRET_ACCESS_KEY command
  command=$(block 1 rotate "## The store's credentials")
  start "$command"
  AWS_SECRET_ACCESS_KEY=$(sed -E 's/.*STORE_SECRET_KEY=([^ ]+).*/\1/' <<<"$command")
  [ "$AWS_SECRET_ACCESS_KEY" != "$old" ] && ! AWS_SECRET_ACCESS_KEY=$old aws s3 ls s3://tailrace-segments >"$home/last.log" 2>&1 ||
    fail "the old keys are good"
  await "job running" 120 job_runs
  await "start from what the job has saved before" 10 started_from s3://tailrace-state/
  docker compose stop worker >/dev/null 2>&1
  say_typed "$command"
}

write() { # write NAME: a recording that nobody can guess
  "$home/python/bin/python" "$root/deploy/docker/probe.py" --write "$home/$1.jsonl" "$1-$RANDOM$RANDOM"
  sed -E 's/.*"id": "([^"]*)".*/\1/' "$home/$1.jsonl" >>"$home/ids"
}

send() { # send NAME: by a client on this machine; sent twice is no harm
  "$root/tailrace" load --name probe --bootstrap $bootstrap --store s3://tailrace-segments/ --model $model \
    --input "$home/$1.jsonl" --cache "$home/cache" --pace 10 --port -1
}

drafted() { # drafted NAME [SOCKET]: the agent at the socket, or the one in its container, drafts them for another engine
  local socket
  socket=${2:-$(docker volume inspect -f '{{.Mountpoint}}' tailrace-try_socket)/agent.sock}
  "$home/python/bin/python" "$root/deploy/docker/probe.py" "$socket" "$home/$1.jsonl"
}

audited_by_page() { typed "$(block 2)"; }

audited() { # with the worker at rest, so that nothing changes while it reads
  "$root/tailrace" audit --bootstrap $bootstrap --store s3://tailrace-segments/ --deep --ids "$home/ids"
}

status() { curl -sS -o /dev/null -w '%{http_code}' "$@"; }

refused() { # a segment is given to who has the keys, and to nobody without
  local signed key segment
  signed=(--aws-sigv4 aws:amz:us-east-1:s3 --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD')
  key=$(curl -fsS "${signed[@]}" "$AWS_ENDPOINT_URL_S3/tailrace-segments" | grep -oE '<Key>[^<]*\.segment' | head -1)
  segment="$AWS_ENDPOINT_URL_S3/tailrace-segments/${key#<Key>}"
  [ -n "$key" ] && [ "$(status "${signed[@]}" "$segment")" = 200 ] && [ "$(status "$segment")" = 403 ]
}

watched() { # Prometheus reaches everything it is to watch
  curl -fsS 'http://127.0.0.1:9090/api/v1/query?query=min(up)' | grep -q '"1"\]'
}

healthy() { [ "$(docker inspect -f '{{.State.Health.Status}}' "$(docker compose ps -q "$1")")" = healthy ]; }

restarted() { # restarted SERVICE PID: another process, and healthy
  local pid
  pid=$(docker inspect -f '{{.State.Pid}}' "$(docker compose ps -q "$1")")
  [ "$pid" != "$2" ] && [ "$pid" != 0 ] && healthy "$1"
}

kill_each() {
  local service pid
  for service in "${services[@]}"; do
    pid=$(docker inspect -f '{{.State.Pid}}' "$(docker compose ps -q "$service")")
    kill -9 "$pid"
    await "$service back" 120 restarted "$service" "$pid"
    await "job running" 120 job_runs
  done
}

runbooks() { # what runbooks type; what they start is stopped first
  local command commands service
  mapfile -t commands < <(grep -h '^docker compose ' "$root/docs/how-to/runbooks.md" | sort -u)
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086 # several services
    [[ $command != *' up -d '* ]] || docker compose stop ${command##* up -d } >/dev/null 2>&1
    typed "$command" >"$home/last.log" 2>&1 || { cat "$home/last.log" >&2; fail "$command failed"; }
    say_typed "$command"
    for service in "${services[@]}"; do await "$service well" 120 healthy "$service"; done
    await "job running" 120 job_runs
  done
}

end_agent() { # where one runs
  [ -z "$agent" ] || { kill "$agent" && wait "$agent"; } 2>/dev/null || true
  agent=
}

elsewhere() { # what the page says of other hosts: an agent outside the containers, which reaches them by this host's address
  local address commands
  address=$(hostname -I | cut -d' ' -f1)
  commands=$({ block 3; block 4; } | sed "s/MODEL@REVISION,vocabulary=V,tokenizer=sha256:[.]*/$model/; s/ADDRESS/$address/g; s/--scope chat/--scope default/
    s#^./tailrace .*#exec $root/& --listen $home/agent.sock --port 0 --cache $home/agent-cache --spool $home/agent-spool#")
  (cd "$home" && exec bash -ec "$commands") >"$home/agent.log" 2>&1 &
  agent=$!
  for name in first second; do await "$name answers drafted by an agent outside" 300 drafted $name "$home/agent.sock"; done
  say_typed "$(block 3; block 4)"
  end_agent
}

if ! docker info >/dev/null 2>&1 || ! docker compose version >/dev/null 2>&1; then
  say "nothing was tried: there is no Docker engine with the Compose plug-in here"
  exit 3
fi
mkdir -p "$home"
rm -rf "$home/ids" "$home/cache" "$home/agent-cache" "$home/agent-spool"
[ -x "$home/python/bin/aws" ] || { python3 -m venv "$home/python" && "$home/python/bin/pip" install -q "numpy>=1.24" awscli==1.42.0; }
export -f flink aws
export home
"$root/tailrace" --help >/dev/null
get_images
agent=
trap 'end_agent; docker compose down -v >/dev/null 2>&1' EXIT
docker compose build >"$home/build.log" 2>&1 || fail "the build failed; see $home/build.log"
start "$(block 1)"
await "job running" 120 job_runs
await "every target scraped" 60 watched
write first
await "first answers sent" 120 send first
await "first answers drafted by another client" 60 drafted first
await "segment for who has keys alone" 60 refused
runbooks
kill_each
await "savepoint" 120 saves "$(back 1)"
write second
await "second answers sent" 120 send second
go_back
await "second answers drafted by another client" 60 drafted second
await "green audit, as the page types it" 180 audited_by_page
say_typed "$(block 2)"
await "green audit of all that was sent" 180 audited
docker compose down >/dev/null 2>&1
start "docker compose up -d --wait"
await "job running" 120 job_runs
docker compose stop worker >/dev/null 2>&1
for name in first second; do await "$name answers drafted after down and up" 60 drafted $name; done
await "green audit of all that was sent" 180 audited
back_up
write third
await "third answers sent" 120 send third
restore
await "third answers drafted by another client" 60 drafted third
await "green audit of all that was sent" 180 audited
rotate
write fourth
await "fourth answers sent" 120 send fourth
for name in first fourth; do await "$name answers drafted with the store's new keys" 60 drafted $name; done
await "green audit of all that was sent" 180 audited
docker compose down >/dev/null 2>&1
elsewhere
say "all held"
