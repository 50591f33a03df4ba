#!/usr/bin/env bash
# The coordinator: waits for the broker and for the workers, and runs the workloads. The broker is the first of $BROKERS that answers.
# A driver file is taken as it is, but for localhost, which becomes the broker's name.
set -euo pipefail
# Whoever is the first process of a container is not ended otherwise.
trap 'exit 143' TERM INT

limit_s=${LIMIT_S:-180}
port=8080
release=/opt/benchmark

fail() {
    echo "run: $1" >&2
    exit 2
}

# With a dot at its end a name is none of a network outside.
answers() {
    # shellcheck disable=SC2016 # expanded by the other shell
    timeout 2 bash -c 'exec 3<>"/dev/tcp/$0./$1"' "${1%:*}" "${1#*:}" 2>/dev/null
}

await_broker() {
    local entry
    while ((SECONDS < limit_s)); do
        for entry in $BROKERS; do
            if answers "${entry#*=}"; then
                broker=${entry%%=*}
                return
            fi
        done
        sleep 1
    done
    fail "no broker has answered within $limit_s s: is it there (--profile), and what does its log say?"
}

await_addresses() {
    while ((SECONDS < limit_s)); do
        mapfile -t addresses < <(getent ahostsv4 worker. | awk '{print $1}' | sort -Vu)
        ((${#addresses[@]} < WORKERS)) || return 0
        sleep 1
    done
    fail "only ${#addresses[@]} of $WORKERS workers are there after $limit_s s"
}

[ -w /results ] || fail "results cannot be written by user $(id -u) of the container: mkdir -p results && chmod 777 results"

driver=${DRIVER:-}
if [ -z "$driver" ] || grep -q localhost "$driver"; then
    echo "run: waiting for the broker"
    await_broker
    sed "s/\<localhost\>/$broker/g" "${driver:-$release/driver-$broker/$broker.yaml}" >/tmp/driver.yaml
    driver=/tmp/driver.yaml
    echo "run: the broker is $broker"
fi
await_addresses
urls=$(printf ",https://%s:$port" "${addresses[@]}")
reach=(--workers "${urls:1}" --key /key/bench.key)
bash /await-workers.sh "$limit_s" "${reach[@]}"

# shellcheck disable=SC2086 # options and workloads are to be split
exec benchmark "${reach[@]}" --brokers external --metrics-host 0.0.0.0 --metrics-port 9400 $OPTIONS --drivers "$driver" $WORKLOAD
