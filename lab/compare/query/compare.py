"""Asks Chaffinch, CWB and BlackLab the same queries in turn and prints tables: see run.sh.

Each system is one process that answers from standard input. In each round all systems are asked a query one after another,
in another order each time. Wall time is measured here; processor time is of all threads of the process."""

import argparse
import pathlib
import statistics
import subprocess
import sys
import time

p = argparse.ArgumentParser()
for name in ("work", "query", "cwb", "classes", "heap", "queries"):
    p.add_argument("--" + name, required=True)
p.add_argument("--rounds", type=int, default=7)
a = p.parse_args()
work = pathlib.Path(a.work)
SORT = "sort A by word %c on matchend[1] .. matchend[8];"


class System:
    def __init__(self, *command, env=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8", bufsize=1)

    def ask(self, operation, cql):
        print(f"{operation}\t{cql}", file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()

    def used(self):
        """Processor seconds of all threads."""
        total = 0
        for f in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"):
            try:
                total += int(f.read_text().split()[0])
            except OSError:  # the thread has ended
                pass
        return total / 1e9

    def peak(self):
        """Peak memory in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6


class CQP(System):
    """CQP answers nothing that marks the end of an output, so a line is printed after it."""

    def __init__(self):
        super().__init__(f"{a.cwb}/cqp", "-c", "-r", str(work / "cwb-registry"))
        self.process.stdout.readline()  # version
        self.run("CORPUS; set Context 8 words;")

    def run(self, commands):
        print(commands + "\n.EOL.;", file=self.process.stdin, flush=True)
        lines = []
        for line in self.process.stdout:
            if line.startswith("-::-EOL-::-"):
                return lines
            lines.append(line.rstrip("\n"))
        sys.exit(f"CQP ended: {commands}")

    def ask(self, operation, cql):
        find = f"A = {cql};"
        if operation == "count":
            return self.run(find + " size A;")[-1]
        if operation == "sort":
            return self.run(f"{find} {SORT} cat A 0 19; size A;")[-1]
        return str(len(self.run(f"{find} count A by word on match .. matchend;")))


def size(folder):
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6


print("| index | wall s | processor s | peak memory MB | index MB |\n|---|---|---|---|---|")
for name, title in ("chaffinch", "Chaffinch"), ("cwb", "CWB"), ("blacklab", f"BlackLab, heap at most {a.heap}"):
    steps = [[float(x) for x in line.split()] for line in (work / f"{name}.time").read_text().splitlines()]
    wall, cpu, kb = sum(s[0] for s in steps), sum(s[1] + s[2] for s in steps), max(s[3] for s in steps)
    print(f"| {title} | {wall:.0f} | {cpu:.1f} | {kb * 1024 / 1e6:.0f} | {size(work / name):.0f} |")

systems = {
    "Chaffinch": System(a.query, str(work / "chaffinch")),
    "CWB": CQP(),
    "BlackLab": System("java", "-Xmx" + a.heap, "-cp", a.classes, "QueryRun", "query", str(work / "blacklab")),
}
print("\n| query | CQL | hits or texts | " + " | ".join(f"{n}, processor ms | wall ms" for n in systems) + " |")
print("|---" * (3 + 2 * len(systems)) + "|")
notes, differ = [], 0
for line in pathlib.Path(a.queries).read_text(encoding="utf-8").splitlines():
    if line[0] == "#":
        continue
    operation, kind, cql, cqp, blacklab, why = (line.split("\t") + [""] * 4)[:6]
    asked = {"Chaffinch": cql, "CWB": cqp or cql, "BlackLab": blacklab or cql}
    answers, cpu, wall = {}, {n: [] for n in systems}, {n: [] for n in systems}
    for i in range(a.rounds + 1):  # the first round is not measured
        names = list(systems)
        for n in names[i % 3 :] + names[: i % 3]:
            s = systems[n]
            before, began = s.used(), time.perf_counter()
            answers[n] = s.ask(operation, asked[n])
            if i > 0:
                wall[n].append((time.perf_counter() - began) * 1e3)
                cpu[n].append((s.used() - before) * 1e3)
    if len(set(answers.values())) > 1:
        differ += not why
        notes.append(f"- {kind}: " + ", ".join(f"{n} {x}" for n, x in answers.items()) + f". {why or 'Not explained.'}")
    cells = [f"{statistics.median(cpu[n]):.1f} | {min(wall[n]):.1f}" for n in systems]
    shown = f"`{cql}`".replace("|", "\\|")
    print(f"| {kind} | {shown} | {answers['Chaffinch']} | " + " | ".join(cells) + " |", flush=True)
print("\nPeak memory MB of the processes: " + ", ".join(f"{n} {s.peak():.0f}" for n, s in systems.items()))
print("\n" + "\n".join(notes))
sys.exit(1 if differ else 0)
