#!/usr/bin/env bash
# Makes the images that docker-compose.yml and the Dockerfile build on, under their own tags, where none can be pulled: from
# Debian's packages, Maven's artefacts (Kafka, S3Proxy) and PyPI's (Flink's jars). Not Grafana's: no package has it.
# They stay, and later builds and starts on this machine use them: `docker rmi` those of the tags to have the real ones.
# Needs root, a Docker engine with the Compose plug-in, debootstrap, Maven, Python with pip. Makes only what is missing.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
home="$root/.tailrace/bases"
mkdir -p "$home"

fail() { echo "bases: $*" >&2; exit 2; }
tag() { sed -nE "s#^(FROM| *image:) ($1:[^ ]+).*#\2#p" "$root/deploy/docker/Dockerfile" "$root/docker-compose.yml" | head -1; }
version() { sed -n "s:.*<$1.version>\(.*\)</$1.version>.*:\1:p" "$root/pom.xml"; }
maven() { mvn -q -B --no-transfer-progress "$@" >"$home/maven.log" 2>&1 || fail "Maven failed; see $home/maven.log"; }

make_debian() {
  ! docker image inspect tailrace/debian:bookworm >/dev/null 2>&1 || return 0
  command -v debootstrap >/dev/null || fail "no debootstrap found (Debian/Ubuntu: apt-get install debootstrap)"
  local system="$home/debian"
  rm -rf "$system"
  debootstrap --variant=minbase --include=openjdk-17-jdk-headless,maven,curl,wget,openssl,ca-certificates,prometheus \
    bookworm "$system" >"$home/debootstrap.log" || fail "debootstrap failed; see $home/debootstrap.log"
  tar -C "$system" -c --exclude=./var/cache/apt --exclude=./var/lib/apt/lists --exclude=./usr/share/doc \
    --exclude=./usr/share/locale . | docker import - tailrace/debian:bookworm >/dev/null
  rm -rf "$system"
}

copy_jars() { # copy_jars NAME: what bases/NAME-pom.xml needs at run time
  [ -d "$home/$1" ] || maven -f "$root/deploy/docker/bases/$1-pom.xml" dependency:copy-dependencies -DincludeScope=runtime \
    -DoutputDirectory="$home/$1"
}

copy_flink() { # Flink's distribution, but for its scripts
  [ ! -d "$home/flink" ] || return 0
  local flink wheels="$home/wheels" unpacked="$home/wheel"
  flink=$(version flink)
  python3 -m pip download -q --no-deps -d "$wheels" "apache-flink-libraries==$flink"
  python3 -m zipfile -e "$wheels/apache_flink_libraries-$flink-py2.py3-none-any.whl" "$unpacked"
  maven -f "$root/deploy/docker/bases/kafka-pom.xml" dependency:copy -Dartifact="org.apache.flink:flink-s3-fs-hadoop:$flink" \
    -Dmdep.useBaseVersion=true -DoutputDirectory="$home/flink-opt"
  mkdir -p "$home/flink.part/bin" "$home/flink.part/conf"
  mv "$unpacked/pyflink/lib" "$unpacked/pyflink/plugins" "$home/flink.part/"
  mv "$home/flink-opt" "$home/flink.part/opt"
  cp "$unpacked/pyflink/bin/bash-java-utils.jar" "$home/flink.part/bin/"
  cp "$root/deploy/flink/log4j2.properties" "$home/flink.part/conf/log4j-console.properties"
  rm -rf "$unpacked" "$wheels"
  mv "$home/flink.part" "$home/flink"
}

copy_repository() { # what a build of the project has fetched; it is built without a network
  rm -rf "$home/repository"
  cp -al "$HOME/.m2/repository" "$home/repository" || fail "no $HOME/.m2/repository to copy; build the project first"
}

make_debian
copy_jars kafka
copy_jars s3proxy
copy_flink
copy_repository
cp "$root"/deploy/docker/bases/* "$root/deploy/flink/log4j2.properties" "$home/"
MAVEN_IMAGE=$(tag maven) TEMURIN_IMAGE=$(tag eclipse-temurin) FLINK_IMAGE=$(tag flink) KAFKA_IMAGE=$(tag apache/kafka) \
  S3PROXY_IMAGE=$(tag andrewgaul/s3proxy) PROMETHEUS_IMAGE=$(tag prom/prometheus) \
  docker compose -f "$home/compose.yml" build
