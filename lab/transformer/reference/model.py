"""A tiny model of XLM-R's architecture with random weights, and what ONNX Runtime makes of lines.

  model.py FOLDER   writes FOLDER/tiny.onnx, tiny.head.safetensors, tiny.reference.json
                    from FOLDER/xlmr.tokenizer.json and FOLDER/lines.txt

The graph is that of XLMRobertaForSequenceClassification: embeddings of
pieces, of positions (counted from padding index + 1, for pieces that are no
padding) and of the one type; layer norm; layers of self-attention with a mask
and of a feed-forward network with GELU, each with a residual and layer norm
behind; a dense layer with tanh and a projection of the vector of <s>. Written
with the helpers of the onnx package, so that no torch is needed.
"""
import json
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

HIDDEN, HEADS, FEED, LAYERS, POSITIONS, PAD, EPS = 32, 4, 64, 2, 66, 1, 1e-5


def weights(vocabulary, seed=1):
    """Names as in a checkpoint of transformers; matrices are out x in, as torch keeps them."""
    rng = np.random.default_rng(seed)

    def draw(*shape, scale=0.2):
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    w = {
        "roberta.embeddings.word_embeddings.weight": draw(vocabulary, HIDDEN, scale=1),
        "roberta.embeddings.position_embeddings.weight": draw(POSITIONS, HIDDEN, scale=0.3),
        "roberta.embeddings.token_type_embeddings.weight": draw(1, HIDDEN),
        "roberta.embeddings.LayerNorm.weight": 1 + draw(HIDDEN),
        "roberta.embeddings.LayerNorm.bias": draw(HIDDEN),
    }
    for i in range(LAYERS):
        p = "roberta.encoder.layer.%d." % i
        for name, rows, columns in [("attention.self.query", HIDDEN, HIDDEN), ("attention.self.key", HIDDEN, HIDDEN), ("attention.self.value", HIDDEN, HIDDEN),
                                    ("attention.output.dense", HIDDEN, HIDDEN), ("intermediate.dense", FEED, HIDDEN), ("output.dense", HIDDEN, FEED)]:
            w[p + name + ".weight"] = draw(rows, columns)
            w[p + name + ".bias"] = draw(rows)
        for name in "attention.output.LayerNorm", "output.LayerNorm":
            w[p + name + ".weight"] = 1 + draw(HIDDEN)
            w[p + name + ".bias"] = draw(HIDDEN)
    for name, rows in ("dense", HIDDEN), ("out_proj", 2):
        w["classifier.%s.weight" % name] = draw(rows, HIDDEN)
        w["classifier.%s.bias" % name] = draw(rows)
    return w


class Graph:
    """Nodes and constants of a graph under construction."""

    def __init__(self):
        self.nodes, self.constants, self.n = [], {}, 0

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def op(self, kind, *inputs, name=None, **how):
        self.n += 1
        name = name or "v%d" % self.n
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **how))
        return name


