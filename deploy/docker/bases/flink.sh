#!/usr/bin/env bash
# The entry point of Flink's image, as far as the project uses it: standalone-job, taskmanager, flink.
# It goes by config.yaml and FLINK_PROPERTIES; JVM options beyond Flink's memory model are those that config.yaml names.
set -euo pipefail
home=${FLINK_HOME:?}
export FLINK_CONF_DIR=$home/conf FLINK_LIB_DIR=$home/lib FLINK_PLUGINS_DIR=$home/plugins
classpath="$home/lib/*"
mode=${1:?} && shift

dynamic=()
while IFS= read -r line; do
  line=${line//[[:space:]]/}
  [ -z "$line" ] || dynamic+=("-D${line%%:*}=${line#*:}")
done <<<"${FLINK_PROPERTIES:-}"

java_options() { # java_options KEY: what config.yaml has under env.java.opts.KEY and for all
  sed -nE "s/^env\.java\.opts\.(all|$1): *//p" "$FLINK_CONF_DIR/config.yaml" | tr '\n' ' '
}

start() { # start PART MEMORY CLASS ARGUMENTS...: memory as Flink's own scripts ask for it
  local part=$1 memory=$2 class=$3 answer
  shift 3
  answer=$(java -cp "$home/bin/bash-java-utils.jar:$classpath" org.apache.flink.runtime.util.bash.BashJavaUtils "$memory" \
    --configDir "$FLINK_CONF_DIR" "${dynamic[@]}" 2>/dev/null | sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p')
  # shellcheck disable=SC2046,SC2086 # options, split on purpose
  exec java $(sed -n 1p <<<"$answer") $(java_options "$part") "-Dlog4j.configurationFile=$home/conf/log4j-console.properties" \
    -cp "$classpath" "$class" --configDir "$FLINK_CONF_DIR" "${dynamic[@]}" $(sed -n 2p <<<"$answer") "$@"
}

case $mode in
  standalone-job)
    start jobmanager GET_JM_RESOURCE_PARAMS org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint "$@" ;;
  taskmanager)
    start taskmanager GET_TM_RESOURCE_PARAMS org.apache.flink.runtime.taskexecutor.TaskManagerRunner "$@" ;;
  flink)
    # shellcheck disable=SC2046 # options, split on purpose
    exec java $(java_options client) -cp "$classpath" org.apache.flink.client.cli.CliFrontend "$@" ;;
  *) exec "$mode" "$@" ;;
esac
