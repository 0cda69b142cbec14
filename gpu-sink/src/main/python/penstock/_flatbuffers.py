"""The part of the flatbuffers format that Arrow's messages need, read strictly.

Every access is checked against the buffer by ``struct``; what points outside is a
``StreamMalformed``. Source: https://flatbuffers.dev/internals
"""

import struct
from typing import Any, List, Optional, Tuple

from .errors import StreamMalformed


def unpack(layout: str, data: memoryview, at: int) -> Tuple[Any, ...]:
    """The values at a place, or an error if it is outside."""
    if at < 0:
        raise StreamMalformed("a message points before its beginning")
    try:
        return struct.unpack_from(layout, data, at)
    except struct.error as e:
        raise StreamMalformed(f"a message points outside of itself: {e}") from None


class Table:
    """One table; fields are asked for by their number in Arrow's schema files."""

    __slots__ = ("data", "at", "fields", "size")

    def __init__(self, data: memoryview, at: int) -> None:
        self.data = data
        self.at = at
        self.fields = at - unpack("<i", data, at)[0]
        self.size = unpack("<H", data, self.fields)[0]

    @staticmethod
    def root(data: memoryview) -> "Table":
        return Table(data, unpack("<I", data, 0)[0])

    def _place(self, field: int) -> Optional[int]:
        entry = 4 + 2 * field
        if entry + 2 > self.size:
            return None
        offset = unpack("<H", self.data, self.fields + entry)[0]
        return self.at + offset if offset else None

    def scalar(self, field: int, layout: str, default: Any) -> Any:
        place = self._place(field)
        return default if place is None else unpack("<" + layout, self.data, place)[0]

    def table(self, field: int) -> Optional["Table"]:
        place = self._place(field)
        return None if place is None else Table(self.data, self._follow(place))

    def text(self, field: int) -> str:
        place = self._place(field)
        if place is None:
            return ""
        at = self._follow(place)
        length = unpack("<I", self.data, at)[0]
        value = bytes(self.data[at + 4 : at + 4 + length])
        if len(value) != length:
            raise StreamMalformed("a text reaches beyond its message")
        return value.decode("utf-8", "replace")

    def _follow(self, place: int) -> int:
        return place + unpack("<I", self.data, place)[0]

    def _vector(self, field: int, width: int) -> Tuple[int, int]:
        place = self._place(field)
        if place is None:
            return 0, 0
        at = self._follow(place)
        length = unpack("<I", self.data, at)[0]
        if at + 4 + length * width > len(self.data):
            raise StreamMalformed("a list reaches beyond its message")
        return at + 4, length

    def tables(self, field: int) -> List["Table"]:
        at, length = self._vector(field, 4)
        return [Table(self.data, self._follow(at + 4 * i)) for i in range(length)]

    def pairs(self, field: int) -> List[Tuple[int, int]]:
        """Structs of two 64-bit numbers."""
        at, length = self._vector(field, 16)
        return [unpack("<qq", self.data, at + 16 * i) for i in range(length)]  # type: ignore

    def words(self, field: int) -> "dict[str, str]":
        """Key-value metadata."""
        return {entry.text(0): entry.text(1) for entry in self.tables(field)}
