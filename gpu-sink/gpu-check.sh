#!/usr/bin/env bash
# Checks the arenas against this machine's own CUDA driver, then measures how fast bytes reach the GPU.
#   gpu-sink/gpu-check.sh [DEVICE]
# Exit code: 0 all is well, 1 something failed, 2 wrong use, 3 there is no GPU here and nothing was checked.
set -uo pipefail
fail() { echo "gpu-check: $1" >&2; exit "$2"; }
[ $# -le 1 ] || fail "usage: $0 [DEVICE]" 2
device=${1:-0}
[[ $device =~ ^[0-9]+$ ]] || fail "'$device' is no device: give its number, counted from 0" 2
[ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || fail "there is no GPU here (no /dev/nvidiactl); nothing was checked" 3
cd "$(dirname "$0")/.." || exit 1

java=${JAVA_HOME:-$(ls -d /usr/lib/jvm/*25* 2>/dev/null | head -1)}/bin/java
[ -x "$java" ] || fail "no Java 25: set JAVA_HOME" 1
# the suite that elsewhere runs against the double
mvn -q -B -pl gpu-sink -am test -Dpenstock.cuda=real -Dtest='io.penstock.sink.arena.cuda.*Test' \
    -Dsurefire.failIfNoSpecifiedTests=false || fail "the arenas do not keep their contract on this driver" 1
classpath=$(mktemp) || exit 1
trap 'rm -f "$classpath"' EXIT
mvn -q -B -pl gpu-sink -am test-compile dependency:build-classpath -Dmdep.outputFile="$classpath" \
    -Dmdep.includeScope=runtime || fail "cannot tell the class path" 1
"$java" @jvm.flags -cp "gpu-sink/target/classes:$(cat "$classpath")" io.penstock.sink.arena.cuda.CudaBandwidth "$device"
code=$?
[ $code -eq 0 ] && echo "the arenas keep their contract on device $device"
exit $code
