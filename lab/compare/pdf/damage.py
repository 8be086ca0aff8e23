"""Writes 1,000 damaged copies of PDF files: python damage.py OUT FILE.pdf...

Every fourth is cut off, has other bytes, lacks parts, or has other numbers.
"""
import os, random, re, sys

KINDS = "cut", "bytes", "parts", "numbers"


def damage(rng, kind, raw):
    b = bytearray(raw)
    if kind == "cut":
        return b[:rng.randrange(len(b) // 10, len(b))]
    if kind == "bytes":
        for _ in range(rng.randrange(1, 60)):
            b[rng.randrange(len(b))] = rng.randrange(256)
    elif kind == "parts":
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(b))
            del b[at:at + rng.randrange(1, 2000)]
    else:
        numbers = list(re.finditer(rb"\d+", raw))
        for m in rng.sample(numbers, min(8, len(numbers))):
            width = m.end() - m.start()
            b[m.start():m.end()] = str(rng.choice([0, 1, -1, 2**31, 99999999, 65536])).encode()[:width].ljust(width)
    return b


def main(out, *files):
    rng = random.Random(7)
    os.makedirs(out, exist_ok=True)
    files = sorted(f for f in files if 500 < os.path.getsize(f) < 400_000)
    for n in range(1000):
        kind = KINDS[n % 4]
        with open(files[n % len(files)], "rb") as f:
            raw = f.read()
        with open(f"{out}/{n:04}-{kind}.pdf", "wb") as f:
            f.write(damage(rng, kind, raw))


main(*sys.argv[1:])
