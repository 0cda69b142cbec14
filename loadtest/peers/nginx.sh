#!/bin/sh
# nginx at its best as a reverse proxy in front of an S3 store; settings that stock nginx lacks cost it 2-3x.
# Called by `./penstock loadtest peers`; the contract is in loadtest/peers/README.md.
set -eu
command -v nginx >/dev/null || { echo "nginx is missing: apt-get install nginx-light" >&2; exit 3; }

listen="listen 127.0.0.1:$PORT reuseport backlog=4096;"
if [ "$TLS" = 1 ]; then
  listen="listen 127.0.0.1:$PORT ssl reuseport backlog=4096; ssl_certificate $CERT; ssl_certificate_key $KEY; ssl_protocols TLSv1.3; ssl_session_cache shared:s:1m;"
fi

proxy="proxy_pass http://store; proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Host \$http_host; proxy_max_temp_file_size 0;"
buffers="proxy_buffers 16 64k; proxy_buffer_size 64k; proxy_busy_buffers_size 512k;"
unbuffered="proxy_buffering off; proxy_buffer_size 128k; proxy_buffers 16 64k; proxy_busy_buffers_size 512k;"
extra=""
case "$MODE" in
  # with TLS its best is without buffering
  proxy) if [ "$TLS" = 1 ]; then proxy="$proxy $unbuffered"; else proxy="$proxy $buffers"; fi ;;
  put) proxy="$proxy $buffers proxy_request_buffering off; client_body_buffer_size 512k;" ;;
  sendfile) proxy="root $FILES;" ;;
  cache)
    extra="proxy_cache_path $DIR/cache levels=1 keys_zone=hits:16m max_size=4g inactive=1h use_temp_path=off;"
    proxy="$proxy $buffers proxy_cache hits; proxy_cache_valid 200 1h; proxy_cache_key \$uri;"
    proxy=$(echo "$proxy" | sed 's/proxy_max_temp_file_size 0;//')
    ;;
  *) echo "nginx.sh: unknown MODE $MODE" >&2; exit 2 ;;
esac

cat > "$DIR/nginx.conf" <<EOF
user root;
daemon off;
worker_processes 1;
pid $DIR/nginx.pid;
error_log stderr warn;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nodelay on;
  tcp_nopush on;
  open_file_cache max=10000 inactive=1h;
  keepalive_requests 100000000;
  client_max_body_size 0;
  client_body_temp_path $DIR/body;
  proxy_temp_path $DIR/proxy;
  fastcgi_temp_path $DIR/fastcgi;
  uwsgi_temp_path $DIR/uwsgi;
  scgi_temp_path $DIR/scgi;
  $extra
  upstream store { server $STORE; keepalive 128; keepalive_requests 100000000; }
  server {
    $listen
    location / { $proxy }
  }
}
EOF
exec taskset -c "$CORE" nginx -p "$DIR" -c "$DIR/nginx.conf"
