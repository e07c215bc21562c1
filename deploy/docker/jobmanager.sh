#!/usr/bin/env bash
# Starts the JobManager with the Tailrace job and goes on from the newest completed checkpoint, if the store has one.
# Without a high-availability service Flink itself forgets where it was when its JobManager process ends.
#
# Usage: jobmanager.sh [job options]. Reads STORE_ENDPOINT, STATE_BUCKET, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.
# TAILRACE_FROM: a checkpoint or savepoint to start from instead; "none" starts with empty state.
set -euo pipefail

list_checkpoints() { # the keys after $1, a page of the listing as XML
  curl -fsS --retry 10 --retry-connrefused --max-time 20 \
    --aws-sigv4 aws:amz:us-east-1:s3 --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \
    "$STORE_ENDPOINT/$STATE_BUCKET?list-type=2&max-keys=1000&prefix=checkpoints%2F&start-after=${1//\//%2F}"
}

newest_checkpoint() {
  local page after=checkpoints/ last
  for _ in $(seq 100); do
    page=$(list_checkpoints "$after" | sed 's/<Contents>/\n/g')
    sed -nE 's#.*<Key>(checkpoints/[^<]*/chk-[0-9]+)/_metadata</Key>.*<LastModified>([^<]*)</LastModified>.*#\2 \1#p' <<<"$page"
    last=$(sed -nE 's#.*<Key>([^<]*)</Key>.*#\1#p' <<<"$page" | tail -1)
    grep -q '<IsTruncated>true' <<<"$page" && [ -n "$last" ] || break
    after=$last
  done | sort | tail -1 | cut -d' ' -f2
}

from=${TAILRACE_FROM:-}
if [ -z "$from" ]; then
  checkpoint=$(newest_checkpoint)
  [ -z "$checkpoint" ] || from="s3://$STATE_BUCKET/$checkpoint"
fi
restore=()
if [ -n "$from" ] && [ "$from" != none ]; then
  echo "starting from $from"
  restore=(--fromSavepoint "$from")
fi
exec "${FLINK_ENTRYPOINT:-/docker-entrypoint.sh}" standalone-job "${restore[@]}" --job-classname io.tailrace.jobs.IndexJob "$@"
