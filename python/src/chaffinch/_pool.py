"""A pool of worker processes: one per processor, started on demand.

A process that dies is replaced, and its requests are retried; a request that kills three processes raises
:class:`~chaffinch.errors.WorkerDied`. After a fork the child starts separate processes.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from ._worker import Answer, Died, Request, Worker
from .errors import ChaffinchError, Fault, RequestError, WorkerDied

T = TypeVar("T")

_DEPTH = 3  # requests that a process has at once: it reads two ahead of the one that it answers, so that it need not wait.
# With more, it could wait until its answer is read, and this side until its request is
_TRIES = 3  # processes that may die on a page
_AHEAD = 8  # requests for each process that may be open before the first is taken


def processors() -> int:
    """Return the number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Pool:
    """A pool of processes ``chaffinch worker``. Safe for threads and forks.

    ``workers`` is the maximum number of processes, None for one per processor; ``arguments`` are passed to
    ``chaffinch worker``. The pool is a context manager; otherwise its processes end with this process.
    """

    def __init__(self, workers: int | None = None, arguments: tuple[str, ...] = ()) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"workers={workers}: wanted at least 1")
        self.size = workers or processors()
        self.arguments = arguments
        self._reset()
        _pools.add(self)

    def _reset(self) -> None:
        self._idle: list[Worker] = []
        self._lent: set[Worker] = set()
        self._free = threading.Condition()
        self._closed = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Pool, (self.size, self.arguments)

    def take(self) -> Worker:
        """Return an idle process; wait if all are in use."""
        with self._free:
            while True:
                if self._closed:
                    raise ChaffinchError("the pool is closed")
                if self._idle:
                    worker = self._idle.pop()
                    if worker.process.poll() is not None:  # killed while it had nothing to do
                        worker.kill()
                        continue
                    break
                if len(self._lent) < self.size:
                    worker = Worker(self.arguments)
                    break
                self._free.wait()
            self._lent.add(worker)
            return worker

    def give(self, worker: Worker, usable: bool = True) -> None:
        """Return a process to the pool; end it if it is not usable."""
        if not usable:
            worker.kill()
        with self._free:
            if worker not in self._lent:  # of before a fork
                return
            self._lent.discard(worker)
            if usable and not self._closed:
                self._idle.append(worker)
            elif usable:
                worker.close()
            self._free.notify()

    def call(self, request: Request) -> Answer:
        """Send a request and return its response, regardless of the status."""
        died = ""
        for _ in range(_TRIES):
            worker = self.take()
            usable = False  # an interrupted one has an answer under way
            try:
                worker.send(request)
                answer = worker.receive()
                usable = True
                return answer
            except Died as e:
                died = str(e)
            finally:
                self.give(worker, usable)
        raise WorkerDied(f"{_TRIES} workers died on one page, {died}")

    def map(self, items: Iterable[T], ask: Callable[[T], Request]) -> Iterator[tuple[T, Answer | ChaffinchError]]:
        """Send a request for every item, on all processes; yield items and responses in order.

        Items are read as they are needed, at most a few for each process ahead of what is yielded.
        """
        jobs: SimpleQueue[_Job[T] | None] = SimpleQueue()
        done: SimpleQueue[_Job[T]] = SimpleQueue()
        lanes = 0
        open_: deque[_Job[T]] = deque()
        rest = iter(items)
        more = True
        try:
            while True:
                while more and len(open_) < _AHEAD * self.size:
                    try:
                        item = next(rest)
                    except StopIteration:
                        more = False
                        break
                    job = _Job(item, ask(item))
                    open_.append(job)
                    jobs.put(job)
                    if lanes < self.size and lanes < len(open_):
                        lanes += 1
                        threading.Thread(target=_lane, args=(self, jobs, done), name="chaffinch", daemon=True).start()
                if not open_:
                    return
                first = open_[0]
                while first.answer is None:
                    with contextlib.suppress(Empty):
                        done.get(timeout=1)  # a time, so that Ctrl-C is heard on Windows too
                open_.popleft()
                yield first.item, first.answer
        finally:
            with contextlib.suppress(Empty):
                while True:
                    jobs.get_nowait()
            for _ in range(lanes):
                jobs.put(None)

    def close(self) -> None:
        """End all processes."""
        with self._free:
            self._closed = True
            idle, lent = self._idle, list(self._lent)
            self._idle = []
            self._free.notify_all()
        for worker in idle:
            with contextlib.suppress(OSError):
                worker.hang_up()
        for worker in idle:
            worker.close()
        for worker in lent:
            with contextlib.suppress(OSError):
                worker.process.kill()

    def forget(self) -> None:
        """Forget the processes of the parent after a fork."""
        for worker in [*self._idle, *self._lent]:
            worker.forget()
        self._reset()


