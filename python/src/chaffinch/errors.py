"""What can go wrong. Every error is a :class:`ChaffinchError`; its words are those of the program."""

from __future__ import annotations

__all__ = ["ChaffinchError", "CommandError", "Fault", "InputWarning", "ProgramMissing", "RequestError", "WorkerDied"]


class ChaffinchError(Exception):
    """The root of all errors of this package."""


class ProgramMissing(ChaffinchError):
    """The program ``chaffinch`` is not where the package has it, or cannot be started."""


class WorkerDied(ChaffinchError):
    """The processes that worked on a page ended, three of them: the page may be the cause."""


class RequestError(ChaffinchError, ValueError):
    """A setting, a query or an input cannot be used.

    ``status`` is that of the HTTP API (docs/guides/serve.md), such as 422.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, status)
        self.message = message
        self.status = status

    def __str__(self) -> str:
        return self.message


class Fault(ChaffinchError):
    """The program met a fault of its own. The process goes on with the next page."""


class CommandError(ChaffinchError):
    """A command ended with an exit code other than 0; ``stderr`` has its words."""

    def __init__(self, message: str, code: int, stderr: str) -> None:
        super().__init__(message, code, stderr)
        self.message = message
        self.code = code
        self.stderr = stderr

    def __str__(self) -> str:
        return self.message


class InputWarning(UserWarning):
    """Some of an input could not be read; the rest was."""
