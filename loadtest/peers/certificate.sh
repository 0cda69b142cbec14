#!/bin/sh
# A throw-away ECDSA P-256 certificate for the TLS variants: $1/cert.pem and $1/key.pem.
set -eu
command -v openssl >/dev/null || { echo "openssl is missing: apt-get install openssl" >&2; exit 3; }
exec openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
  -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
  -keyout "$1/key.pem" -out "$1/cert.pem"
