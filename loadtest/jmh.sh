#!/bin/sh
# Microbenchmarks (JMH) of one module: loadtest/jmh.sh MODULE [PATTERN] [JMH OPTIONS]
# e.g. loadtest/jmh.sh gateway SignatureBenchmark; they live in MODULE/src/jmh/java.
set -eu
[ $# -ge 1 ] || { echo "usage: loadtest/jmh.sh MODULE [PATTERN] [JMH OPTIONS]; modules: gateway, arrow-codec, dpu-runtime" >&2; exit 2; }
module=$1
shift
home=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
[ -d "$home/$module/src/jmh" ] || { echo "$module has no src/jmh" >&2; exit 2; }
cd "$home"
classpath=$home/$module/target/jmh.classpath
mvn -q -B -Pjmh -pl "$module" -am test-compile \
  org.apache.maven.plugins:maven-dependency-plugin:build-classpath -Dmdep.outputFile="$classpath" -Dmdep.includeScope=test
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
for found in /usr/lib/jvm/*25*/bin/java "$java"; do
  if [ -x "$found" ]; then java=$found; break; fi
done
exec "$java" "@$home/jvm.flags" -cp "$home/$module/target/test-classes:$home/$module/target/classes:$(cat "$classpath")" \
  org.openjdk.jmh.Main "$@"