class _Job(Generic[T]):
    __slots__ = ("answer", "item", "request", "tries")

    def __init__(self, item: T, request: Request) -> None:
        self.item = item
        self.request = request
        self.tries = 0
        self.answer: Answer | ChaffinchError | None = None


def _lane(pool: Pool, jobs: SimpleQueue[_Job[T] | None], done: SimpleQueue[_Job[T]]) -> None:
    """Run jobs on one process until None arrives. A process is held only while there is a job."""
    again: deque[_Job[T]] = deque()  # of a process that died
    sent: deque[_Job[T]] = deque()
    worker: Worker | None = None
    more = True

    def end(job: _Job[T], answer: Answer | ChaffinchError) -> None:
        job.answer = answer
        done.put(job)

    def following() -> _Job[T] | None:
        """Return the next job, None if there is none now."""
        nonlocal worker, more
        if again:
            return again.popleft()
        job: _Job[T] | None = None
        try:
            job = jobs.get_nowait()
        except Empty:
            if sent:
                return None
            if worker is not None:
                pool.give(worker)
                worker = None
            job = jobs.get()
        more = job is not None
        return job

    try:
        while more or again or sent:
            try:
                while len(sent) < _DEPTH and (more or again):
                    job = following()
                    if job is None:
                        break
                    sent.append(job)
                    worker = worker or pool.take()
                    worker.send(job.request)
                if worker is not None and sent:
                    answer = worker.receive()
                    end(sent.popleft(), answer)
            except Died as e:
                if worker is not None:
                    pool.give(worker, usable=False)
                worker = None
                sent[0].tries += 1
                if sent[0].tries >= _TRIES:
                    end(sent.popleft(), WorkerDied(f"{_TRIES} workers died on one page, {e}"))
                again.extendleft(reversed(sent))
                sent.clear()
    except BaseException as e:
        if worker is not None:
            pool.give(worker, usable=False)
            worker = None
        error = e if isinstance(e, ChaffinchError) else ChaffinchError(f"{type(e).__name__}: {e}")
        for job in [*sent, *again]:
            end(job, error)
        while more:
            job = jobs.get()
            if job is None:
                more = False
            else:
                end(job, error)
    finally:
        if worker is not None:
            pool.give(worker)


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for pool in list(_pools):
        pool.close()


def _forget_all() -> None:
    for pool in list(_pools):
        pool.forget()
    global _default_lock
    _default_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)

_default: Pool | None = None
_default_lock = threading.Lock()


def default_pool() -> Pool:
    """Return the default pool of this process, with one worker per processor."""
    global _default
    with _default_lock:
        if _default is None or _default._closed:
            _default = Pool()
        return _default


def checked(answer: Answer | ChaffinchError) -> Answer:
    """Return a successful response, or raise an error with the program's message."""
    if isinstance(answer, ChaffinchError):
        raise answer
    if answer.status >= 400:
        raise failure(answer)
    return answer


def failure(answer: Answer) -> ChaffinchError:
    """Return the error of a response."""
    try:
        problem: dict[str, Any] = json.loads(answer.body)
        words = problem.get("detail") or problem.get("title") or ""
        errors: list[dict[str, str]] = problem.get("errors") or []
        details = [e.get("message", "") for e in errors]
        words = "; ".join(dict.fromkeys(w for w in [words, *details] if w and (w == words or w not in words)))
        if hint := problem.get("hint"):
            words += f": {hint}"
    except ValueError:
        words = answer.body[:200].decode("utf-8", "replace")
    if answer.status >= 500:
        return Fault(words)
    return RequestError(words, answer.status)
