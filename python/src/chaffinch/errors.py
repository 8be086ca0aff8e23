"""Errors and warnings. Every error is a :class:`ChaffinchError` with the message of the program."""

from __future__ import annotations

__all__ = ["ChaffinchError", "CommandError", "Fault", "InputWarning", "ProgramMissing", "RequestError", "WorkerDied"]


class ChaffinchError(Exception):
    """The base class of all errors of this package."""


class ProgramMissing(ChaffinchError):
    """The program ``chaffinch`` is missing or cannot be started."""


class WorkerDied(ChaffinchError):
    """Three worker processes in a row died on the same page, which may be the cause."""


class RequestError(ChaffinchError, ValueError):
    """A setting, a query or an input is invalid.

    ``status`` is the HTTP status of the API (docs/guides/serve.md), such as 422.
    """

    def __init__(self, message: str, status: int = 422) -> None:  # polars raises errors again with their message alone
        super().__init__(message, status)
        self.message = message
        self.status = status

    def __str__(self) -> str:
        return self.message


class Fault(ChaffinchError):
    """An internal error of the program. The process continues with the next page."""


class CommandError(ChaffinchError):
    """A command failed with an exit code other than 0; ``stderr`` holds its messages."""

    def __init__(self, message: str, code: int = 2, stderr: str = "") -> None:
        super().__init__(message, code, stderr)
        self.message = message
        self.code = code
        self.stderr = stderr

    def __str__(self) -> str:
        return self.message


class InputWarning(UserWarning):
    """A part of an input could not be read and was skipped."""
