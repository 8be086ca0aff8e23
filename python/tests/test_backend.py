"""How wheels are written. Their programs are not built here."""

import importlib.util
import stat
import zipfile
import zlib
from pathlib import Path

import pytest

BACKEND = Path(__file__).resolve().parent.parent / "backend.py"


@pytest.fixture(scope="module")
def backend():
    spec = importlib.util.spec_from_file_location("backend", BACKEND)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FILES = [("a/__init__.py", b"x = 1\n" * 1000, 0o644), ("a/empty", b"", 0o644), ("a/bin/run", bytes(range(256)) * 300, 0o755)]


@pytest.mark.parametrize("packer", ["zlib_pack", "small_pack"])
def test_write_zip(backend, tmp_path, packer):
    if packer == "small_pack":
        pytest.importorskip("deflate")
        pack = backend.small_pack()
    else:
        pack = backend.zlib_pack
    path = tmp_path / "a.zip"
    backend.write_zip(path, FILES, pack)
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None
        assert z.namelist() == [name for name, _, _ in FILES]
        for name, data, mode in FILES:
            assert z.read(name) == data
            entry = z.getinfo(name)
            assert entry.external_attr >> 16 == stat.S_IFREG | mode
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)
            assert entry.create_system == 3
            assert entry.compress_type == zipfile.ZIP_DEFLATED
            assert entry.compress_size == len(pack(data))


def test_write_zip_as_zipfile(backend, tmp_path):
    """The zip is the one of Python's module, to the byte."""
    backend.write_zip(tmp_path / "a.zip", FILES, backend.zlib_pack)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as z:
        for name, data, mode in FILES:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | mode) << 16
            z.writestr(entry, data, compresslevel=9)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_small_pack_is_small(backend):
    pytest.importorskip("deflate")
    data = BACKEND.read_bytes()
    packed = backend.small_pack()(data)
    assert zlib.decompress(packed, -15) == data
    assert len(packed) < len(backend.zlib_pack(data))


def test_taggers_wheel(backend, tmp_path):
    (tmp_path / "x.chf").write_bytes(b"models")
    path = backend.taggers_wheel(tmp_path / "dist", tmp_path / "x.chf")
    info = f"chaffinch_taggers-{backend.version()}.dist-info"
    with zipfile.ZipFile(path) as z:
        assert z.read("chaffinch/bin/chaffinch-taggers.chf") == b"models"
        assert f"Requires-Dist: chaffinch=={backend.version()}\n".encode() in z.read(f"{info}/METADATA")
        assert [line.split(",")[0] for line in z.read(f"{info}/RECORD").decode().splitlines()] == z.namelist()
