#!/usr/bin/env bash
# Starts S3Proxy with what the environment says, each variable as the property of that name.
set -eu
properties=()
while IFS='=' read -r name value; do
  name=${name,,}
  properties+=("-D${name//_/.}=$value")
done < <(env | grep -E '^(S3PROXY|JCLOUDS)_')
exec java "${properties[@]}" -Dlogback.configurationFile=/opt/s3proxy/logback.xml -cp '/opt/s3proxy/*' \
  org.gaul.s3proxy.Main --properties /dev/null
