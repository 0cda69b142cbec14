"""Epochs and batches as streams that go on after a break."""

import json
import os
import random
import ssl
import time
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union
from urllib.parse import urlsplit

from . import _http
from .arrow import Batch, Buffers, Schema, StreamReader
from .errors import ListChanged, PenstockError

Decode = Union[str, Mapping[str, Any]]
Item = Union[str, Mapping[str, Any]]

_TABLES = ("csv", "json-lines", "parquet")


class Client:
    """A gateway and how to ask it. What is not given comes from the ``AWS_*`` variables.

    Args:
        endpoint: ``http://HOST:PORT`` or ``https://HOST`` (``AWS_ENDPOINT_URL``).
        timeout: seconds that the gateway may send nothing.
        tries: to get the next batch, the first one included; every batch starts the count anew.
        context: whom to trust behind ``https`` (``AWS_CA_BUNDLE``, or the system's).
    """

    def __init__(
        self,
        endpoint: Optional[str] = None,
        access_key: Optional[str] = None,
        secret_key: Optional[str] = None,
        session_token: Optional[str] = None,
        region: Optional[str] = None,
        timeout: float = 120.0,
        tries: int = 6,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self.address = _http.Address(
            endpoint or _needed("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
            access_key or _needed("AWS_ACCESS_KEY_ID"),
            secret_key or _needed("AWS_SECRET_ACCESS_KEY"),
            session_token or (None if access_key else os.environ.get("AWS_SESSION_TOKEN")),
            region
            or os.environ.get("AWS_REGION")
            or os.environ.get("AWS_DEFAULT_REGION")
            or "us-east-1",
        )
        self.timeout = timeout
        self.tries = max(1, tries)
        bundle = os.environ.get("AWS_CA_BUNDLE")
        if context is None and bundle and self.address.endpoint.startswith("https"):
            context = ssl.create_default_context(cafile=bundle)
        self.context = context

    def open(self, request: Mapping[str, Any]) -> "Stream":
        """The stream of a request of docs/batch-protocol.md."""
        return Stream(self, request)


def _needed(*names: str) -> str:
    for name in names:
        if os.environ.get(name):
            return os.environ[name]
    raise ValueError(f"{names[-1]} is not set, and was not given")


class Stream:
    """The batches of one request, in their order. Iterate, and close (or use ``with``).

    A stream that breaks is opened again at the batch that did not come.
    """

    def __init__(self, client: Client, request: Mapping[str, Any]) -> None:
        self._client = client
        self._request = dict(request)
        self._first = int(dict(request.get("epoch") or {}).get("resume-at", 0))
        self.position = self._first  #: the number of the batch that comes next
        self.resumed = 0  #: how often the stream was opened again after a break
        self._answer: Optional[_http.Answer] = None
        self._reader: Optional[StreamReader] = None
        self._schema: Optional[Schema] = None
        self._buffers = Buffers()
        self._ended = False

    @property
    def schema(self) -> Schema:
        if self._schema is None:
            self._persist(self._connect)
        assert self._schema is not None
        return self._schema

    def __iter__(self) -> Iterator[Batch]:
        while True:
            batch = self.next()
            if batch is None:
                return
            yield batch
            del batch  # its buffer can be used again if nobody else holds it

    def next(self) -> Optional[Batch]:
        """The next batch, or ``None`` after the last.

        Raises:
            PenstockError: it cannot be had; ``position`` says where to go on.
        """
        return None if self._ended else self._persist(self._advance)

    def _advance(self) -> Optional[Batch]:
        reader = self._connect()
        batch = reader.next()
        if batch is None:
            self._ended = True
            self.close()
        else:
            batch.number = self.position
            self.position += 1
        return batch

    def _connect(self) -> StreamReader:
        if self._reader is None:
            request = self._at(self.position)
            path = "/-/epochs" if "epoch" in request else "/-/batch"
            client = self._client
            self._answer = _http.post(
                client.address, path, json.dumps(request).encode(), client.timeout, client.context
            )
            reader = StreamReader(self._answer.readinto, self._buffers)
            self._same(reader.schema)
            self._reader = reader
        return self._reader

    def _same(self, schema: Schema) -> None:
        before = self._schema
        if before is None:
            self._schema = schema
            return
        self.resumed += 1
        items = "penstock.items"
        if schema.fields != before.fields or schema.metadata.get(items) != before.metadata.get(items):
            raise ListChanged(
                f"the list of items is another one than before batch {self.position}:"
                " name a version of a manifest"
            )

    def _at(self, batch: int) -> Dict[str, Any]:
        request = dict(self._request)
        if batch != self._first:
            # the rest of a list is an epoch that is not shuffled
            epoch = dict(request.get("epoch") or {"shuffle": False})
            epoch["resume-at"] = batch
            request["epoch"] = epoch
        return request

    def _resumable(self) -> bool:
        decode = self._request.get("decode", "raw")
        name = decode if isinstance(decode, str) else decode.get("as")
        ordered = "epoch" in self._request or self._request.get("order", "strict") == "strict"
        return self.position == self._first or (ordered and name not in _TABLES)

    def _persist(self, step: Any) -> Any:
        failures = 0
        while True:
            try:
                return step()
            except PenstockError as e:
                self.close()
                failures += 1
                if not e.retryable or failures >= self._client.tries or not self._resumable():
                    raise
                time.sleep(min(5.0, 0.1 * 2 ** (failures - 1)) * (0.5 + random.random() / 2))
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Ends the connection; ``next`` would open it again."""
        if self._answer is not None:
            self._answer.close()
        self._answer = self._reader = None

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def request(
    url: str,
    *,
    items: Optional[Sequence[Item]] = None,
    manifest: Union[None, str, Mapping[str, str]] = None,
    decode: Decode = "raw",
    batch_size: int = 256,
    order: str = "strict",
    on_error: str = "continue",
    compression: str = "none",
    epoch: Optional[Mapping[str, Any]] = None,
) -> Dict[str, Any]:
    """A request of docs/batch-protocol.md.

    Args:
        url: ``s3://BUCKET/PREFIX``; only the bucket where ``items`` or ``manifest`` name objects.
        items: keys, or objects with ``key``, ``range``, ``member``, ``label``.
        manifest: the key of an object of the bucket with one item a line.
        decode: ``"raw"``, or a decoder with its options.
    """
    parts = urlsplit(url, allow_fragments=False)
    if parts.scheme != "s3" or not parts.netloc:
        raise ValueError(f"{url} is no s3://BUCKET/PREFIX")
    prefix = url.split("/", 3)[3] if url.count("/") > 2 else ""
    made: Dict[str, Any] = {"version": 1, "bucket": parts.netloc}
    if items is not None and manifest is not None or prefix and (items or manifest):
        raise ValueError("items come from one of a prefix, items, manifest")
    if items is not None:
        made["items"] = list(items)
    elif manifest is not None:
        made["manifest"] = manifest
    else:
        made["prefix"] = prefix
    made.update(
        {
            "decode": decode,
            "batch-size": batch_size,
            "order": order,
            "on-error": on_error,
            "compression": compression,
        }
    )
    if epoch is not None:
        made["epoch"] = dict(epoch)
    return made


def batches(url: str, *, client: Optional[Client] = None, **options: Any) -> Stream:
    """All items once, in their order. Options are those of ``request``."""
    return (client or Client()).open(request(url, **options))


def epoch(
    url: str,
    *,
    seed: int,
    number: int = 0,
    rank: int = 0,
    world_size: int = 1,
    resume_at: int = 0,
    tail: str = "keep",
    client: Optional[Client] = None,
    **options: Any,
) -> Stream:
    """One rank's share of one epoch, in the order that the seed gives.

    The same arguments give the same batches, on every machine and from every gateway.

    Args:
        number: which epoch of the seed: each has another order.
        resume_at: the first batch that is wanted, as ``Stream.position`` said.
        tail: ``"keep"``: every item exactly once; ``"drop"``: full batches only, as many on every
            rank.
    """
    share = {
        "seed": seed,
        "number": number,
        "rank": rank,
        "world-size": world_size,
        "resume-at": resume_at,
        "tail": tail,
    }
    return (client or Client()).open(request(url, epoch=share, **options))


__all__: List[str] = ["Client", "Stream", "batches", "epoch", "request"]
