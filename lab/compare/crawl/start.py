#!/usr/bin/env python3
"""Measures by the clock how long a crawl with many seeds takes to its first request, at its
beginning and when it is resumed, and how long it takes to stop while no server answers.

  start.py CHAFFINCH [SEEDS]      # 100,000 seeds unless told otherwise

The seeds are hosts of the loopback network, on which a listener takes connections and never
answers. Prints seconds by the clock, and the processor seconds of each run."""

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time


def run(program, folder, seeds, listener):
    """Return the seconds to the first connection, to the end after SIGTERM, and of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    command = [program, "crawl", seeds, "-q", "--allow-private", "--contact", "start@example.org", "--delay", "0s", "-o", folder]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    held = [listener.accept()[0]]
    first = time.monotonic() - began
    listener.setblocking(False)
    until = time.monotonic() + 3  # let it have as many requests as it may
    while time.monotonic() < until:
        try:
            held.append(listener.accept()[0])
        except BlockingIOError:
            time.sleep(0.01)
    listener.setblocking(True)
    process.send_signal(signal.SIGTERM)
    asked = time.monotonic()
    process.wait()
    stopped = time.monotonic() - asked
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    for c in held:
        c.close()
    return first, stopped, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, len(held)


def drain(listener):
    """Close the connections that wait."""
    listener.setblocking(False)
    try:
        while True:
            listener.accept()[0].close()
    except BlockingIOError:
        listener.setblocking(True)


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with socket.create_server(("0.0.0.0", 0), backlog=1024) as listener, tempfile.TemporaryDirectory() as folder:
        port = listener.getsockname()[1]
        seeds = os.path.join(folder, "seeds.txt")
        with open(seeds, "w", encoding="ascii") as f:
            for i in range(count):
                f.write(f"http://127.{1 + i // 62500}.{i // 250 % 250}.{1 + i % 250}:{port}/\n")
        print("run      first request  stop    processor  requests")
        for name in ("begun", "resumed", "resumed"):
            first, stopped, used, requests = run(program, os.path.join(folder, "crawl"), seeds, listener)
            print(f"{name:8} {first:11.2f} s  {stopped:4.2f} s  {used:7.2f} s  {requests:8}")
            drain(listener)


if __name__ == "__main__":
    main()
