"""A strict reader of the Arrow IPC streams of docs/batch-protocol.md.

A stream that stops anywhere but at its end mark is an error, and so is one whose writer says that
it failed. Columns are views into one receive buffer for each batch.
"""

import json
import struct
import sys
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._flatbuffers import Table
from .errors import (
    ItemFailed,
    StreamFailed,
    StreamMalformed,
    StreamTruncated,
    StreamUnsupported,
)

try:
    import numpy as np
except ImportError:  # numbers and tensors need it, texts and payloads do not
    np = None  # type: ignore

_CONTINUATION = 0xFFFFFFFF
_SCHEMA, _RECORD_BATCH = 1, 3
_LARGEST_METADATA = 1 << 20
_LARGEST_BODY = 1 << 34
_ALIGNMENT = 64

# numbers of Arrow's Type union
_INT, _FLOAT, _BINARY, _UTF8, _BOOL = 2, 3, 4, 5, 6
_FIXED_SIZE_LIST, _LARGE_BINARY, _LARGE_UTF8 = 16, 19, 20
# validity and values: decimal, date, time, timestamp, interval, fixed-size binary, duration
_PLAIN = {_INT, _FLOAT, _BOOL, 7, 8, 9, 10, 11, 15, 18}
_VARYING = {_BINARY: "i", _UTF8: "i", _LARGE_BINARY: "q", _LARGE_UTF8: "q"}


class Field(NamedTuple):
    """One column of the schema.

    ``dtype`` is a numpy name for numbers and tensors, else ``"utf8"``, ``"binary"``, ``"bool"`` or
    ``"other"``; ``shape`` is that of one sample, of tensors only.
    """

    name: str
    kind: int
    dtype: str
    shape: Optional[Tuple[int, ...]]
    nullable: bool
    metadata: Dict[str, str]


class Schema(NamedTuple):
    fields: List[Field]
    metadata: Dict[str, str]


def _number(kind: int, type_: Optional[Table]) -> str:
    if type_ is None:
        raise StreamMalformed("a field has no type")
    if kind == _INT:
        bits = type_.scalar(0, "i", 0)
        if bits not in (8, 16, 32, 64):
            raise StreamMalformed(f"an integer of {bits} bits")
        return f"{'int' if type_.scalar(1, 'B', 0) else 'uint'}{bits}"
    return ("float16", "float32", "float64")[min(2, max(0, type_.scalar(0, "h", 0)))]


def _field(table: Table) -> Field:
    name, kind, words = table.text(0), table.scalar(2, "B", 0), table.words(6)
    nullable = bool(table.scalar(1, "B", 0))
    if table.table(4) is not None:
        raise StreamUnsupported(f"column {name} is dictionary-encoded")
    shape = None
    if kind == _FIXED_SIZE_LIST:
        children = table.tables(5)
        length = table.table(3).scalar(0, "i", 0) if table.table(3) else 0  # type: ignore
        if len(children) != 1 or children[0].scalar(2, "B", 0) not in (_INT, _FLOAT):
            raise StreamUnsupported(f"column {name} is a list of something else than numbers")
        dtype = _number(children[0].scalar(2, "B", 0), children[0].table(3))
        shape = _shape(words, length)
    elif kind in (_INT, _FLOAT):
        dtype = _number(kind, table.table(3))
    elif kind in (_UTF8, _LARGE_UTF8):
        dtype = "utf8"
    elif kind in (_BINARY, _LARGE_BINARY):
        dtype = "binary"
    elif kind in _PLAIN:
        dtype = "bool" if kind == _BOOL else "other"
    else:
        raise StreamUnsupported(f"column {name} has a type (number {kind}) that is not read")
    return Field(name, kind, dtype, shape, nullable, words)


def _shape(words: Dict[str, str], length: int) -> Tuple[int, ...]:
    text = words.get("ARROW:extension:metadata") or words.get("penstock.tensor")
    if not text:
        return (length,)
    try:
        shape = tuple(int(side) for side in json.loads(text)["shape"])
    except (ValueError, KeyError, TypeError):
        raise StreamMalformed("a tensor column's metadata is no shape") from None
    product = 1
    for side in shape:
        product *= side
    if product != length:
        raise StreamMalformed(f"tensors of shape {shape} in lists of {length}")
    return shape


