"""A way to the database server on which answers get lost: the server has done what it was asked, and nobody hears of it."""

import socket
import threading
from contextlib import suppress

from tests.store.postgres_server import Server

COMMIT = b"COMMIT\0"


class LossyLink:
    """Forwards everything, until `lose` is called: the connection breaks after the next commit, before its answer."""

    def __init__(self, server: Server) -> None:
        self._target = str(next(server.folder.glob(".s.PGSQL.*[0-9]")))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._loses = threading.Event()
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self) -> None:
        self._loses.set()

    @property
    def has_lost(self) -> bool:
        return not self._loses.is_set()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                there = socket.socket(socket.AF_UNIX)
                there.connect(self._target)
                threading.Thread(target=self._up, args=(client, there), daemon=True).start()
                threading.Thread(target=self._down, args=(client, there), daemon=True).start()

    def _up(self, client: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if self._loses.is_set() and COMMIT in data:
                    client.shutdown(socket.SHUT_WR)  # the answer has no way back
                    there.sendall(data)
                    self._loses.clear()
                else:
                    there.sendall(data)
        with suppress(OSError):
            there.shutdown(socket.SHUT_WR)

    def _down(self, client: socket.socket, there: socket.socket) -> None:
        """Pass answers on; what nobody takes any more is thrown away, so that the server goes on."""
        with client, there, suppress(OSError):
            while data := there.recv(65536):
                with suppress(OSError):
                    client.sendall(data)
