"""Tokenizers of XLM-R's kind, and what Python's tokenizers library makes of texts.

  tokenizer.py testdata FOLDER        the files of this module's tests, from FOLDER/lines.txt
  tokenizer.py train OUT PIECES FILE...  tokenizer.json with SentencePiece's rule nmt_nfkc
  tokenizer.py sample N FILE...          N lines of the files, drawn with a fixed seed
  tokenizer.py encode TOKENIZER       ids of each line of the standard input; time to the standard error

A unigram model is trained by SentencePiece and written as tokenizer.json in
the form that transformers writes for XLM-R: <s> <pad> </s> <unk>, the pieces
behind SentencePiece's three, <mask>.
"""
import base64
import io
import json
import os
import random
import sys
import time

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Tokenizer

# Our own rules for the tests: what they stand for is what a table of rules
# can do, in a thousandth of the size of nmt_nfkc. Code points, old TAB new.
RULES = {
    "\u00a0": " ", "\u3000": " ", "\t": " ", "\u200b": "", "\u00ad": "", "\u0007": "",
    "\ufb01": "fi", "\u2122": "TM", "\u2026": "...", "\uff01": "!", "\u2460": "1",
    "\u0065\u0301": "\u00e9", "\u0061\u030a": "\u00e5", "\u0061\u0308": "\u00e4", "\u006f\u0308": "\u00f6",
    "\u1100\u1161": "\uac00", "\u1100\u1161\u11a8": "\uac01", "\u0e33": "\u0e4d\u0e32", "\u0915\u093c": "\u0958",
    "\uff76\uff9e": "\u30ac", "\u30ab\u3099": "\u30ac", "\u212b": "\u00c5", "\r": " ",
}
RULES.update({chr(0xFF10 + i): str(i) for i in range(10)})
RULES.update({chr(0xFF21 + i): chr(65 + i) for i in range(26)})

# Texts for what ordinary lines do not hold.
ODD = [
    "", " ", "   ", "a", " a", "a ", "  two  blanks   and three  ", "tab\there", "nbsp\u00a0here", "\u3000ideographic\u3000blank",
    "zero\u200bwidth", "soft\u00adhyphen", "bell\u0007bell", "line\r\nfeed", "line\nfeed", "cr\rcr", "next\u0085line", "para\u2029graph",
    "e\u0301te\u0301", "a\u030angstro\u0308m", "e\u0301\u0301\u0301\u0301", "\ufb01ne\u2026", "\uff21\uff22\uff23\uff10\uff11", "\u2122\u2122", "x\u2122y",
    "\u1100\u1161\u11a8\u1100\u1161", "\u0e19\u0e49\u0e33\u0e33", "\u0915\u093c\u0915\u094d\u0937\u093f", "\uff76\uff9e\uff76", "\u30ab\u3099\u30ab", "\u212b\u212b",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 family", "\U0001f1eb\U0001f1ee\U0001f1f8\U0001f1ea flags", "\u0600\u0661 number sign", "\u0600a", "a\u200d", "\u200d",
    "\u2581", "\u2581a \u2581\u2581b", "a\u2581b", "\u2581\u2581", " \u2581 ", "<s>", "</s> end", "a <mask> b", "a<mask>b", "a  <mask>  b", "<mask><mask>", "<mask", "<unk>", "<pad>x",
    "x<unk>y", "\u4e00\u9fff\u9fa0 rare", "\U0002070e\U00020731", "\u0531\u0561", "\u10d0\u10d1", "\u1200\u1203 mill", "q\u0323\u0307", "\u0130stanbul", "STRASSE \u1e9e", "\u0391\u03a3", "\u01c5",
    "TOKEN", "token", "a TOKEN b", "aTOKENb", " Word ", "Words", "Word", "a Word, b", "xWord", "[x] [X] [x]  [x]", "a  [left]  b", "a  [right]  b", "[left][right]", "\uff22\uff2f\uff38", "BOX", "\u2026 dots ...", "tOkEn",
    "\ufeffbom", "\ufffd", "a\u0000b", "\u0000", "caf\u00e9 CAF\u00c9 cafe\u0301", "1\u00a0234,56\u00a0\u20ac", "http://example.org/a?b=c&d=%20", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "\u0928\u0926\u0940 \u0915\u0947", "\u0b95\u0bcd\u0bb7 \u0bb8\u0bcd\u0bb0\u0bc0", "\u1019\u103c\u1014\u103a\u1019\u102c", "\u0d15\u0d4d\u0d37", "\u1780\u17d2\u1798", "e\u20dd", "\u0e01\u0e33\u0e01", "a\u0308\u0308b", "... so", "\u0007start", "\u1112\u1161\u11ab\u1100\u1173\u11af",
]


def train(sentences, pieces, **how):
    """Trains a unigram model; returns its pieces with scores, and the table of replacements."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=model, model_type="unigram", vocab_size=pieces, num_threads=1,
        hard_vocab_limit=False, minloglevel=2, max_sentence_length=100000, **how)
    proto = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    return [(p.piece, p.score) for p in proto.pieces], proto.normalizer_spec.precompiled_charsmap


def special(i, content, **how):
    token = {"id": i, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    token.update(how)
    return token


def xlmr(pieces, charsmap):
    """tokenizer.json of XLM-R's form; as transformers wrote it until version 4.39."""
    vocab = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]]
    vocab += [[text, score] for text, score in pieces[3:]] + [["<mask>", 0.0]]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [special(0, "<s>"), special(1, "<pad>"), special(2, "</s>"), special(3, "<unk>"), special(len(vocab) - 1, "<mask>", lstrip=True)],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True}]},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}, "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}},
        },
        "decoder": {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True},
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": False},
    }