class Column:
    """One column of one batch: views, no copies."""

    __slots__ = ("field", "rows", "_nulls", "_buffers")

    def __init__(self, field: Field, rows: int, nulls: int, buffers: List[Any]) -> None:
        self.field = field
        self.rows = rows
        self._nulls = nulls
        self._buffers = buffers

    def is_null(self, row: int) -> bool:
        validity = self._buffers[0]
        return len(validity) > 0 and not (validity[row >> 3] >> (row & 7)) & 1

    def numpy(self) -> Any:
        """Values as an array: ``[rows]``, or ``[rows, *shape]`` of tensors; what is null is zero
        in a tensor and undefined in a number."""
        if np is None:
            raise StreamUnsupported("numbers and tensors need numpy: install it")
        dtype = self.field.dtype
        if dtype in ("utf8", "binary", "bool", "other"):
            raise StreamUnsupported(f"column {self.field.name} ({dtype}) is no array of numbers")
        shape = (self.rows,) + (self.field.shape or ())
        count = 1
        for side in shape:
            count *= side
        values = np.frombuffer(self._buffers[-1], dtype=np.dtype(dtype).newbyteorder("<"), count=count)
        return values.reshape(shape)

    def views(self) -> List[Optional[memoryview]]:
        """The bytes of every row, where they lie; ``None`` where null."""
        if self.field.kind not in _VARYING:
            raise StreamUnsupported(f"column {self.field.name} has no bytes of varying length")
        offsets = self._buffers[1].cast(_VARYING[self.field.kind])
        data = self._buffers[2]
        return [
            None if self.is_null(row) else data[offsets[row] : offsets[row + 1]]
            for row in range(self.rows)
        ]

    def texts(self) -> List[Optional[str]]:
        try:
            return [None if view is None else str(view, "utf-8") for view in self.views()]
        except UnicodeDecodeError:
            raise StreamMalformed(f"column {self.field.name} is no UTF-8") from None

    def values(self) -> List[Any]:
        """Python values of any column but tensors."""
        if self.field.dtype == "utf8":
            return self.texts()
        if self.field.dtype == "binary":
            return [None if view is None else bytes(view) for view in self.views()]
        if self.field.dtype == "bool":
            bits = self._buffers[1]
            return [
                None if self.is_null(row) else bool((bits[row >> 3] >> (row & 7)) & 1)
                for row in range(self.rows)
            ]
        if self.field.shape is not None or self.field.dtype == "other":
            raise StreamUnsupported(f"column {self.field.name} has no plain values")
        layout = {"float16": "e", "float32": "f", "float64": "d"}.get(self.field.dtype)
        if layout is None:
            letter = "bhiq"[("8", "16", "32", "64").index(self.field.dtype.lstrip("uint"))]
            layout = letter.upper() if self.field.dtype.startswith("u") else letter
        found = struct.unpack_from(f"<{self.rows}{layout}", self._buffers[1])
        return [None if self.is_null(row) else value for row, value in enumerate(found)]

    def check(self) -> None:
        """That nothing points outside of its buffer, before anybody looks."""
        rows, buffers = self.rows, self._buffers
        if len(buffers[0]) and len(buffers[0]) * 8 < rows:
            raise StreamMalformed(f"column {self.field.name}: the validity is too short")
        if self.field.kind in _VARYING:
            layout = _VARYING[self.field.kind]
            width = 4 if layout == "i" else 8
            if rows == 0 and len(buffers[1]) == 0:
                return
            if len(buffers[1]) < (rows + 1) * width:
                raise StreamMalformed(f"column {self.field.name}: offsets are missing")
            buffers[1] = buffers[1][: (rows + 1) * width]
            offsets = buffers[1].cast(layout)
            last = 0
            for offset in offsets:
                if offset < last:
                    raise StreamMalformed(f"column {self.field.name}: offsets fall")
                last = offset
            if last > len(buffers[2]):
                raise StreamMalformed(f"column {self.field.name}: bytes are missing")
        elif self.field.dtype == "bool":
            if len(buffers[1]) * 8 < rows:
                raise StreamMalformed(f"column {self.field.name}: bits are missing")
        elif self.field.dtype != "other":
            need = rows * _width(self.field.dtype)
            for side in self.field.shape or ():
                need *= side
            if len(buffers[-1]) < need:
                raise StreamMalformed(f"column {self.field.name}: values are missing")


def _width(dtype: str) -> int:
    return int(dtype.lstrip("uintfloat")) // 8


