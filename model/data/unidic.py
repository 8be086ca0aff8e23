"""Prints the words of a compiled MeCab dictionary, the N with the lowest costs,
cheapest first: unidic.py sys.dic N."""
import array
import struct
import sys

HEADER = 72  # ten numbers, the name of the encoding


def words(path):
    """Yields cost and bytes of each word, by a walk through the double array."""
    data = open(path, "rb").read()
    sizes = struct.unpack("<10I", data[:40])
    trie_size, token_size = sizes[6], sizes[7]
    numbers = data[HEADER : HEADER + trie_size]
    base, check = array.array("i", numbers)[0::2], array.array("I", numbers)[1::2]
    tokens = data[HEADER + trie_size : HEADER + trie_size + token_size]
    children = {}
    for at, parent in enumerate(check):
        children.setdefault(parent, []).append(at)
    stack = [(base[0], b"")]
    while stack:
        node, prefix = stack.pop()
        for at in children.get(node, ()):
            if at == node and base[at] < 0:
                first, count = -base[at] - 1 >> 8, -base[at] - 1 & 0xFF
                yield min(struct.unpack_from("<HHHh", tokens, 16 * (first + i))[3] for i in range(count)), prefix
            elif node < at <= node + 256 and base[at] >= 0:
                stack.append((base[at], prefix + bytes([at - node - 1])))


found = sorted(words(sys.argv[1]))
for _, word in found[: int(sys.argv[2])]:
    print(word.decode())
