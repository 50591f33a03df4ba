#!/usr/bin/env bash
# Checks all files, prints what will run, and refuses runs that take longer than the first argument, in seconds: Kubernetes
# would end them early. All other arguments are those of benchmark.
set -euo pipefail

deadline_s=$1
shift
said=$(benchmark --dry-run "$@")
printf '%s\n' "$said"

estimate=$(sed -n 's/^all together: at least \([0-9a-z]*\).*/\1/p' <<<"$said")
rest=$estimate
estimate_s=0
while [[ $rest =~ ^([0-9]+)(ms|d|h|m|s)(.*)$ ]]; do
    case ${BASH_REMATCH[2]} in
    d) unit_s=86400 ;;
    h) unit_s=3600 ;;
    m) unit_s=60 ;;
    s) unit_s=1 ;;
    ms) unit_s=0 ;;
    esac
    estimate_s=$((estimate_s + BASH_REMATCH[1] * unit_s))
    rest=${BASH_REMATCH[3]}
done
if ((estimate_s > deadline_s)); then
    echo "check: the runs take $estimate at least, and Kubernetes would end them after $deadline_s s: set run.estimate to" \
        "$estimate, or run.deadline to what they may take" >&2
    exit 1
fi
