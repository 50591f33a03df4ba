#!/usr/bin/env bash
# Makes the key file of coordinator and workers from the Secret that is mounted at the first argument. They require a file that only
# its owner can read, which a Secret volume cannot provide for a user other than root.
set -euo pipefail

secret=$1
key=$2
umask 077
if [ -f "$secret/bench.key" ]; then
    cat "$secret/bench.key" >"$key"
elif [ -f "$secret/tls.crt" ] && [ -f "$secret/tls.key" ]; then
    # All key files without a password of their own use this password. The Secret protects them.
    openssl pkcs12 -export -name benchmark -in "$secret/tls.crt" -inkey "$secret/tls.key" \
        -passout pass:benchmark -out "$key"
else
    echo "key: the Secret has neither bench.key nor tls.crt with tls.key" >&2
    exit 1
fi
