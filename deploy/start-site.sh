#!/bin/sh
# Entry point of the images "site" and "tools". compose.yaml sets BEHIND_CADDY: then the number of proxies is 1, unless
# .env has another number, or the name of a header in which a proxy in front of Caddy writes the visitor's address.
set -eu
if [ -n "${BEHIND_CADDY:-}" ] && [ -z "${TRUSTED_IP_HEADER:-}" ]; then
  export TRUSTED_PROXY_HOPS="${TRUSTED_PROXY_HOPS:-1}"
fi
exec "$@"
