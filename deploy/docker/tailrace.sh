#!/bin/sh
# The image's commands. An agent has neither Flink nor a model's library on its class path, as with the launcher.
case "${1:-}" in
  agent) lib=agent-lib main=io.tailrace.agent.command.AgentMain ;;
  *) lib=lib main=io.tailrace.cli.Tailrace ;;
esac
exec java -XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError -Dlog4j2.configurationFile=classpath:log4j2-console.properties \
  -cp "/opt/tailrace/$lib/*" "$main" "$@"
