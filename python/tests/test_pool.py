"""Processes that die, forks, threads, signals and early ends."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import chaffinch
from chaffinch._pool import Pool, default_pool
from chaffinch._worker import Died, Request, Worker
from pages import ARTICLE, numbered

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals and forks")


def python(code: str, **more):
    """Run a Python program of its own."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False, **more)


def gone(pid: int) -> bool:
    """Tell whether a process ends within ten seconds."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as f:
                if f.read().split()[2] == "Z":  # dead, and nobody waits for it here
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@posix
def test_killed_while_idle():
    with Pool(1) as pool:
        ask = Request(b"GET /v1/about", b"")
        assert pool.call(ask).status == 200
        (worker,) = pool._idle
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
        assert pool.call(ask).status == 200
        assert pool._idle[0] is not worker


@posix
def test_killed_while_many_run():
    n, kills = 400, 12
    pool = chaffinch.cleaning._sized_pool(2)
    stop = threading.Event()
    killed = []

    def kill():
        while not stop.wait(0.02) and len(killed) < kills:
            for worker in list(pool._lent):
                killed.append(worker.process.pid)
                os.kill(worker.process.pid, signal.SIGKILL)
                break

    thread = threading.Thread(target=kill)
    thread.start()
    docs = list(chaffinch.clean_many((chaffinch.Page(numbered(i), id=str(i)) for i in range(n)), workers=2))
    stop.set()
    thread.join()
    assert killed
    assert [d.id for d in docs] == [str(i) for i in range(n)]
    for i, d in enumerate(docs):  # each answered once: with its text, or with what happened
        assert f"number {i} " in d.text or "workers died" in d.error


@posix
def test_what_kills_three_is_reported(tmp_path, monkeypatch):
    fake = tmp_path / "chaffinch"
    fake.write_text("#!/bin/sh\necho 'out of memory' >&2\nexit 9\n")
    fake.chmod(0o755)
    monkeypatch.setenv("CHAFFINCH_PROGRAM", str(fake))
    with Pool(1) as pool, pytest.raises(chaffinch.WorkerDied, match="exit code 9: out of memory"):
        pool.call(Request(b"GET /", b""))
    with Pool(2) as pool:
        found = list(pool.map(range(5), lambda _: Request(b"GET /", b"")))
    assert [i for i, _ in found] == list(range(5))
    assert all(isinstance(a, chaffinch.WorkerDied) for _, a in found)


@posix
def test_nonsense_is_no_answer(tmp_path, monkeypatch):
    fake = tmp_path / "chaffinch"
    fake.write_text("#!/bin/sh\nprintf 'Hello, who is there, and what for?'\ncat >/dev/null\n")
    fake.chmod(0o755)
    monkeypatch.setenv("CHAFFINCH_PROGRAM", str(fake))
    worker = Worker()
    worker.send(Request(b"GET /", b""))
    worker.process.stdin.close()
    with pytest.raises(Died):
        worker.receive()


def test_bad_frames_are_answered():
    with Pool(1) as pool:
        assert pool.call(Request(b"PUT /v1/clean", b"x")).status == 400
        answer = pool.call(Request(b"POST /v1/clean\nContent-Type: text/html", b"x" * (33 << 20)))
        assert answer.status == 413
        assert "at most 33554432" in json.loads(answer.body)["detail"]
        assert pool.call(Request(b"GET /healthz", b"")).body == b"ok\n"
    big = b"<p>" + b"The ferry leaves at nine. " * (34 << 16)
    assert chaffinch.clean(big).cut or chaffinch.clean(big).drop  # as the command, which reads 32 MiB of a page


def test_threads():
    texts, errors = {}, []

    def work(n):
        try:
            for i in range(10):
                texts[n, i] = chaffinch.extract(numbered(100 * n + i))
        except Exception as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors
    assert all(f"number {100 * n + i} " in text for (n, i), text in texts.items())
    assert len(texts) == 80


def test_closed():
    pool = Pool(1)
    pool.call(Request(b"GET /healthz", b""))
    process = pool._idle[0].process
    pool.close()
    assert process.poll() == 0
    with pytest.raises(chaffinch.ChaffinchError, match="closed"):
        pool.call(Request(b"GET /healthz", b""))
    with pytest.raises(ValueError, match="at least 1"):
        Pool(0)


def _in_child(n):
    return os.getpid(), [w.process.pid for w in default_pool()._idle], chaffinch.extract(numbered(n))


@posix
def test_forks():
    chaffinch.extract(ARTICLE)
    mine = [w.process.pid for w in default_pool()._idle]
    assert mine
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for _, theirs, text in pool.map(_in_child, range(6)):
            assert not set(mine) & set(theirs)
            assert "Boat number" in text
    assert chaffinch.extract(ARTICLE)
    assert [w.process.pid for w in default_pool()._idle] == mine


@posix
def test_closes_its_files():
    """Python's development mode reports files that are left open, or closed twice in the child of a fork."""
    code = """
        import multiprocessing, os, signal, chaffinch
        from chaffinch._pool import default_pool
        page = b"<p>The ferry leaves at nine in the morning, and comes back at six.</p>"
        chaffinch.extract(page)
        with multiprocessing.get_context("fork").Pool(1) as pool:
            assert pool.map(chaffinch.extract, [page])[0]
        os.kill(default_pool()._idle[0].process.pid, signal.SIGKILL)
        print(chaffinch.extract(page) is not None)
    """
    done = python(code, env={**os.environ, "PYTHONDEVMODE": "1"})
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_spawned():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert "number 3 " in pool.map(_in_child, [3])[0][2]


@posix
@pytest.mark.parametrize(("end", "code"), [
    ("", 0), ("raise SystemExit(3)", 3), ("os._exit(4)", 4), ("os.kill(os.getpid(), signal.SIGKILL)", -9),
    ("os.kill(os.getpid(), signal.SIGTERM)", -15),
])  # fmt: skip
def test_processes_end_with_python(end, code):
    done = python(f"""
        import os, signal, chaffinch
        from chaffinch._pool import default_pool
        found = chaffinch.extract_many([b"<p>The ferry leaves at nine in the morning, and comes back."] * 50)
        next(found)
        pool = default_pool()
        print(*[w.process.pid for w in [*pool._idle, *pool._lent]], flush=True)
        {end}
    """)
    assert done.returncode == code, done.stderr
    pids = [int(p) for p in done.stdout.split()]
    assert pids
    assert all(gone(p) for p in pids)


@posix
def test_interrupt():
    """Ctrl-C goes to Python and its processes alike: Python has the exception, and can go on."""
    code = """
        import os, signal, threading, time, chaffinch
        signal.signal(signal.SIGINT, signal.default_int_handler)
        page = b"<p>The ferry leaves at nine in the morning, and comes back at six.</p>"
        chaffinch.extract(page)
        threading.Timer(0.3, lambda: os.killpg(os.getpgrp(), signal.SIGINT)).start()
        try:
            while True:
                for _ in chaffinch.extract_many([page] * 100):
                    pass
        except KeyboardInterrupt:
            print("heard", chaffinch.extract(page) is not None)
    """
    done = python(code, start_new_session=True)
    assert done.stdout == "heard True\n", done.stderr
