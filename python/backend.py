"""Builds the wheels and the source archive of the package, and is their build backend (PEP 517).

    python backend.py                       # a wheel for this machine, in dist/
    python backend.py --all --sdist         # all platforms and the source archive, as a release has them
    python backend.py --platform windows-arm64 --out wheels
    python backend.py --taggers chaffinch-taggers.chf  # only the wheel of chaffinch-taggers

Needs Go, and `deflate` from the package index, which packs smaller than Python does; `pip install` of the
sources builds without it. The bytes of a file depend on the sources and the versions of both alone: no time,
path or user goes into it.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import platform as _platform
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULE = HERE / "go" if (HERE / "go" / "go.mod").is_file() else HERE.parent  # inside a source archive, or a checkout

MAX_WHEEL = 47_000_000  # bytes: embedded models are 24 MB of it, and wheels for macOS and Windows on x86-64 are the largest

# By GOOS and GOARCH. The program is static: one wheel is for glibc and musl. macOS 12 is the oldest that Go serves.
PLATFORMS = {
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}


def version() -> str:
    """Return the version of the program, which is that of the package."""
    found = re.search(r'^const version = "(.*)"$', (MODULE / "cmd/chaffinch/version.go").read_text(), re.M)
    if not found:
        raise SystemExit("backend: no version in cmd/chaffinch/version.go")
    return found[1]


def host() -> str:
    """Return the platform of this machine."""
    system = {"win32": "windows", "cygwin": "windows"}.get(sys.platform, sys.platform)
    machine = _platform.machine().lower()
    arch = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}.get(machine, machine)
    name = f"{system}-{arch}"
    if name not in PLATFORMS:
        raise SystemExit(f"backend: no wheel for {name}; there are {', '.join(PLATFORMS)}")
    return name


def links() -> list[str]:
    """Return the fields that link to the project: none while the path of the Go module is no address."""
    path = re.search(r"^module (\S+)$", (MODULE / "go.mod").read_text("utf-8"), re.MULTILINE).group(1)
    if "." not in path.split("/")[0]:
        return []
    return [f"Project-URL: Homepage, https://{path}", f"Project-URL: Changelog, https://{path}/blob/main/CHANGELOG.md"]


def metadata() -> str:
    """Return the file METADATA."""
    lines = [
        "Metadata-Version: 2.4",
        "Name: chaffinch",
        f"Version: {version()}",
        "Summary: Clean text of web pages: fast, explained, without dependencies",
        "Keywords: boilerplate removal,text extraction,web corpus,html,warc,language detection,deduplication",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "License-File: NOTICE",
        "Requires-Python: >=3.10",
        "Classifier: Development Status :: 4 - Beta",
        "Classifier: Intended Audience :: Developers",
        "Classifier: Intended Audience :: Science/Research",
        "Classifier: Operating System :: MacOS",
        "Classifier: Operating System :: Microsoft :: Windows",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Programming Language :: Go",
        "Classifier: Programming Language :: Python :: 3 :: Only",
        "Classifier: Topic :: Text Processing :: Linguistic",
        "Classifier: Topic :: Text Processing :: Markup :: HTML",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
        *links(),
    ]
    return "\n".join(lines) + "\n\n" + (HERE / "README.md").read_text("utf-8")


def cold() -> list[str]:
    """Return the flags that leave inlining out where speed does not matter, as release/program.sh has them."""
    patterns = (line.strip() for line in (MODULE / "release/cold.txt").read_text("utf-8").splitlines())
    return [f"-gcflags={p}=-l" for p in patterns if p and not p.startswith("#")]


def build_program(platform: str, out: Path) -> None:
    """Build the program for a platform as releases have it, see release/program.sh."""
    goos, goarch = platform.split("-")
    env = {**os.environ, "CGO_ENABLED": "0", "GOOS": goos, "GOARCH": goarch, "GOFLAGS": "", "GOWORK": "off"}
    env.setdefault("GOAMD64", "v1")
    command = ["go", "build", "-trimpath", "-buildvcs=false", "-tags=nethttpomithttp2", "-pgo=release/main.pgo", *cold()]
    command += ["-ldflags=-s -w -buildid=", "-o", str(out), "./cmd/chaffinch"]
    try:
        subprocess.run(command, cwd=MODULE, env=env, check=True)
    except FileNotFoundError:
        raise SystemExit("backend: go is not in the path: install Go, or install the package from a wheel") from None
    except subprocess.CalledProcessError as e:
        raise SystemExit(f"backend: go build failed: exit code {e.returncode}") from None


def sources() -> dict[str, Path]:
    """Return the files of the package by their names in it."""
    root = HERE / "src"
    kept = {".py", ".typed"}
    files = (p for p in sorted(root.rglob("*")) if p.suffix in kept or p.name == "py.typed")
    return {p.relative_to(root).as_posix(): p for p in files if p.is_file()}


def zlib_pack(data: bytes) -> bytes:
    """Return data as a stream of deflate, by what every Python has."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def small_pack() -> Callable[[bytes], bytes]:
    """Return what packs as wheels of a release are packed: streams of deflate that are 3 % smaller."""
    try:
        from deflate import deflate_compress
    except ImportError:
        raise SystemExit("backend: no module deflate, without which a wheel is too large: pip install deflate") from None
    return lambda data: bytes(deflate_compress(data, 12))


