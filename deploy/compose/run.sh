#!/usr/bin/env bash
# The coordinator: waits for the broker and the workers, then runs the workloads. The broker is the first of $BROKERS that answers.
# A driver file is used as it is, except that localhost becomes the broker's name.
set -euo pipefail
# Without a trap, signals do not end the first process of a container.
trap 'exit 143' TERM INT

limit_s=${LIMIT_S:-180}
port=8080
release=/opt/benchmark

fail() {
    echo "run: $1" >&2
    exit 2
}

# With a dot at its end, a name is never looked up in an outside network.
answers() {
    # shellcheck disable=SC2016 # the other shell expands it
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
    fail "no broker has answered within $limit_s s: check that it is there (--profile), and look at its log"
}

await_addresses() {
    while ((SECONDS < limit_s)); do
        mapfile -t addresses < <(getent ahostsv4 worker. | awk '{print $1}' | sort -Vu)
        ((${#addresses[@]} < WORKERS)) || return 0
        sleep 1
    done
    fail "only ${#addresses[@]} of $WORKERS workers were there after $limit_s s"
}

[ -w /results ] || fail "user $(id -u) of the container cannot write results: mkdir -p results && chmod 777 results"

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

# shellcheck disable=SC2086 # options and workloads must be split
exec benchmark "${reach[@]}" --brokers external --metrics-host 0.0.0.0 --metrics-port 9400 $OPTIONS --drivers "$driver" $WORKLOAD
