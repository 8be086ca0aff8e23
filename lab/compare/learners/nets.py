"""The network of internal/recurrent in PyTorch, on tables of package rowfile: nets.py TABLE...

A projection with tanh, a bidirectional GRU, and a linear output that also sees the input; the
same initial distributions, dropout, loss, batches of windows, steps of AdamW without decay of
biases, clipping and rates. One thread. Documents are scored one by one, as the labeller does, and
in batches of 64."""

import math
import sys

import numpy as np
import torch
from rowfile import Table, timed
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Net(nn.Module):
    def __init__(self, width, shape, cfg):
        super().__init__()
        assert shape["cell"] == "gru" and shape["layers"] == 1 and shape["skip"]
        hidden, project = shape["hidden"], shape["project"]
        self.project = nn.Linear(width, project)
        self.cells = nn.GRU(project, hidden, bidirectional=True, batch_first=True)
        self.top, self.skip = nn.Linear(2 * hidden, 1), nn.Linear(width, 1, bias=False)
        self.drop_input, self.drop_hidden = nn.Dropout(cfg.get("drop_input", 0)), nn.Dropout(cfg.get("drop_hidden", 0))
        self.begin(hidden)

    def begin(self, hidden):
        for name, p in self.named_parameters():
            if "bias" in name or name.startswith("skip"):
                nn.init.zeros_(p)
            elif name.startswith("cells"):
                for gate in p.split(hidden):
                    nn.init.xavier_uniform_(gate)
            else:
                nn.init.xavier_uniform_(p)

    def forward(self, x, lengths):
        x = self.drop_input(x)
        below = self.drop_hidden(torch.tanh(self.project(x)))
        if len(lengths) > 1:
            packed = pack_padded_sequence(below, lengths, batch_first=True, enforce_sorted=False)
            above, _ = pad_packed_sequence(self.cells(packed)[0], batch_first=True)
        else:
            above, _ = self.cells(below)
        return (self.top(self.drop_hidden(above)) + self.skip(x)).squeeze(-1)


def windows(documents, size, overlap):
    """Rows to read (from, to) and, of these, rows that count (a, b)."""
    out = []
    for start, end in documents:
        if end - start <= size:
            out.append((start, end, start, end))
            continue
        for a in range(start, end, size):
            b = min(a + size, end)
            out.append((max(start, a - overlap), min(end, b + overlap), a, b))
    return out


def rate(step, steps, largest):
    warm = max(1, steps // 20)
    if step < warm:
        return largest * (step + 1) / warm
    return largest * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm))) / 2


def train(x, target, weight, documents, width, shape, cfg):
    torch.manual_seed(cfg["seed"])
    dealt = np.random.default_rng(cfg["seed"])
    net = Net(width, shape, cfg)
    decayed = [p for n, p in net.named_parameters() if "bias" not in n]
    biases = [p for n, p in net.named_parameters() if "bias" in n]
    adam = torch.optim.AdamW([{"params": decayed, "weight_decay": cfg["decay"]}, {"params": biases, "weight_decay": 0}], betas=(0.9, 0.99))
    parts = windows(documents, cfg["window"], cfg["overlap"])
    per_epoch = math.ceil(len(parts) / cfg["batch"])
    of_batch = sum(weight[a:b].sum().item() for _, _, a, b in parts) / per_epoch
    step, steps = 0, per_epoch * cfg["epochs"]
    net.train()
    for _ in range(cfg["epochs"]):
        order = dealt.permutation(len(parts))
        for k in range(0, len(order), cfg["batch"]):
            batch = [parts[i] for i in order[k : k + cfg["batch"]]]
            lengths = torch.tensor([to - start for start, to, _, _ in batch])
            values = pad_sequence([x[start:to] for start, to, _, _ in batch], batch_first=True)
            wanted = pad_sequence([target[start:to] for start, to, _, _ in batch], batch_first=True)
            counts = torch.zeros(wanted.shape)
            for i, (start, _, a, b) in enumerate(batch):
                counts[i, a - start : b - start] = weight[a:b]
            for group in adam.param_groups:
                group["lr"] = rate(step, steps, cfg["rate"])
            loss = nn.functional.binary_cross_entropy_with_logits(net(values, lengths), wanted, counts, reduction="sum") / of_batch
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), cfg["clip"])
            adam.step()
            step += 1
    return net.eval()


def score(net, x, documents, rows, batch):
    odds = np.zeros(rows)
    with torch.inference_mode():
        for k in range(0, len(documents), batch):
            some = documents[k : k + batch]
            lengths = torch.tensor([b - a for a, b in some])
            said = net(pad_sequence([x[a:b] for a, b in some], batch_first=True), lengths).numpy()
            for (a, b), z in zip(some, said):
                odds[a:b] = z[: b - a]
    return odds


def main(*folders):
    torch.set_num_threads(1)
    for folder in folders:
        table = Table(folder)
        x, target, weight = (torch.from_numpy(v) for v in (table.dense(), table.target, table.weight))
        documents = table.documents()
        for part in table.tests:
            learn = [d for d in documents if table.parts[d[0]] != part]
            test = [d for d in documents if table.parts[d[0]] == part]
            net, took = timed(lambda: train(x, target, weight, learn, table.meta["width"], table.meta["shape"], table.meta["net"]))
            rows = sum(int(b - a) for a, b in test)
            for name, batch in ("torch", 1), ("torch-batches", 64):
                score(net, x, test[:2], table.rows, batch)  # warm
                odds, scored = timed(lambda: score(net, x, test, table.rows, batch))
                table.save("nets", name, torch.__version__, part, odds, took, scored, rows)
            print(table.folder.name, part, f"{took:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
