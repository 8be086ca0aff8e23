"""Compares chaffinch filter with datatrove's own filters.

Both get the same tokens and sentences: datatrove's calls of its tokenizers are
answered with those of chaffinch tokenize, in the language of each document. So
what differs, differs in the rules.

Scores of datatrove are the numbers that its filters compare with their limits: in
the place of a limit stands an object that remembers them. They are the same up to
1e-9. Decisions are those of the published limits, with the English stop words in
all languages, since datatrove has no others by default. Prints a line for each
difference, then a table.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import time

from datatrove.data import Document
from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter
from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter

EPS = 1e-9
STOP = ["the", "be", "to", "of", "and", "that", "have", "with"]

WORDS, SENTENCES = {}, {}  # of texts and lines, by language


def words(text, language):
    return WORDS[language, text]


def sentences(text, language):
    return [""] * max(1, SENTENCES[language, text])


WORD_MODULES = (gopher_quality_filter, gopher_repetition_filter, fineweb_quality_filter)
OWN_WORDS, OWN_SENTENCES = gopher_quality_filter.split_into_words, c4_filters.split_into_sentences


def use(words, sentences):
    """Has datatrove's filters split text by functions."""
    for module in WORD_MODULES:
        module.split_into_words = words
    c4_filters.split_into_sentences = sentences


use(words, sentences)


def lines_of(texts):
    """Returns the parts of texts between line ends, those last that would be taken for HTML if they came first."""
    return sorted({part for t in texts for part in t.replace("\r", "\n").split("\n") if part.strip()}, reverse=True)