def write_zip(path: Path, files: list[tuple[str, bytes, int]], pack: Callable[[bytes], bytes]) -> None:
    """Write files with their modes as a zip. The module zipfile has no way for streams that another program packed."""
    central = []
    with path.open("wb") as f:
        for name, data, mode in files:
            packed = pack(data)
            if len(packed) >= 1 << 32 or len(data) >= 1 << 32:
                raise SystemExit(f"backend: {name} is too large for a zip")
            # Version 2.0, no flags, deflate, midnight of 1 January 1980: the first time that a zip can have.
            common = struct.pack("<5H3L2H", 20, 0, 8, 0, 1 << 5 | 1, zlib.crc32(data), len(packed), len(data), len(name), 0)
            # Made on Unix, wherever it is built; a plain file.
            central.append(struct.pack("<4s2B", b"PK\1\2", 20, 3) + common)
            central.append(struct.pack("<3H2L", 0, 0, 0, (0o100000 | mode) << 16, f.tell()) + name.encode("ascii"))
            f.write(b"PK\3\4" + common + name.encode("ascii") + packed)
        start = f.tell()
        f.write(b"".join(central))
        f.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(files), len(files), f.tell() - start, start, 0))


def write_wheel(path: Path, info: str, files: list[tuple[str, bytes, int]], pack: Callable[[bytes], bytes]) -> Path:
    """Write files and their RECORD as a wheel and return its path."""
    record = []
    for n, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{n},sha256={digest},{len(data)}\n")
    record.append(f"{info}/RECORD,,\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_zip(path, [*files, (f"{info}/RECORD", "".join(record).encode(), 0o644)], pack)
    return path


def wheel(out: Path, platform: str | None = None, program: Path | None = None, *, editable: bool = False, release: bool = False) -> Path:
    """Write a wheel into a folder and return its path. One of a release is packed small, and its size is bounded."""
    pack = small_pack() if release else zlib_pack
    platform = platform or os.environ.get("CHAFFINCH_WHEEL_PLATFORM") or host()
    if platform not in PLATFORMS:
        raise SystemExit(f"backend: no platform {platform}; there are {', '.join(PLATFORMS)}")
    tags = PLATFORMS[platform]
    info = f"chaffinch-{version()}.dist-info"
    name = f"chaffinch-{version()}-py3-none-{tags}.whl"
    exe = "chaffinch.exe" if platform.startswith("windows") else "chaffinch"
    files: list[tuple[str, bytes, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        if editable:
            files.append(("chaffinch.pth", f"{HERE / 'src'}\n".encode(), 0o644))
            target = HERE / "src" / "chaffinch" / "bin"
            target.mkdir(exist_ok=True)
            build_program(platform, target / exe)
        else:
            built = program or Path(folder, exe)
            if program is None:
                build_program(platform, built)
            files += [(n, p.read_bytes(), 0o644) for n, p in sources().items()]
            files.append((f"chaffinch/bin/{exe}", built.read_bytes(), 0o755))
    expanded = [f"Tag: py3-none-{tag}" for tag in tags.split(".")]
    files += [
        (f"{info}/METADATA", metadata().encode(), 0o644),
        (
            f"{info}/WHEEL",
            "\n".join(["Wheel-Version: 1.0", "Generator: chaffinch", "Root-Is-Purelib: false", *expanded, ""]).encode(),
            0o644,
        ),
        (f"{info}/entry_points.txt", b"[console_scripts]\nchaffinch = chaffinch._program:main_script\n", 0o644),
        (f"{info}/licenses/LICENSE", (MODULE / "LICENSE").read_bytes(), 0o644),
        (f"{info}/licenses/NOTICE", (MODULE / "NOTICE").read_bytes(), 0o644),
    ]
    path = write_wheel(out / name, info, files, pack)
    if release and path.stat().st_size > MAX_WHEEL:
        raise SystemExit(f"backend: {path.name} has {path.stat().st_size} bytes, wanted at most {MAX_WHEEL}")
    return path


def taggers_wheel(out: Path, taggers: Path) -> Path:
    """Write the wheel of the package chaffinch-taggers, which puts a file of taggers beside the program."""
    info = f"chaffinch_taggers-{version()}.dist-info"
    lines = [
        "Metadata-Version: 2.4",
        "Name: chaffinch-taggers",
        f"Version: {version()}",
        "Summary: Taggers of further languages for chaffinch: lemmas, parts of speech, morphological features",
        "License-Expression: Apache-2.0",
        "License-File: NOTICE",
        f"Requires-Dist: chaffinch=={version()}",
        "Requires-Python: >=3.10",
        *links(),
    ]
    files = [
        ("chaffinch/bin/chaffinch-taggers.chf", taggers.read_bytes(), 0o644),
        (f"{info}/METADATA", ("\n".join(lines) + "\n").encode(), 0o644),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: chaffinch\nRoot-Is-Purelib: false\nTag: py3-none-any\n", 0o644),
        (f"{info}/licenses/NOTICE", (MODULE / "NOTICE").read_bytes(), 0o644),
    ]
    return write_wheel(out / f"chaffinch_taggers-{version()}-py3-none-any.whl", info, files, zlib_pack)


def go_files() -> list[str]:
    """Return the files that the program is built of, for all platforms, by their names in the module."""
    found = {"go.mod", "go.sum", "LICENSE", "NOTICE", "release/cold.txt", "release/main.pgo"}
    for platform in PLATFORMS:
        goos, goarch = platform.split("-")
        env = {**os.environ, "CGO_ENABLED": "0", "GOOS": goos, "GOARCH": goarch, "GOFLAGS": "", "GOWORK": "off"}
        listed = subprocess.run(
            ["go", "list", "-deps", "-json=Dir,Module,GoFiles,SFiles,EmbedFiles", "./cmd/chaffinch"],
            cwd=MODULE, env=env, check=True, stdout=subprocess.PIPE, text=True,
        ).stdout  # fmt: skip
        at, decoder = 0, json.JSONDecoder()
        while at < len(listed):
            package, at = decoder.raw_decode(listed, at)
            at += 1  # the line break between two
            if package.get("Module", {}).get("Main"):
                folder = Path(package["Dir"]).relative_to(MODULE)
                names = [n for kind in ("GoFiles", "SFiles", "EmbedFiles") for n in package.get(kind, [])]
                found.update((folder / n).as_posix() for n in names)
    return sorted(found)


def sdist(out: Path) -> Path:
    """Write the source archive into a folder and return its path."""
    base = f"chaffinch-{version()}"
    files = {"PKG-INFO": metadata().encode(), "LICENSE": (MODULE / "LICENSE").read_bytes(), "NOTICE": (MODULE / "NOTICE").read_bytes()}
    for name in ("backend.py", "pyproject.toml", "README.md"):
        files[name] = (HERE / name).read_bytes()
    files |= {f"src/{n}": p.read_bytes() for n, p in sources().items()}
    files |= {f"tests/{p.name}": p.read_bytes() for p in sorted((HERE / "tests").glob("*.py"))}
    files |= {f"go/{n}": (MODULE / n).read_bytes() for n in go_files()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mtime, entry.mode = len(files[name]), 315532800, 0o644  # 1980, as in the wheels
            tar.addfile(entry, io.BytesIO(files[name]))
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{base}.tar.gz"
    with path.open("wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as z:
        z.write(packed.getvalue())
    return path


# The hooks of PEP 517 and PEP 660.


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """Build a wheel for this machine."""
    return wheel(Path(wheel_directory)).name


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """Build a wheel that points to the sources."""
    return wheel(Path(wheel_directory), editable=True).name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Build the source archive."""
    return sdist(Path(sdist_directory)).name


def main() -> None:
    """Build what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=HERE / "dist", help="folder of what is built; default: dist")
    parser.add_argument("--platform", action="append", choices=list(PLATFORMS), help="default: that of this machine")
    parser.add_argument("--all", action="store_true", help="wheels for all platforms")
    parser.add_argument("--sdist", action="store_true", help="the source archive too")
    parser.add_argument("--program", type=Path, help="take this program, built before, for the one platform")
    parser.add_argument("--taggers", type=Path, help="write only the wheel of the package chaffinch-taggers, with this file")
    args = parser.parse_args()
    if args.taggers:
        path = taggers_wheel(args.out, args.taggers)
        print(f"{path} {path.stat().st_size / 1e6:.1f} MB")
        return
    for platform in list(PLATFORMS) if args.all else args.platform or [host()]:
        path = wheel(args.out, platform, args.program, release=True)
        print(f"{path} {path.stat().st_size / 1e6:.1f} MB")
    if args.sdist:
        path = sdist(args.out)
        print(f"{path} {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
