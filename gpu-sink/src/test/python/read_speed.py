"""How fast a stream becomes numpy arrays.

    python3 gpu-sink/src/test/python/read_speed.py

From memory: the reader alone, bytes copied once from a stream in memory into the receive buffer, as
the kernel does with a socket's. Over a socket: the same from another process on the loopback.
"""

import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "main", "python"))

import numpy as np  # noqa: E402

from penstock.arrow import StreamReader  # noqa: E402


class _Builder:
    """Just enough of flatbuffers, written forwards: tables with their fields behind them."""

    def __init__(self):
        self.data = bytearray()

    def table(self, fields):
        """fields: list of (layout, value) or None; offsets are patched by the caller."""
        sizes = [0 if f is None else struct.calcsize("<" + f[0]) for f in fields]
        while len(self.data) % 8:
            self.data += b"\0"
        vtable = 4 + 2 * len(fields)
        pad = -(len(self.data) + vtable) % 8
        self.data += b"\0" * pad
        start = len(self.data)
        at, offsets = 4, []
        for size in sizes:
            if size:
                at += -at % size if size <= 8 else 0
                offsets.append(at)
                at += size
            else:
                offsets.append(0)
        self.data += struct.pack("<HH", vtable, at) + struct.pack(f"<{len(fields)}H", *offsets)
        table = len(self.data)
        self.data += b"\0" * at
        struct.pack_into("<i", self.data, table, table - start)
        places = []
        for field, offset in zip(fields, offsets):
            places.append(table + offset if offset else None)
            if field is not None:
                struct.pack_into("<" + field[0], self.data, table + offset, field[1])
        return table, places

    def point(self, place):
        while len(self.data) % 8 != 4:
            self.data += b"\0"
        struct.pack_into("<I", self.data, place, len(self.data) - place)

    def refer(self, place, target):
        struct.pack_into("<I", self.data, place, target - place)


def message(kind, header, body=0):
    """A message around a header that ``header(builder)`` writes."""
    b = _Builder()
    b.data += b"\0\0\0\0"
    root, places = b.table([("h", 4), ("B", kind), ("I", 0), ("q", body)])
    b.refer(0, root)
    b.refer(places[2], header(b))
    while len(b.data) % 8:
        b.data += b"\0"
    return struct.pack("<II", 0xFFFFFFFF, len(b.data)) + bytes(b.data)


def schema(elements):
    def write(b):
        table, places = b.table([("h", 0), ("I", 0)])
        b.point(places[1])
        b.data += struct.pack("<II", 1, 0)
        entry = len(b.data) - 4
        field, f = b.table([("I", 0), ("B", 1), ("B", 16), ("I", 0), None, ("I", 0)])
        b.refer(entry, field)
        text(b, f[0], b"tensor")
        list_, _ = b.table([("i", elements)])
        b.refer(f[3], list_)
        b.point(f[5])
        b.data += struct.pack("<II", 1, 0)
        entry = len(b.data) - 4
        child, c = b.table([("I", 0), ("B", 0), ("B", 2), ("I", 0)])
        b.refer(entry, child)
        text(b, c[0], b"item")
        number, _ = b.table([("i", 8), ("B", 0)])
        b.refer(c[3], number)
        return table

    return message(1, write)


def text(b, place, value):
    b.point(place)
    b.data += struct.pack("<I", len(value)) + value + b"\0"


def batch_head(rows, elements):
    size = rows * elements

    def write(b):
        table, places = b.table([("q", rows), ("I", 0), ("I", 0)])
        b.point(places[1])
        b.data += struct.pack("<Iqqqq", 2, rows, 0, size, 0)
        b.point(places[2])
        b.data += struct.pack("<Iqqqqqq", 3, 0, 0, 0, 0, 0, size)
        return table

    return message(3, write, size)


class Memory:
    """A stream of the same batch many times, read with one copy like a socket."""

    def __init__(self, parts):
        self.parts = iter(parts)
        self.left = memoryview(b"")

    def readinto(self, target):
        while not len(self.left):
            self.left = memoryview(next(self.parts, b"")).cast("B")
            if not len(self.left):
                return 0
        size = min(len(target), len(self.left))
        target[:size] = self.left[:size]
        self.left = self.left[size:]
        return size


ROWS, ELEMENTS, BATCHES = 256, 3 * 224 * 224, 100


def parts():
    body = np.arange(ROWS * ELEMENTS, dtype=np.uint8)
    yield schema(ELEMENTS)
    for _ in range(BATCHES):
        yield batch_head(ROWS, ELEMENTS)
        yield body
    yield struct.pack("<II", 0xFFFFFFFF, 0)


def measure(name, readinto):
    begun, used, size, seen = time.perf_counter(), time.process_time(), 0, 0
    for batch in StreamReader(readinto):
        tensor = batch["tensor"]
        size += tensor.nbytes
        seen += int(tensor[-1, -1])
        del tensor, batch
    seconds, used = time.perf_counter() - begun, time.process_time() - used
    assert size == ROWS * ELEMENTS * BATCHES and seen > 0
    print(
        f"{name:14} {size / 1e9:.1f} GB in {seconds:.2f} s: {size / 1e9 / seconds:.1f} GB/s,"
        f" {size / 1e9 / used:.1f} GB per CPU second"
    )


def main():
    for _ in range(2):
        measure("from memory", Memory(parts()).readinto)
    server = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        connection, _ = server.accept()
        for part in parts():
            connection.sendall(part)
        os._exit(0)
    with socket.create_connection(server.getsockname()) as connection:
        measure("over a socket", connection.recv_into)


if __name__ == "__main__":
    main()
