#!/usr/bin/env bash
# Writes server.properties from the environment and formats the folder by Kafka's own class for that, then starts the broker.
set -eu
touch /etc/kafka/docker/server.properties
cp /opt/kafka/log4j2.properties /opt/kafka/config/
for file in log4j2.yaml tools-log4j2.yaml; do # of no use here, but the class wants them
  printf 'Configuration:\n  Loggers:\n    Root: { level: INFO }\n    Logger: [{ name: kafka, level: INFO }]\n' >"/etc/kafka/docker/$file"
done
said=$(java -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup --default-configs-dir /etc/kafka/docker \
  --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config 2>&1) ||
  grep -q 'already formatted' <<<"$said" || { echo "$said" >&2; exit 1; }
exec java ${KAFKA_HEAP_OPTS:-} -Dlog4j2.configurationFile=/opt/kafka/config/log4j2.properties -cp '/opt/kafka/libs/*' \
  kafka.Kafka /opt/kafka/config/server.properties
