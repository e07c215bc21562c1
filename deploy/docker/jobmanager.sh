#!/usr/bin/env bash
# Starts the JobManager with the Tailrace job and goes on from the newest intact checkpoint or savepoint, if the store has one: a job
# that was stopped with a savepoint has no checkpoints any more, and one that starts with empty state withdraws every version.
# Where there are some and none is intact, it starts nothing and says why. Where it goes on from a checkpoint, it removes those that the
# jobs before that one have left: each start makes a job of its own, and Flink removes only a job's own.
# Without a high-availability service Flink itself forgets where it was when its JobManager process ends.
#
# Usage: jobmanager.sh [job options]. Reads STATE_BUCKET, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION (us-east-1 where it is
# not given) and STORE_ENDPOINT (AWS's own in that region).
# TAILRACE_FROM: a checkpoint or savepoint to start from instead; "none" starts with empty state.
set -euo pipefail
shopt -s inherit_errexit # a store that does not answer must not look like one that holds nothing

region=${AWS_REGION:-us-east-1}
endpoint=${STORE_ENDPOINT:-https://s3.$region.amazonaws.com}

list_keys() { # the keys below $1/ after $2, a page of the listing as XML
  curl -fsS --retry 10 --retry-connrefused --max-time 20 \
    --aws-sigv4 "aws:amz:$region:s3" --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \
    "$endpoint/$STATE_BUCKET?list-type=2&max-keys=1000&prefix=$1%2F&start-after=${2//\//%2F}"
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

saved_states() { # newest first
  local checkpoints savepoints
  checkpoints=$(states_below checkpoints)
  savepoints=$(states_below savepoints)
  printf '%s\n%s\n' "$checkpoints" "$savepoints" | sort -r | sed -n "s#^[^ ]* #s3://$STATE_BUCKET/#p"
}

newest_intact() { # of those that are given newest first; says which it skips, and why
  FLINK_CONF_DIR=${FLINK_CONF_DIR:-$FLINK_HOME/conf} FLINK_PLUGINS_DIR=${FLINK_PLUGINS_DIR:-$FLINK_HOME/plugins} \
    java -Xmx256m -Dorg.apache.logging.log4j.level=OFF "-Ds3.endpoint=$endpoint" \
    -cp "$FLINK_HOME/lib/*:$FLINK_HOME/usrlib/*" io.tailrace.jobs.state.SavedStates "$@"
}

from=${TAILRACE_FROM:-}
if [ -z "$from" ]; then
  states=$(saved_states)
  # shellcheck disable=SC2086 # their paths have no blanks
  [ -z "$states" ] || from=$(newest_intact $states)
fi
restore=() empty=()
if [ "$from" = none ]; then
  empty=(--start-empty)
elif [ -n "$from" ]; then
  echo "starting from $from"
  restore=(--fromSavepoint "$from")
fi
exec "${FLINK_ENTRYPOINT:-/docker-entrypoint.sh}" standalone-job "${restore[@]}" --job-classname io.tailrace.jobs.IndexJob "$@" "${empty[@]}"
