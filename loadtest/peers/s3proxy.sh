#!/bin/sh
# S3Proxy as a proxy: an S3 server in Java whose back end is another S3 store.
# Called by `./penstock loadtest peers`; the contract is in loadtest/peers/README.md.
set -eu
[ "$TLS" = 0 ] || { echo "s3proxy.sh measures plaintext only" >&2; exit 3; }
ls "$ROOT"/gateway/target/lib/s3proxy-*.jar >/dev/null 2>&1 || { echo "s3proxy is missing: build the gateway first (./penstock version)" >&2; exit 3; }
cat > "$DIR/s3proxy.conf" <<EOF
s3proxy.endpoint=http://127.0.0.1:$PORT
s3proxy.authorization=none
jclouds.provider=aws-s3-sdk
jclouds.endpoint=http://$STORE
jclouds.identity=store
jclouds.credential=store-secret
aws-s3-sdk.region=us-east-1
EOF
exec taskset -c "$CORE" "$JAVA" --enable-native-access=ALL-UNNAMED -cp "$ROOT/gateway/target/lib/*" org.gaul.s3proxy.Main --properties "$DIR/s3proxy.conf"