def build(w):
    g = Graph()
    one, zero = g.constant("one", np.int64(1)), g.constant("zero", np.int64(0))
    axis1 = g.constant("axis1", np.int64(1))

    def linear(x, name):
        return g.op("Add", g.op("MatMul", x, g.constant(name + ".t", w[name + ".weight"].T)), g.constant(name + ".b", w[name + ".bias"]))

    def norm(x, name, out=None):
        return g.op("LayerNormalization", x, g.constant(name + ".w", w[name + ".weight"]), g.constant(name + ".b", w[name + ".bias"]), axis=-1, epsilon=EPS, name=out)

    e = "roberta.embeddings."
    # Positions: padding index + how many pieces so far, padding index for padding.
    pad = g.constant("pad", np.int64(PAD))
    real = g.op("Cast", g.op("Not", g.op("Equal", "input_ids", pad)), to=TensorProto.INT64)
    positions = g.op("Add", g.op("Mul", g.op("CumSum", real, axis1), real), pad)
    x = g.op("Add", g.op("Gather", g.constant("words", w[e + "word_embeddings.weight"]), "input_ids"),
             g.op("Gather", g.constant("positions", w[e + "position_embeddings.weight"]), positions))
    x = g.op("Add", x, g.constant("type", w[e + "token_type_embeddings.weight"][0]))
    x = norm(x, e + "LayerNorm")

    # 0 where there is a piece, very little where there is none.
    mask = g.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask = g.op("Mul", g.op("Sub", g.constant("onef", np.float32(1)), mask), g.constant("little", np.finfo(np.float32).min))
    mask = g.op("Unsqueeze", mask, g.constant("axes12", np.array([1, 2], np.int64)))
    split = g.constant("split", np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64))
    join = g.constant("join", np.array([0, 0, HIDDEN], np.int64))
    scale = g.constant("scale", np.float32(np.sqrt(HIDDEN // HEADS)))
    root2, half, onef = g.constant("root2", np.float32(np.sqrt(2))), g.constant("half", np.float32(0.5)), "onef"
    for i in range(LAYERS):
        p = "roberta.encoder.layer.%d." % i
        q, k, v = (g.op("Transpose", g.op("Reshape", linear(x, p + "attention.self." + n), split), perm=[0, 2, 1, 3]) for n in ("query", "key", "value"))
        scores = g.op("Add", g.op("Div", g.op("MatMul", q, g.op("Transpose", k, perm=[0, 1, 3, 2])), scale), mask)
        context = g.op("Transpose", g.op("MatMul", g.op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        context = linear(g.op("Reshape", context, join), p + "attention.output.dense")
        x = norm(g.op("Add", context, x), p + "attention.output.LayerNorm")
        f = linear(x, p + "intermediate.dense")
        gelu = g.op("Mul", g.op("Mul", f, half), g.op("Add", g.op("Erf", g.op("Div", f, root2)), onef))
        x = norm(g.op("Add", linear(gelu, p + "output.dense"), x), p + "output.LayerNorm", out="last_hidden_state" if i == LAYERS - 1 else None)
    first = g.op("Gather", x, zero, axis=1)
    h = g.op("Tanh", linear(first, "classifier.dense"))
    g.op("Identity", linear(h, "classifier.out_proj"), name="logits")
    del g.constants["one"]

    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        g.nodes, "tiny",
        [value("input_ids", TensorProto.INT64, ["batch", "length"]), value("attention_mask", TensorProto.INT64, ["batch", "length"])],
        [value("last_hidden_state", TensorProto.FLOAT, ["batch", "length", HIDDEN]), value("logits", TensorProto.FLOAT, ["batch", 2])],
        initializer=list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, producer_name="chaffinch")
    onnx.checker.check_model(model)
    return model


def safetensors(tensors):
    """The bytes of a safetensors file."""
    head, data = {}, b""
    for name, value in tensors.items():
        b = value.astype("<f4").tobytes()
        head[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [len(data), len(data) + len(b)]}
        data += b
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def main():
    folder = sys.argv[1]
    tok = Tokenizer.from_file(os.path.join(folder, "xlmr.tokenizer.json"))
    w = weights(tok.get_vocab_size())
    path = os.path.join(folder, "tiny.onnx")
    onnx.save(build(w), path)
    with open(os.path.join(folder, "tiny.head.safetensors"), "wb") as f:
        f.write(safetensors({k: v for k, v in w.items() if k.startswith("classifier.")}))

    with open(os.path.join(folder, "lines.txt"), encoding="utf-8") as f:
        lines = f.read().splitlines()
    tok.enable_truncation(POSITIONS - PAD - 1)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    out = []
    for line in lines:  # one by one: no padding can play a part
        ids = np.array([tok.encode(line).ids], np.int64)
        hidden, logits = session.run(["last_hidden_state", "logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        out.append({"first": [round(float(v), 6) for v in hidden[0, 0]], "mean": [round(float(v), 6) for v in hidden[0].mean(axis=0)],
                    "logits": [round(float(v), 6) for v in logits[0]]})
    with open(os.path.join(folder, "tiny.reference.json"), "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(o, separators=(",", ":")) for o in out) + "\n]\n")


if __name__ == "__main__":
    main()
