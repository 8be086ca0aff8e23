"""A process ``chaffinch worker``, and the frames sent to and from it.

A frame is ``size of the rest, id, version or status, size of the head`` (little-endian, 4 + 4 + 2 + 2 bytes),
then the head, then the body: package serve/frame of the program.
"""

from __future__ import annotations

import contextlib
import io
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from typing import NamedTuple, cast

from ._program import program
from .errors import ProgramMissing

_FIXED = struct.Struct("<IIHH")
_REST = 8  # of it behind the size
_VERSION = 1


class Request(NamedTuple):
    """A request of the HTTP API: ``b"POST /v1/clean"`` and headers, one per line, and a body."""

    head: bytes
    body: bytes


class Answer(NamedTuple):
    """A response of the HTTP API: status, headers and body."""

    status: int
    head: bytes
    body: bytes


class Died(Exception):
    """The process ended, or sent an invalid response."""


class Worker:
    """A worker process. Not safe for concurrent use."""

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        path = program()
        self._log = tempfile.TemporaryFile(buffering=0)  # its last words, if it dies
        try:
            self.process = subprocess.Popen(
                [path, "worker", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0
            )
        except OSError as e:
            self._log.close()
            raise ProgramMissing(f"{path}: {e.strerror or e}") from e
        self._in = cast("io.FileIO", self.process.stdin)
        self._out = io.BufferedReader(cast("io.FileIO", self.process.stdout), 1 << 16)
        self._sent = 0
        self._got = 0

    def send(self, request: Request) -> None:
        """Send a request. Each needs a :meth:`receive`, in the same order."""
        head, body = request
        self._sent = self._sent + 1 & 0xFFFFFFFF
        data = b"".join((_FIXED.pack(_REST + len(head) + len(body), self._sent, _VERSION, len(head)), head, body))
        try:
            n = self._in.write(data)
            if n < len(data):
                rest = memoryview(data)
                while n < len(data):
                    n += self._in.write(rest[n:])
        except (OSError, ValueError) as e:
            raise Died(self.words()) from e

    def receive(self) -> Answer:
        """Return the next response."""
        try:
            fixed = self._out.read(12)
            if len(fixed) == 12:
                size, number, status, head = _FIXED.unpack(fixed)
                rest = self._out.read(size - _REST)
                self._got = self._got + 1 & 0xFFFFFFFF
                if len(rest) == size - _REST and number == self._got:
                    return Answer(status, rest[:head], rest[head:])
        except (OSError, ValueError) as e:
            raise Died(self.words()) from e
        raise Died(self.words())

    def words(self) -> str:
        """End the process; return its exit status and last messages."""
        self._kill()
        with contextlib.suppress(OSError, ValueError):
            self._log.seek(0)
            text = self._log.read(4000).decode("utf-8", "replace").strip()
            code = self.process.returncode
            ended = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
            return f"{ended}: {text}" if text else ended
        return "ended"

    def kill(self) -> None:
        """Kill the process."""
        self._kill()
        self._log.close()

    def _kill(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(OSError):
                self.process.kill()
        self._end(1)

    def hang_up(self) -> None:
        """Close the input of the process, without waiting for its end."""
        self._in.close()

    def close(self, seconds: float = 1) -> None:
        """End the process by closing its input."""
        self._end(seconds)
        self._log.close()

    def _end(self, seconds: float) -> None:
        with contextlib.suppress(OSError):
            self._in.close()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError):
            self._out.close()

    def forget(self) -> None:
        """Forget the process of the parent after a fork."""
        self.process.returncode = 0  # nobody here waits for it
        for f in (self._in, self._out.raw, self._log):  # raw: a thread of the parent may hold the lock of the buffer
            with contextlib.suppress(OSError):
                f.close()
