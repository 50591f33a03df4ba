#!/usr/bin/env bash
# Runs benchmark with these arguments, and then prints the results that it has written: each file after a line with its name; for a
# plan, its summary. Exits like benchmark. A SIGTERM ends the load, and the figures so far are still written and printed.
set -euo pipefail

# In the same folder as the results, because their file system may have another clock.
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