class Batch:
    """One batch of rows. Arrays and views keep its receive buffer alive as long as they live.

    ``batch["tensor"]`` is a numpy array; so is any column of numbers. Rows of items that could not
    be had are in ``errors``; ``ok`` says which rows are good.
    """

    def __init__(self, schema: Schema, rows: int, columns: List[Column]) -> None:
        self.schema = schema
        self.columns = {column.field.name: column for column in columns}
        self._rows = rows
        self.number = -1  #: which batch of its rank, where that is known

    def __len__(self) -> int:
        return self._rows

    def column(self, name: str) -> Column:
        if name not in self.columns:
            raise KeyError(f"no column {name} among {list(self.columns)}")
        return self.columns[name]

    def __getitem__(self, name: str) -> Any:
        """A column as it is most useful: a numpy array of numbers, else a list."""
        column = self.column(name)
        if column.field.dtype == "binary":
            return column.views()
        if column.field.dtype in ("utf8", "bool"):
            return column.values()
        return column.numpy()

    @property
    def keys(self) -> List[str]:
        return [text or "" for text in self.column("key").texts()]

    @property
    def payloads(self) -> List[Optional[memoryview]]:
        """The objects' bytes, where they lie; ``None`` for those that failed."""
        return self.column("payload").views()

    @property
    def labels(self) -> Any:
        """A numpy array, or a list of texts or of numbers with ``None`` where one is missing;
        ``None`` if the stream has no labels."""
        column = self.columns.get("label")
        if column is None:
            return None
        missing = any(column.is_null(row) for row in range(len(self)))
        return column.values() if missing or column.field.dtype == "utf8" else self["label"]

    @property
    def ok(self) -> List[bool]:
        return [status == 200 for status in self.column("status").values()]

    @property
    def errors(self) -> List[ItemFailed]:
        """Items that could not be had, as exceptions that nobody has raised."""
        statuses = self.column("status").values()
        failed = [row for row, status in enumerate(statuses) if status != 200]
        if not failed:
            return []
        codes, messages = self.column("error_code").texts(), self.column("error_message").texts()
        keys = self.keys
        return [
            ItemFailed(row, keys[row], statuses[row], codes[row] or "", messages[row] or "")
            for row in failed
        ]


class Buffers:
    """Receive buffers, aligned to 64 bytes. One whose arrays and views are all gone is used again:
    fresh memory costs a page fault every 4 KiB, more than the bytes themselves."""

    def __init__(self, most: int = 4) -> None:
        self._kept: List[Any] = []
        self._most = most

    def take(self, length: int) -> memoryview:
        if np is None:
            return memoryview(bytearray(length))
        for i in range(len(self._kept)):
            # two: the list's, and that of the argument
            if sys.getrefcount(self._kept[i]) == 2 and len(self._kept[i]) >= length:
                return memoryview(self._kept[i])[:length]
        raw = np.empty(length + _ALIGNMENT, dtype=np.uint8)
        start = -raw.ctypes.data % _ALIGNMENT
        buffer = raw[start : start + length]
        self._kept = [kept for kept in self._kept if len(kept) >= length][-self._most + 1 :]
        self._kept.append(buffer)
        return memoryview(buffer)


def _decompressor(codec: int) -> Callable[[memoryview, int], Any]:
    if codec == 0:
        try:
            import lz4.frame
        except ImportError:
            raise StreamUnsupported(
                "LZ4 needs the package lz4: install it, or ask for compression none"
            ) from None
        return lambda data, length: lz4.frame.decompress(data)
    if codec == 1:
        try:
            import zstandard
        except ImportError:
            raise StreamUnsupported(
                "ZSTD needs the package zstandard: install it, or ask for compression none"
            ) from None
        return lambda data, length: zstandard.ZstdDecompressor().decompress(
            data, max_output_size=length
        )
    raise StreamUnsupported(f"compression with codec {codec}")


