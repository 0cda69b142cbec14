"""A way to a gateway that breaks where it is told to."""

import socket
import threading
from typing import List, Optional
from urllib.parse import urlsplit


class BreakingProxy:
    """Each connection gets its answer up to so many bytes, ``None`` for all of it."""

    def __init__(self, target: str, limits: List[Optional[int]]) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname, parts.port)
        self._limits = list(limits)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self.endpoint = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            limit = self._limits[self.connections] if self.connections < len(self._limits) else None
            self.connections += 1
            threading.Thread(target=self._pass, args=(client, limit), daemon=True).start()

    def _pass(self, client: socket.socket, limit: Optional[int]) -> None:
        with client, socket.create_connection(self._target) as gateway:
            threading.Thread(target=self._forward, args=(client, gateway), daemon=True).start()
            passed = 0
            while True:
                data = gateway.recv(65536)
                if limit is not None and passed + len(data) > limit:
                    client.sendall(data[: limit - passed])
                    client.shutdown(socket.SHUT_RDWR)
                    return
                if not data:
                    return
                client.sendall(data)
                passed += len(data)

    @staticmethod
    def _forward(client: socket.socket, gateway: socket.socket) -> None:
        try:
            while True:
                data = client.recv(65536)
                if not data:
                    return
                gateway.sendall(data)
        except OSError:
            pass

    def close(self) -> None:
        self._server.close()
