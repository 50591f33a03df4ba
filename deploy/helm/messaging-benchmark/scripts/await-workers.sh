#!/usr/bin/env bash
# Waits until all workers are there, have this build and are free, for at most as many seconds as the first argument says. All
# other arguments are those of benchmark workers.
set -euo pipefail

limit_s=$1
shift
while true; do
    code=0
    said=$(benchmark workers "$@" 2>&1) || code=$?
    if ((code == 0)) && ! grep -q ', busy: ' <<<"$said"; then
        printf '%s\n' "$said"
        exit 0
    fi
    # A worker of another build may be about to be replaced; without a line about a worker, the arguments are wrong.
    if ((code > 1)) && ! grep -q '^worker [0-9]' <<<"$said"; then
        printf '%s\n' "$said" >&2
        exit 1
    fi
    if ((SECONDS >= limit_s)); then
        printf '%s\n' "$said" >&2
        echo "await-workers: not all workers were there and free within $limit_s s; the lines above say which, and why" >&2
        exit 1
    fi
    echo "await-workers: $(grep -c ', free$' <<<"$said" || true) of $(wc -l <<<"$said") are there and free"
    sleep 5
done
