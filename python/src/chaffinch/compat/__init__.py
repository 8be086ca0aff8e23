"""Modules with the names and signatures of other packages: trafilatura, jusText, PyPlexity.

A program changes its import and nothing else. Parameters that have no counterpart here are taken and, where they
are not at their default, named in a :class:`CompatWarning` once.
"""

from __future__ import annotations

import warnings

__all__ = ["CompatWarning"]


class CompatWarning(UserWarning):
    """A parameter of another package was ignored, since it has no counterpart."""


_told: set[tuple[str, str]] = set()


def unused(function: str, given: dict[str, object], defaults: dict[str, object], stacklevel: int = 3) -> None:
    """Warn once about each ignored parameter."""
    for name, value in given.items():
        if value != defaults.get(name) and (function, name) not in _told:
            _told.add((function, name))
            warnings.warn(
                f"{function}: {name}={value!r} has no counterpart in chaffinch and no effect", CompatWarning, stacklevel=stacklevel
            )
