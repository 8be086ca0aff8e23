"""Runs a command and prints its wall time, processor time and memory with all its child processes.

    python3 measure.py COMMAND...

Processor time is the sum over all processes that lived for at least a tenth of a second. Memory is the
highest sum of proportional set sizes."""

import os
import subprocess
import sys
import time

TICKS = os.sysconf("SC_CLK_TCK")


def processes():
    """Returns the parent and the processor time in seconds of each process."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    return found


def memory(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as f:
            return sum(int(line.split()[1]) for line in f if line.startswith("Pss:")) << 10
    except OSError:
        return 0


def main():
    start = time.monotonic()
    child = subprocess.Popen(sys.argv[1:])
    cpu, peak, mine = {}, 0, {child.pid}
    while child.poll() is None:
        found = processes()
        grown = True
        while grown:
            new = {p for p, (parent, _) in found.items() if parent in mine} - mine
            mine |= new
            grown = bool(new)
        cpu.update({p: found[p][1] for p in mine if p in found})
        peak = max(peak, sum(memory(p) for p in mine if p in found))
        time.sleep(0.1)
    print(f"wall {time.monotonic() - start:.1f} s, processor {sum(cpu.values()):.1f} s, memory {peak / 1e6:.0f} MB", file=sys.stderr)
    sys.exit(child.returncode)


main()