def variants(base):
    """The same vocabulary with other steps around it, by name."""
    def change(**parts):
        t = json.loads(json.dumps(base))
        t.update(parts)
        return t

    yield "xlmr", base
    # As transformers writes it now.
    new = change(normalizer={"type": "Sequence", "normalizers": [base["normalizer"], {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
                 pre_tokenizer={"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
                 truncation={"direction": "Right", "max_length": 16, "strategy": "LongestFirst", "stride": 0},
                 padding={"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None, "pad_id": 1, "pad_type_id": 0, "pad_token": "<pad>"})
    yield "metaspace", new
    n = len(base["model"]["vocab"])
    # Byte fallback and added tokens of all kinds.
    fallback = change(normalizer={"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}, {"type": "Replace", "pattern": {"String": "..."}, "content": "\u2026"}]},
                      pre_tokenizer={"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": False},
                      truncation={"direction": "Left", "max_length": 12, "strategy": "LongestFirst", "stride": 0})
    fallback["model"]["byte_fallback"] = True
    fallback["model"]["vocab"] += [["<0x%02X>" % i, -20.0] for i in range(256)]
    n = len(fallback["model"]["vocab"])
    fallback["added_tokens"] += [
        special(n, "TOKEN", special=False), special(n + 1, "Word", single_word=True, special=False), special(n + 2, "[left]", lstrip=True), special(n + 3, "[right]", rstrip=True),
        special(n + 4, "\uff22\uff2f\uff38", normalized=True, special=False), special(n + 5, "Words", special=False)]
    yield "bytes", fallback
    lower = change(normalizer={"type": "Sequence", "normalizers": [{"type": "Strip", "strip_left": True, "strip_right": True}, {"type": "NFD"}, {"type": "StripAccents"},
                                                                   {"type": "Lowercase"}, {"type": "NFC"}, {"type": "Prepend", "prepend": "\u2581"}]},
                   pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "never"}]},
                   post_processor={"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True, "add_prefix_space": True})
    lower["added_tokens"] += [special(len(base["model"]["vocab"]), "TOKEN", normalized=True, special=False)]
    yield "lower", lower


def testdata(folder):
    with open(os.path.join(folder, "lines.txt"), encoding="utf-8") as f:
        lines = f.read().splitlines()
    rules = os.path.join(folder, "rules.tsv")
    with open(rules, "w", encoding="utf-8") as f:
        for old, new in RULES.items():
            f.write(" ".join("%X" % ord(c) for c in old) + "\t" + " ".join("%X" % ord(c) for c in new) + "\n")
    pieces, charsmap = train(lines, 700, normalization_rule_tsv=rules, character_coverage=0.98)
    os.remove(rules)
    pieces = [(text, round(score, 4)) for text, score in pieces]
    with open(os.path.join(folder, "reference.jsonl"), "w", encoding="utf-8") as out:
        for name, t in variants(xlmr(pieces, charsmap)):
            text = json.dumps(t, ensure_ascii=False, separators=(",", ":"))
            with open(os.path.join(folder, name + ".tokenizer.json"), "w", encoding="utf-8") as f:
                f.write(text + "\n")
            tok = Tokenizer.from_str(text)
            tok.no_padding()
            for line in lines + ODD:
                ids = tok.encode(line).ids
                out.write(json.dumps({"tokenizer": name, "text": line, "ids": ids}, separators=(",", ":")) + "\n")


def lines_of(paths):
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for line in f:
                if path.endswith(".jsonl"):
                    yield from json.loads(line)["text"]
                elif line.strip():
                    yield line.rstrip("\n")


def main():
    what, *rest = sys.argv[1:]
    if what == "testdata":
        testdata(rest[0])
    elif what == "train":
        out, pieces, *paths = rest
        lines = list(lines_of(paths))
        random.Random(1).shuffle(lines)
        trained, charsmap = train(lines[:200000], int(pieces), normalization_rule_name="nmt_nfkc", character_coverage=0.9995)
        for name, t in variants(xlmr(trained, charsmap)):
            with open(os.path.join(out, name + ".tokenizer.json"), "w", encoding="utf-8") as f:
                json.dump(t, f, ensure_ascii=False)
    elif what == "sample":
        count, *paths = rest
        lines = [line.replace("\n", " ") for line in lines_of(paths)]
        for line in random.Random(2).sample(lines, int(count)):
            sys.stdout.buffer.write(line.encode() + b"\n")
    elif what == "encode":
        tok = Tokenizer.from_file(rest[0])
        tok.no_padding()
        lines = sys.stdin.buffer.read().decode("utf-8").split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        begun = time.process_time()
        ids = [tok.encode(line).ids for line in lines]
        seconds = time.process_time() - begun
        for i in ids:
            print(*i)
        size = sum(len(line.encode()) + 1 for line in lines)
        print("tokenizers: %d lines, %.2f MB, %.3f s of processor, %.2f MB/s" % (len(lines), size / 1e6, seconds, size / 1e6 / seconds), file=sys.stderr)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
