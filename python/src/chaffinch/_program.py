"""Finds the program and runs its commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from .errors import CommandError, ProgramMissing

_NAME = "chaffinch.exe" if os.name == "nt" else "chaffinch"


def program() -> str:
    """Return the path of the program: ``CHAFFINCH_PROGRAM``, else the one inside the package.

    >>> import os
    >>> os.path.isfile(program())
    True
    """
    named = os.environ.get("CHAFFINCH_PROGRAM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise ProgramMissing(f"CHAFFINCH_PROGRAM={named}: no such program")
        return found
    inside = Path(__file__).with_name("bin") / _NAME
    if not inside.is_file():
        hint = " (a virus scanner may have taken it away)" if os.name == "nt" else ""
        raise ProgramMissing(f"{inside}: the program is missing{hint}: reinstall the package, or set CHAFFINCH_PROGRAM to a program")
    return str(inside)


def arguments(words: tuple[object, ...], flags: dict[str, object]) -> list[str]:
    """Return the arguments of a command: ``min_score=3`` is ``--min-score=3``, ``True`` a flag without a value."""
    args = [str(w) for w in words]
    for name, value in flags.items():
        flag = ("-" if len(name) == 1 else "--") + name.rstrip("_").replace("_", "-")
        if value is True:
            args.append(flag)
        elif value is not None and value is not False:
            several = cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else [value]
            for v in several:  # a value may begin with a hyphen
                args += [flag, str(v)] if len(name) == 1 else [f"{flag}={v}"]
    return args


def run(*words: object, input: bytes | str | None = None, **flags: object) -> str:
    """Run a command of the program and return its standard output.

    Words are its arguments; ``snake_case`` keywords its flags: ``True`` is a flag without a value, a list
    a flag that is repeated. An exit code other than 0 is a :class:`~chaffinch.errors.CommandError`.

    >>> run("version").split()[0]
    'chaffinch'
    """
    data = input.encode() if isinstance(input, str) else input
    args = [program(), *arguments(words, flags)]
    try:
        done = subprocess.run(args, input=data, stdin=subprocess.DEVNULL if data is None else None, capture_output=True, check=False)
    except OSError as e:
        raise ProgramMissing(f"{args[0]}: {e.strerror or e}") from e
    if done.returncode != 0:
        raise command_error(done.returncode, done.stderr)
    return done.stdout.decode("utf-8", "replace")


def command_error(code: int, stderr: bytes) -> CommandError:
    """Return the error of a command with an exit code."""
    words = stderr.decode("utf-8", "replace").strip()
    first = words.splitlines()[0] if words else f"exit code {code}"
    return CommandError(first.removeprefix("chaffinch: "), code, words)


def main() -> int:
    """Replace this process by the program, for ``chaffinch`` and ``python -m chaffinch``."""
    try:
        path = program()
        args = [path, *sys.argv[1:]]
        if os.name != "nt":
            os.execv(path, args)
        return _windows(args)
    except (ProgramMissing, OSError) as e:
        print(f"chaffinch: {e}", file=sys.stderr)
        return 2


def main_script() -> None:
    """Run the program, as the entry point of the script installed by pip."""
    sys.exit(main())


def _windows(args: list[str]) -> int:
    # execv would return to the shell at once there, with the program still running.
    with subprocess.Popen(args) as p:
        while True:
            try:
                return p.wait()
            except KeyboardInterrupt:  # the program has it too, and ends
                continue
