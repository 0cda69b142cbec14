#!/bin/bash
# Runs a program until our standard input ends: a caller that dies, however it dies, takes the program with it.
"$@" < /dev/null 1>&2 &
child=$!
trap 'kill $child 2>/dev/null; wait $child' EXIT
cat > /dev/null
