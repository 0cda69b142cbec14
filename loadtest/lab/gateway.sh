#!/bin/sh
# The lab's gateway. In: ADDRESS, PORT, STORE (host:port), CORES, DIR (a folder of its own), ROOT (the repository).
# Data sets do not change while one trains, so the cache keeps what it has read; every measurement reads objects that no
# other one has read. boto3, s3fs and the Java reader do not sign,
# the Python package always does; what signatures cost is measured by `loadtest peers`.
set -eu
cat > "$DIR/gateway.yaml" <<EOF
listen:
  s3: {host: $ADDRESS, port: $PORT}
  admin: {host: 127.0.0.1, port: 0}
upstream:
  endpoints: ["http://$STORE"]
  region: us-east-1
  addressing: path
  anonymous: true
  pool: {max-connections: ${POOL:-256}}
cache: {memory: 512MiB, admit-within: 0s, fresh-for: 10m}
runtime: {memory-budget: 1536MiB}
tenants:
  - {name: everyone, anonymous: true}
  - {name: demo, access-key: demo, secret-key: demo-secret}
log: {access: none}
EOF
exec "$ROOT/penstock" gateway --config "$DIR/gateway.yaml"
