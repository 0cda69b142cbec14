"""Batches and epochs of S3 objects from a Penstock gateway.

    for batch in penstock.epoch("s3://pictures/train/", seed=42,
                                decode={"as": "image", "height": 224, "width": 224}):
        train(batch["tensor"], batch.labels)

Only the standard library is needed; numbers and tensors need numpy, ``penstock.torch`` needs torch,
compressed streams need lz4 or zstandard.
"""

from .arrow import Batch, Column, Field, Schema, StreamReader
from .client import Client, Stream, batches, epoch, request
from .errors import (
    ItemFailed,
    ListChanged,
    PenstockError,
    RequestRefused,
    StreamFailed,
    StreamMalformed,
    StreamTruncated,
    StreamUnsupported,
)

__all__ = [
    "Batch", "Client", "Column", "Field", "ItemFailed", "ListChanged", "PenstockError",
    "RequestRefused", "Schema", "Stream", "StreamFailed", "StreamMalformed", "StreamReader",
    "StreamTruncated", "StreamUnsupported", "batches", "epoch", "request",
]