class StreamReader:
    """Reads one stream.

    Args:
        readinto: fills a memoryview as far as it can, gives how many bytes; 0 at the end.
        buffers: where bodies are received.
    """

    def __init__(self, readinto: Callable[[memoryview], int], buffers: Optional[Buffers] = None):
        self._readinto = readinto
        self._buffers = buffers or Buffers()
        self._schema: Optional[Schema] = None

    @property
    def schema(self) -> Schema:
        if self._schema is None:
            message = self._message()
            if message is None or message.scalar(1, "B", 0) != _SCHEMA:
                raise StreamMalformed("the stream does not begin with a schema")
            header = message.table(2)
            if header is None or header.scalar(0, "h", 0) != 0:
                raise StreamUnsupported("a schema that is big-endian, or none")
            self._schema = Schema([_field(field) for field in header.tables(1)], header.words(2))
        return self._schema

    def __iter__(self) -> Iterator[Batch]:
        while True:
            batch = self.next()
            if batch is None:
                return
            yield batch
            del batch  # its buffer can be used again if nobody else holds it

    def next(self) -> Optional[Batch]:
        """The next batch, or ``None`` after the end mark.

        Raises:
            StreamTruncated: the stream stops before its end.
            StreamFailed: its writer says that it failed.
            StreamMalformed, StreamUnsupported: see there.
        """
        schema = self.schema
        message = self._message()
        if message is None:
            return None
        error = message.words(4).get("penstock.error")
        if error is not None:
            raise _failed(error)
        header = message.table(2)
        if message.scalar(1, "B", 0) != _RECORD_BATCH or header is None:
            raise StreamUnsupported("a message that is no record batch")
        length = message.scalar(3, "q", 0)
        if not 0 <= length <= _LARGEST_BODY:
            raise StreamMalformed(f"a batch of {length} bytes")
        body = self._buffers.take(length)
        self._fill(body)
        return _batch(schema, header, body)

    def _message(self) -> Optional[Table]:
        prefix = memoryview(bytearray(8))
        self._fill(prefix)
        mark, length = struct.unpack("<II", prefix)
        if mark != _CONTINUATION:
            raise StreamMalformed("no message where one should begin")
        if length == 0:
            return None
        if length > _LARGEST_METADATA:
            raise StreamMalformed(f"a message with {length} bytes of metadata")
        metadata = memoryview(bytearray(length))
        self._fill(metadata)
        return Table.root(metadata)

    def _fill(self, target: memoryview) -> None:
        at = 0
        while at < len(target):
            read = self._readinto(target[at:])
            if not read:
                raise StreamTruncated("Truncated", "the stream stops before its end")
            at += read


def _failed(error: str) -> StreamFailed:
    try:
        words = json.loads(error)
        return StreamFailed(str(words["code"]), str(words["message"]), bool(words["retryable"]))
    except (ValueError, KeyError, TypeError):
        return StreamFailed("InternalError", error[:2000], False)


def _batch(schema: Schema, header: Table, body: memoryview) -> Batch:
    rows, nodes = header.scalar(0, "q", 0), header.pairs(1)
    if not 0 <= rows < 1 << 31:
        raise StreamMalformed(f"a batch of {rows} rows")
    buffers = _buffers(header, body)
    columns: List[Column] = []
    node = at = 0
    for field in schema.fields:
        width = 3 if field.kind in _VARYING or field.shape is not None else 2
        own, at = buffers[at : at + width], at + width
        if node >= len(nodes) or len(own) != width or nodes[node][0] != rows:
            raise StreamMalformed(f"column {field.name} does not fit the schema")
        column = Column(field, rows, nodes[node][1], own)
        node += 2 if field.shape is not None else 1
        column.check()
        columns.append(column)
    if node != len(nodes) or at != len(buffers):
        raise StreamMalformed("a batch has more columns than the schema")
    return Batch(schema, rows, columns)


def _buffers(header: Table, body: memoryview) -> List[memoryview]:
    compression = header.table(3)
    unpack = None if compression is None else _decompressor(compression.scalar(0, "b", 0))
    found: List[memoryview] = []
    for offset, length in header.pairs(2):
        if offset < 0 or length < 0 or offset + length > len(body) or offset % 8:
            raise StreamMalformed("a buffer lies outside of its batch")
        view = body[offset : offset + length]
        if unpack is not None and length:
            if length < 8:
                raise StreamMalformed("a compressed buffer has no length")
            size = struct.unpack_from("<q", view)[0]
            if size == -1:
                view = view[8:]
            elif not 0 <= size <= _LARGEST_BODY:
                raise StreamMalformed(f"a buffer of {size} bytes when decompressed")
            else:
                view = memoryview(unpack(view[8:], size))
                if len(view) != size:
                    raise StreamMalformed("a compressed buffer is not as long as it says")
        found.append(view)
    return found
