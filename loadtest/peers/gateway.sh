#!/bin/sh
# The Penstock gateway: verifies every signature and signs anew, unlike its peers (and unlike MODE unsigned).
# EXTRA (optional) is a YAML file whose top-level sections are added, to compare settings.
# Called by `./penstock loadtest peers`; the contract is in loadtest/peers/README.md.
set -eu
tls=""
if [ "$TLS" = 1 ]; then
  tls=", tls: {certificate: $CERT, key: $KEY}"
fi
# plain: nothing is asked of the store but what a client asked for
reading=""
if [ "$MODE" = plain ]; then
  reading="
  hedge: {enabled: false}
  fan-out: {enabled: false}"
fi
keys="
  access-key: store
  secret-key: store-secret"
tenant="{name: demo, access-key: demo, secret-key: demo-secret}"
if [ "$MODE" = unsigned ]; then
  keys="
  anonymous: true"
  tenant="{name: everyone, anonymous: true}"
fi
cat > "$DIR/gateway.yaml" <<EOF
listen:
  s3: {host: 127.0.0.1, port: $PORT$tls}
  admin: {host: 127.0.0.1, port: 0}
upstream:
  endpoints: ["http://$STORE"]
  region: us-east-1
  addressing: path$keys$reading
tenants:
  - $tenant
EOF
# nginx and haproxy write no access log either; EXTRA may say otherwise
grep -qs '^log:' "${EXTRA:-/dev/null}" || echo "log: {access: none}" >> "$DIR/gateway.yaml"
case "$MODE" in
  # every byte comes from the store
  plain | uncached | unsigned) echo "cache: {memory: 0}" >> "$DIR/gateway.yaml" ;;
  # data that never changes
  cached) echo "cache: {admit-within: 0s, fresh-for: 10m}" >> "$DIR/gateway.yaml" ;;
esac
if [ -n "${EXTRA:-}" ]; then
  cat "$EXTRA" >> "$DIR/gateway.yaml"
fi
exec taskset -c "$CORE" "$ROOT/penstock" gateway --config "$DIR/gateway.yaml"
