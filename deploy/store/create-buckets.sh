#!/bin/sh
# Creates the buckets, one for segments and one for Flink's state; both are private.
# Reads STORE_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; bucket names are the arguments. May run any number of times.
set -eu
for bucket in "$@"; do
  status=$(curl -sS -o /dev/null -w '%{http_code}' --retry 30 --retry-delay 1 --retry-connrefused --max-time 60 -X PUT \
    --aws-sigv4 aws:amz:us-east-1:s3 --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$STORE_ENDPOINT/$bucket")
  case $status in
    200) echo "bucket $bucket created" ;;
    409) echo "bucket $bucket is there" ;;
    *) echo "bucket $bucket: the store at $STORE_ENDPOINT answered $status; check its credentials and log" >&2; exit 1 ;;
  esac
done
