#!/usr/bin/env bash
# Runs benchmark with these arguments, and then prints the results that it has written: each file after a line with its name, of a
# plan its summary. Ends as benchmark does. A SIGTERM ends the load, and what was measured is written and printed all the same.
set -euo pipefail

# In the same folder as the results, whose clock may be another one.
begun=$(mktemp results/.begun-XXXXXX)
benchmark "$@" &
run=$!
stopped=
trap 'stopped=true; kill -TERM "$run"' TERM INT
code=0
wait "$run" || code=$?
if [ -n "$stopped" ]; then
    code=0
    wait "$run" || code=$?
fi
for result in results/*.json results/*/summary.json; do
    if [ "$result" -nt "$begun" ]; then
        echo "=== $result"
        cat "$result"
    fi
done
rm -f "$begun"
exit "$code"
