"""One epoch of a bucket in plain Python.

    export AWS_ENDPOINT_URL=http://127.0.0.1:9000
    export AWS_ACCESS_KEY_ID=demo AWS_SECRET_ACCESS_KEY=demo-secret
    PYTHONPATH=gpu-sink/src/main/python python3 examples/python-epoch.py s3://pictures/train/
"""

import sys

import penstock

url = sys.argv[1] if len(sys.argv) > 1 else "s3://pictures/"
objects = size = 0

for batch in penstock.epoch(url, seed=42, batch_size=64):
    for error in batch.errors:  # an item that could not be had costs nobody else
        print(error, file=sys.stderr)
    for key, payload in zip(batch.keys, batch.payloads):
        if payload is not None:  # a view into the receive buffer: bytes(payload) makes a copy
            objects += 1
            size += len(payload)

print(f"{objects} objects, {size} bytes")
