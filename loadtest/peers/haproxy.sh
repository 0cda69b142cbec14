#!/bin/sh
# haproxy with kernel splicing through 1 MiB pipes (haproxy-stock: neither), one thread.
# Called by `./penstock loadtest peers`; the contract is in loadtest/peers/README.md.
set -eu
command -v haproxy >/dev/null || { echo "haproxy is missing: apt-get install haproxy" >&2; exit 3; }

bind="bind 127.0.0.1:$PORT"
if [ "$TLS" = 1 ]; then
  cat "$CERT" "$KEY" > "$DIR/both.pem"
  bind="$bind ssl crt $DIR/both.pem ssl-min-ver TLSv1.3 alpn http/1.1"
fi
pipes="tune.pipesize 1048576"
splice="option splice-auto"
if [ "$MODE" = stock ]; then
  pipes=""
  splice=""
fi

cat > "$DIR/haproxy.cfg" <<EOF
global
  nbthread 1
  maxconn 2048
  $pipes
defaults
  mode http
  $splice
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend clients
  $bind
  default_backend store
backend store
  server store $STORE
EOF
exec taskset -c "$CORE" haproxy -db -f "$DIR/haproxy.cfg"
