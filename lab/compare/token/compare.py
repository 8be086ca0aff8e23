"""Scores tokenisers and sentence splitters on treebanks in CoNLL-U.

Each argument is a file whose name begins with its language (de_gsd-ud-dev.conllu).
The text is that of the tokens; a new paragraph or document begins a text. Where
the words of a multiword token, put together, are the token, they count as
tokens. A token or a sentence is right if both of its ends are. For each file and
system: F of tokens, F of sentences, processor time in thousands of tokens a second.
"""

import argparse
import html
import os
import resource
import subprocess
import sys
import time


def treebank(path):
    """Returns texts as (text, token spans, sentence spans)."""
    texts, text, tokens, sentences = [], "", [], []

    def flush():
        nonlocal text, tokens, sentences
        if sentences:
            texts.append((text, tokens, sentences))
        text, tokens, sentences = "", [], []

    for block in open(path, encoding="utf-8").read().split("\n\n"):
        start = left = None
        for line in block.split("\n"):
            if line.startswith(("# newpar", "# newdoc")):
                flush()
            if not line or line[0] == "#":
                continue
            f = line.split("\t")
            if "." in f[0]:
                continue
            space = "SpaceAfter=No" not in f[9]
            if "-" in f[0]:
                a, b = map(int, f[0].split("-"))
                left, form, parts, whole_space = b - a + 1, f[1], [], space
                continue
            if left:
                parts.append(f[1])
                left -= 1
                if left:
                    continue
                if "".join(parts) != form:
                    parts = [form]
                space = whole_space
            else:
                parts = [f[1]]
            for p in parts:
                if start is None:
                    start = len(text)
                tokens.append((len(text), len(text) + len(p)))
                text += p
            end = len(text)
            if space:
                text += " "
        if start is not None:
            sentences.append((start, end))
    flush()
    return texts


def spans(text, pieces):
    """Finds pieces, in order, in text, which may differ in white space."""
    out, at = [], 0
    for p in pieces:
        p = p.strip()
        if not p:
            continue
        i = text.find(p, at)
        if p in ("``", "''") and (i < 0 or '"' in text[at:i]):
            p = '"'
            i = text.find(p, at)
        if i < 0 or i - at > 200:
            continue
        out.append((i, i + len(p)))
        at = i + len(p)
    return out




def chaffinch(program, lang):
    def run(texts):
        lines = "\n".join(t.replace("\n", " ") for t in texts) + "\n"
        out = subprocess.run([program, "tokenize", "--lang", lang], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
        results, words, sents, sent = [], None, None, None
        for line in out.split("\n"):
            if line.startswith("<p"):
                words, sents = [], []
            elif line == "</p>":
                results.append((words, sents))
            elif line == "<s>":
                sent = len(words)
            elif line == "</s>":
                sents.append((sent, len(words)))
            elif line and not line.startswith("<"):
                words.append(html.unescape(line))
        return [(spans(t, w), [(a, b) for a, b in s]) for t, (w, s) in zip(texts, results)]

    def fixed(texts):
        return [(w, [(w[a][0], w[b - 1][1]) for a, b in s]) for w, s in run(texts)]

    return fixed


def systems(lang, program):
    yield "chaffinch", chaffinch(program, lang)
    import sacremoses

    moses = sacremoses.MosesTokenizer(lang)
    yield "sacremoses", lambda texts: [(spans(t, moses.tokenize(t, escape=False)), None) for t in texts]
    import spacy

    try:
        nlp = spacy.blank(lang)
        nlp.max_length = 10**8
        nlp.add_pipe("sentencizer")

        def run_spacy(texts):
            out = []
            for t in texts:
                d = nlp(t)
                toks = [(x.idx, x.idx + len(x)) for x in d if not x.is_space]
                out.append((toks, [(s.start_char + len(s.text) - len(s.text.lstrip()), s.start_char + len(s.text.rstrip())) for s in d.sents]))
            return out

        yield "spacy-blank", run_spacy
    except ImportError:
        pass
    if lang in ("en", "de", "es"):
        from syntok.tokenizer import Tokenizer
        import syntok.segmenter as seg

        tok = Tokenizer()

        def run_syntok(texts):
            out = []
            for t in texts:
                toks = list(tok.tokenize(t))
                sents = [list(s) for s in seg.split(iter(toks))]
                out.append(([(x.offset, x.offset + len(x.value)) for x in toks], [(s[0].offset, s[-1].offset + len(s[-1].value)) for s in sents if s]))
            return out

        yield "syntok", run_syntok
    if lang == "en":
        from nltk.tokenize import NLTKWordTokenizer

        nltk_tok = NLTKWordTokenizer()
        yield "nltk-words", lambda texts: [(list(nltk_tok.span_tokenize(t)), None) for t in texts]
    try:
        import pysbd

        sbd = pysbd.Segmenter(language=lang, clean=False)
        yield "pysbd", lambda texts: [(None, spans(t, sbd.segment(t))) for t in texts]
    except (ValueError, KeyError):
        pass
    try:
        from sentence_splitter import SentenceSplitter

        moses_split = SentenceSplitter(language=lang)
        yield "sentence-splitter", lambda texts: [(None, spans(t, moses_split.split(t))) for t in texts]
    except Exception:
        pass


def cpu():
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--program", default="chaffinch", help="chaffinch itself")
    arguments.add_argument("--skip", default="", help="systems to leave out, with commas")
    args = arguments.parse_args()
    print(f"{'file':32} {'system':18} {'tokens':>7} {'sent.':>7} {'k tokens/s':>11}")
    for path in args.files:
        name = os.path.basename(path)
        texts = treebank(path)
        gold_tokens = sum(len(t[1]) for t in texts)
        for system, run in systems(name.split("_")[0], args.program):
            if system in args.skip.split(","):
                continue
            began = cpu()
            try:
                results = run([t[0] for t in texts])
            except Exception as error:  # a rival that fails on a text
                print(f"{name:32} {system:18} failed: {error}")
                continue
            took = cpu() - began
            figures = []
            for k in (0, 1):
                if any(r[k] is None for r in results):
                    figures.append("-")
                    continue
                hits = gold = found = 0
                for t, r in zip(texts, results):
                    g, s = set(t[k + 1]), set(r[k])
                    hits, gold, found = hits + len(g & s), gold + len(g), found + len(s)
                figures.append(f"{200 * hits / max(1, gold + found):.2f}")
            print(f"{name:32} {system:18} {figures[0]:>7} {figures[1]:>7} {gold_tokens / max(took, 1e-9) / 1000:11.0f}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
