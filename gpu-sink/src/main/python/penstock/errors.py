"""What can go wrong, by who has to do something about it."""


class PenstockError(Exception):
    """A stream could not be had, or not to its end. Batches before it are good.

    Attributes:
        code: an S3 code, or one of this client's.
        fault: ``"caller"``, ``"service"`` or ``"network"``.
        retryable: whether the same request may succeed later; a stream has then tried as often as
            it may.
    """

    fault = "service"
    retryable = False

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class RequestRefused(PenstockError):
    """The gateway answered with an error before any batch."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(code, message)
        self.status = status
        self.fault = "service" if status >= 500 else "caller"
        self.retryable = status in (429, 500, 502, 503, 504)


class StreamFailed(PenstockError):
    """The gateway ended the stream with an error of its own."""

    def __init__(self, code: str, message: str, retryable: bool) -> None:
        super().__init__(code, message)
        self.retryable = retryable
        service = code in ("InternalError", "ServiceUnavailable", "SlowDown")
        self.fault = "service" if service else "caller"


class StreamTruncated(PenstockError):
    """The connection could not be made, or broke before the stream's end."""

    fault = "network"
    retryable = True


class StreamMalformed(PenstockError):
    """The bytes are no stream of the batch protocol, or were damaged."""

    def __init__(self, message: str) -> None:
        super().__init__("Malformed", message)


class StreamUnsupported(PenstockError):
    """Arrow, but nothing that this reader or this machine can read."""

    fault = "caller"

    def __init__(self, message: str) -> None:
        super().__init__("Unsupported", message)


class ListChanged(PenstockError):
    """A resumed stream is over another list of items than before."""

    fault = "caller"

    def __init__(self, message: str) -> None:
        super().__init__("ListChanged", message)


class ItemFailed(PenstockError):
    """One item of a batch could not be had; the others are there."""

    def __init__(self, row: int, key: str, status: int, code: str, message: str) -> None:
        super().__init__(code, f"{key}: {message}")
        self.row = row
        self.key = key
        self.status = status
        self.fault = "service" if status >= 500 else "caller"