def tokenize(program, lang, lines):
    """Returns tokens and number of sentences of each line."""
    text = "".join(line + "\n" for line in lines)
    out = subprocess.run([program, "tokenize", "--lang", lang], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    found, tokens, n = [], [], 0
    for row in out.split("\n"):
        if row == "<p>":
            tokens, n = [], 0
        elif row == "<s>":
            n += 1
        elif row == "</p>":
            found.append((tokens, n))
        elif row in ("</s>", "<g/>", "") or row.startswith("<sp "):
            pass
        else:
            tokens.append(sys.intern(row.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")))
    if len(found) != len(lines):
        sys.exit(f"{lang}: {len(found)} paragraphs of {len(lines)} lines")
    return dict(zip(lines, found))


def learn(program, texts, single):
    """Has texts (lang, text) tokenized; single are lines whose sentences are counted."""
    by_lang = collections.defaultdict(lambda: (set(), set()))
    for lang, t in texts:
        by_lang[lang][0].add(t)
    for lang, t in single:
        by_lang[lang][1].add(t)
    for lang, (whole, alone) in by_lang.items():
        known = tokenize(program, lang, lines_of(whole | alone))
        for t in whole:
            WORDS[lang, t] = [w for part in t.replace("\r", "\n").split("\n") if part.strip() for w in known[part][0]]
        for t in alone:
            SENTENCES[lang, t] = sum(known[part][1] for part in lines_of([t]))


class Recorder(dict):
    """Answers with one sentence, and remembers what was asked."""

    def __missing__(self, key):
        self[key] = 1
        return 1


class Limit:
    """A limit that nothing breaks. It remembers what was compared with it."""

    __array_ufunc__ = None  # so that NumPy's numbers leave comparisons to it

    def __init__(self):
        self.seen = []

    def __bool__(self):
        return True

    def __gt__(self, value):
        self.seen.append(float(value))
        return False

    __lt__ = __gt__


NGRAMS = [*((n, f"gopher_repetition.top_{n}_gram_chars") for n in range(2, 5)), *((n, f"gopher_repetition.duplicate_{n}_gram_chars") for n in range(5, 11))]
LINES = {"dup_para_frac": "duplicate_paragraphs", "dup_para_char_frac": "duplicate_paragraph_chars", "dup_line_frac": "duplicate_lines", "dup_line_char_frac": "duplicate_line_chars"}


def gopher_quality(limits, language):
    shares = ("bullet_lines", "ellipsis_lines")
    return GopherQualityFilter(limits["words"], limits["words, at most"], limits["mean_word_length"], limits["mean_word_length, at most"], limits["hashes, ellipses"], *(limits[s] for s in shares), limits["alphabetic_words"], limits["stop_words"], STOP, language=language)


def gopher_repetition(limits, language):
    grams = [(n, limits[name.partition(".")[2]]) for n, name in NGRAMS]
    return GopherRepetitionFilter(top_n_grams=grams[:3], dup_n_grams=grams[3:], language=language, **{k: limits[v] for k, v in LINES.items()})


def fineweb(limits, language):
    names = {"line_punct_thr": "punctuated_lines", "short_line_thr": "short_lines", "char_duplicates_ratio": "duplicate_line_chars", "new_line_ratio": "line_breaks"}
    return FineWebQualityFilter(language=language, **{k: limits[v] for k, v in names.items()})


def c4(limits, language):
    return C4QualityFilter(min_num_sentences=limits["sentences"], filter_lorem_ipsum=False, filter_curly_bracket=False, language=language)


def scores(group, text, language):
    """Returns the scores that datatrove's filter finds of a text: what it compares with its limits."""
    limits = collections.defaultdict(Limit)
    decide({"gopher_quality": gopher_quality, "gopher_repetition": gopher_repetition, "fineweb": fineweb, "c4": c4}[group](limits, language), text)
    found = {}
    for name, limit in limits.items():
        for part, value in zip(name.partition(",")[0::2] if name == "hashes, ellipses" else [name], limit.seen):
            if not name.endswith("at most"):
                found[f"{group}.{part.strip()}"] = value
    return found


def decide(f, text):
    """Returns whether a text stays, and the reason."""
    doc = Document(text=text, id="x")
    try:
        r = f.filter(doc)
    except (ZeroDivisionError, ValueError) as e:
        return None, f"{type(e).__name__}", doc.text
    return (r, "", doc.text) if isinstance(r, bool) else (r[0], r[1], doc.text)


# Scores of which datatrove has a decision alone.
DECISIONS = {"gopher_repetition.chars", "fineweb.lines", "c4.lorem_ipsum", "c4.curly_brackets"}

# The reasons of datatrove by our rules.
REASONS = {
    "gopher_short_doc": "gopher_quality.words", "gopher_long_doc": "gopher_quality.words", "gopher_below_avg_threshold": "gopher_quality.mean_word_length",
    "gopher_above_avg_threshold": "gopher_quality.mean_word_length", "gopher_too_many_hashes": "gopher_quality.hashes", "gopher_too_many_ellipsis": "gopher_quality.ellipses",
    "gopher_too_many_bullets": "gopher_quality.bullet_lines", "gopher_too_many_end_ellipsis": "gopher_quality.ellipsis_lines", "gopher_below_alpha_threshold": "gopher_quality.alphabetic_words",
    "gopher_enough_stop_words": "gopher_quality.stop_words", "dup_para_frac": "gopher_repetition.duplicate_paragraphs", "dup_para_char_frac": "gopher_repetition.duplicate_paragraph_chars",
    "dup_line_frac": "gopher_repetition.duplicate_lines", "dup_line_char_frac": "gopher_repetition.duplicate_line_chars", "lorem_ipsum": "c4.lorem_ipsum", "curly_bracket": "c4.curly_brackets",
    "too_few_sentences": "c4.sentences", "line_punct_ratio": "fineweb.punctuated_lines", "short_line_ratio": "fineweb.short_lines", "char_dup_ratio": "fineweb.duplicate_line_chars", "list_ratio": "fineweb.line_breaks",
    **{f"top_{n}_gram": f"gopher_repetition.top_{n}_gram_chars" for n in range(2, 5)},
    **{f"duplicated_{n}_n_grams": f"gopher_repetition.duplicate_{n}_gram_chars" for n in range(5, 11)},
}


def chaffinch(program, docs, rules, folder, extra=None):
    """Returns the annotations of documents by id, the texts that stay, and the time."""
    corpus, out, cut = (os.path.join(folder, n) for n in ("corpus.jsonl", "out.jsonl", "cut.jsonl"))
    with open(corpus, "w", encoding="utf-8") as f:
        for d in docs:
            f.write(json.dumps(d, ensure_ascii=False) + "\n")
    own = os.path.join(folder, "rules.json")
    with open(own, "w") as f:
        json.dump({"use": rules, "stop_words": {"*": STOP, "en": STOP}, **(extra or {})}, f)
    subprocess.run([program, "filter", corpus, "-q", "-r", own, "--annotate", "-o", out], check=True)
    subprocess.run([program, "filter", corpus, "-q", "-r", own, "-o", cut], check=True)
    found = {d["id"]: d["filter"] for d in map(json.loads, open(out, encoding="utf-8"))}
    kept = {d["id"]: d["text"] for d in map(json.loads, open(cut, encoding="utf-8"))}
    return found, kept


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--program", required=True)
    args.add_argument("--limit", type=int, default=0)
    args.add_argument("--speed", action="store_true")
    args.add_argument("files", nargs="+")
    args.add_argument("--alone", action="store_true", help="run datatrove's filters as they come over the files, one document after the other")
    args = args.parse_args()
    if args.alone:
        use(OWN_WORDS, OWN_SENTENCES)
        return rules_alone(map(json.loads, open(args.files[0], encoding="utf-8")))
    docs = []
    for path in args.files:
        for line in open(path, encoding="utf-8"):
            d = json.loads(line)
            docs.append({"id": f"{len(docs)}", "lang": d.get("lang", "und"), "text": d["text"]})
    if args.limit:
        docs = docs[:: max(1, len(docs) // args.limit)][: args.limit]
    langs = collections.Counter(d["lang"] for d in docs)
    print(f"{len(docs)} documents: {', '.join(f'{l} {n}' for l, n in langs.most_common())}")

    asked = Recorder()
    c4_filters.split_into_sentences = lambda text, language: [""] * asked[language, text]
    for d in docs:
        scores("c4", d["text"], d["lang"])
        decide(C4QualityFilter(language=d["lang"], filter_no_terminal_punct=False, min_num_sentences=0), d["text"])
    learn(args.program, [(d["lang"], d["text"]) for d in docs], list(asked))
    c4_filters.split_into_sentences = sentences
    if args.speed:
        return speed(args.program, docs)

    table, largest = collections.defaultdict(lambda: [0, 0]), collections.Counter()

    def note(name, same, d, ours, theirs):
        table[name][0] += 1
        if not same:
            table[name][1] += 1
            if table[name][1] <= 5:
                print(f"{name}: document {d['id']} ({d['lang']}): ours {ours}, theirs {theirs}")

    def compare_scores(ours, theirs, group, d):
        for name in sorted({n for n in ours if n.startswith(group + ".")} | theirs.keys()):
            if name in DECISIONS:
                continue
            a, b = ours.get(name), theirs.get(name)
            if b is None and a == 0 and "_gram_" in name:  # no n-gram in so few tokens
                b = 0.0
            note(name, a is not None and b is not None and abs(a - b) <= EPS, d, a, b)
            if a is not None and b is not None:
                largest[name] = max(largest[name], abs(a - b))

    filters = {
        "gopher_quality": lambda l: GopherQualityFilter(stop_words=STOP, language=l), "gopher_repetition": lambda l: GopherRepetitionFilter(language=l),
        "fineweb": lambda l: FineWebQualityFilter(language=l), "c4": lambda l: C4QualityFilter(language=l),
    }
    with tempfile.TemporaryDirectory() as folder:
        for group, make in filters.items():
            found, kept = chaffinch(args.program, docs, [group], folder)
            for d in docs:
                ours, (stays, why, text) = found[d["id"]], decide(make(d["lang"]), d["text"])
                rule = "" if stays else REASONS.get(why, why)
                note(f"{group}: decision", (ours["filter"] == "keep") == bool(stays), d, ours.get("rule"), why)
                note(f"{group}: rule", ours.get("rule", "") == rule or rule == "empty", d, ours.get("rule"), why)
                if group == "c4" and stays:
                    note("c4: text", kept.get(d["id"]) == text, d, repr(kept.get(d["id"]))[:200], repr(text)[:200])
            for d in docs:
                compare_scores(found[d["id"]], scores(group, d["text"], d["lang"]), group, d)
        # All in the order of the FineWeb corpus: what c4 leaves goes to fineweb.
        found, kept = chaffinch(args.program, docs, ["gopher_repetition", "gopher_quality", "c4", "fineweb"], folder, {"c4": {"terminal_punctuation": False}})
        chain = [filters["gopher_repetition"], filters["gopher_quality"], lambda l: C4QualityFilter(filter_no_terminal_punct=False, language=l)]
        left = []
        for d in docs:
            text, stays, why = d["text"], True, ""
            for make in chain:
                stays, why, text = decide(make(d["lang"]), text)
                if not stays:
                    break
            left.append((stays, why, text))
        learn(args.program, [(d["lang"], text) for d, (stays, _, text) in zip(docs, left) if stays], [])
        for d, (stays, why, text) in zip(docs, left):
            if stays:
                stays, why, text = decide(filters["fineweb"](d["lang"]), text)
            ours = found[d["id"]]
            note("fineweb_corpus: decision", (ours["filter"] == "keep") == bool(stays), d, ours.get("rule"), why)
            if stays:
                note("fineweb_corpus: text", kept.get(d["id"]) == text, d, repr(kept.get(d["id"]))[:200], repr(text)[:200])
    print(f"{'':55} {'compared':>10} {'differ':>8} {'by at most':>12}")
    for name, (n, differ) in table.items():
        print(f"{name:55} {n:10} {differ:8} {f'{largest[name]:.1g}' if name in largest else '':>12}")


ROUNDS = 5


def speed(program, docs):
    """Measures both over the same documents, in turn: the shortest of some rounds. datatrove's rules are measured with their tokens known, too, since its tokenizer (spaCy for English) takes most of its time."""
    size = sum(len(d["text"].encode()) for d in docs)
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "corpus.jsonl")
        with open(corpus, "w", encoding="utf-8") as f:
            for d in docs:
                f.write(json.dumps(d, ensure_ascii=False) + "\n")
        tokens, theirs = measured([sys.executable, __file__, "--program", program, "--alone", corpus])  # once: it takes long
        rules, ours = [], []
        for _ in range(ROUNDS):
            rules.append(rules_alone(docs))
            ours.append(measured([program, "filter", corpus, "-q", "-r", "fineweb_corpus", "-j", "1", "--force", "-o", os.path.join(folder, "out.jsonl")]))
    rules, (ours, memory) = min(rules), (min(column) for column in zip(*ours))
    print(f"{size / 1e6:.1f} MB of text, up to the first rule that a document breaks, seconds of processor time:")
    print(f"datatrove {rules:.2f} without its tokenizer, without reading and start; {tokens:.2f} with all, {theirs} MB resident")
    print(f"chaffinch filter {ours:.2f} with all, {memory} MB resident: {rules / ours:.1f} and {tokens / ours:.0f} times as fast, {size / 1e6 / ours:.1f} MB/s")


# A small program that runs a command: the memory of a process counts as that of the children that it begins.
WAIT = """
import os, subprocess, sys
_, status, usage = os.wait4(subprocess.Popen(sys.argv[1:]).pid, 0)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def measured(command):
    """Runs a command. Returns its seconds of processor time and the most memory that it had resident, in MB."""
    status, seconds, kib = subprocess.run([sys.executable, "-c", WAIT, *command], stdout=subprocess.PIPE, check=True).stdout.split()
    if int(status):
        sys.exit(f"{command}: status {status}")
    return float(seconds), int(kib) * 1024 // 10**6


def rules_alone(docs):
    """Returns the processor time of datatrove's rules."""
    begin = time.process_time()
    for d in docs:
        text = d["text"]
        for f in (GopherRepetitionFilter(language=d["lang"]), GopherQualityFilter(stop_words=STOP, language=d["lang"]), C4QualityFilter(filter_no_terminal_punct=False, language=d["lang"])):
            stays, _, _ = decide(f, text)
            if not stays:
                break
        else:
            decide(FineWebQualityFilter(language=d["lang"]), text)
    return time.process_time() - begin


if __name__ == "__main__":
    main()
