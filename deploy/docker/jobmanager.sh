#!/usr/bin/env bash
# Starts the JobManager with the Tailrace job and goes on from the newest intact checkpoint or savepoint, if the store has one: a job
# that was stopped with a savepoint has no checkpoints any more, and one that starts with empty state withdraws every version.
# Where there are some and none is intact, it starts nothing and says why. Where it goes on from a checkpoint, it removes those that the
# jobs before that one have left: each start makes a job of its own, and Flink removes only a job's own. With Flink's high availability all
# starts share a job's id: what a job leaves there stays beside its successor's.
# Without a high-availability service Flink itself forgets where it was when its JobManager process ends.
#
# Usage: jobmanager.sh [job options]. Reads STATE_BUCKET, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION (us-east-1 where it is
# not given) and STORE_ENDPOINT (AWS's own in that region).
# TAILRACE_FROM: a checkpoint or savepoint to start from instead; "none" starts with empty state. It is meant once: a container keeps
# its environment, and one that starts again goes on from what the job has saved since.
set -euo pipefail
shopt -s inherit_errexit # a store that does not answer must not look like one that holds nothing

region=${AWS_REGION:-us-east-1}
endpoint=${STORE_ENDPOINT:-https://s3.$region.amazonaws.com}

ask_store() { # BODY, further arguments of curl, and what follows the bucket's address
  curl -fsS --retry 10 --retry-connrefused --max-time 20 \
    --aws-sigv4 "aws:amz:$region:s3" --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    -H "x-amz-content-sha256: $(printf %s "$1" | sha256sum | cut -d ' ' -f 1)" "${@:2:$#-2}" "$endpoint/$STATE_BUCKET${*: -1}"
}

list_keys() { # the keys below $1/ after $2, a page of the listing as XML
  ask_store "" "?list-type=2&max-keys=1000&prefix=$1%2F&start-after=${2//\//%2F}"
}

states_below() { # time and path of each completed checkpoint or savepoint below $1/
  local page after=$1/ last
  for _ in $(seq 100); do
    page=$(list_keys "$1" "$after" | sed 's/<Contents>/\n/g')
    sed -nE 's#.*<Key>((checkpoints/[^<]*/chk-[0-9]+|savepoints/[^/<]*))/_metadata</Key>.*<LastModified>([^<]*)</LastModified>.*#\3 \1#p' <<<"$page"
    last=$(sed -nE 's#.*<Key>([^<]*)</Key>.*#\1#p' <<<"$page" | tail -1)
    grep -q '<IsTruncated>true' <<<"$page" && [ -n "$last" ] || break
    after=$last
  done
}

saved_states() { # newest first; those after time $1
  local checkpoints savepoints
  checkpoints=$(states_below checkpoints)
  savepoints=$(states_below savepoints)
  printf '%s\n%s\n' "$checkpoints" "$savepoints" | sort -r |
    awk -v after="$1" -v bucket="s3://$STATE_BUCKET/" 'NF && $1 > after { print bucket $2 }'
}

note=started-from/last # what TAILRACE_FROM was when a job was started from it; its time is that of the start

noted_at() { # empty: nothing was noted
  local page
  page=$(list_keys started-from "")
  sed -nE "s#.*<Key>$note</Key>.*<LastModified>([^<]*)</LastModified>.*#\1#p" <<<"$page"
}

newest_intact() { # of those that are given newest first; says which it skips, and why
  FLINK_CONF_DIR=${FLINK_CONF_DIR:-$FLINK_HOME/conf} FLINK_PLUGINS_DIR=${FLINK_PLUGINS_DIR:-$FLINK_HOME/plugins} \
    java -Xmx256m -Dorg.apache.logging.log4j.level=OFF "-Ds3.endpoint=$endpoint" \
    -cp "$FLINK_HOME/lib/*:$FLINK_HOME/usrlib/*" io.tailrace.jobs.state.SavedStates "$@"
}

from=${TAILRACE_FROM:-}
since=$(noted_at)
noted=
[ -z "$since" ] || noted=$(ask_store "" "/$note")
if [ "$from" != "$noted" ]; then
  since=
  ask_store "$from" -X PUT -H 'Content-Type: text/plain' --data-binary "$from" "/$note"
fi
if [ -z "$from" ] || [ -n "$since" ]; then
  states=$(saved_states "${from:+$since}")
  if [ -n "$states" ]; then
    [ -z "$from" ] || echo "a job was started from $from before, and goes on; to start from there again, remove s3://$STATE_BUCKET/$note"
    # shellcheck disable=SC2086 # their paths have no blanks
    from=$(newest_intact $states)
  fi
fi
restore=() empty=()
if [ "$from" = none ]; then
  empty=(--start-empty)
elif [ -n "$from" ]; then
  echo "starting from $from"
  restore=(--fromSavepoint "$from")
fi
exec "${FLINK_ENTRYPOINT:-/docker-entrypoint.sh}" standalone-job "${restore[@]}" --job-classname io.tailrace.jobs.IndexJob "$@" "${empty[@]}"
