"""Compares chaffinch filter --pii-report with Presidio's pattern recognizers.

    compare.py CHAFFINCH WORK [PRIVAITE-BENCH-CHECKOUT]

A match is right if its kind is right and the union of both spans is at most twice their
intersection. Presidio runs without a model, so that it finds no names.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import time

import spacy
import tldextract
from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry, predefined_recognizers
from presidio_analyzer.nlp_engine import SpacyNlpEngine

import texts

tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())  # its copy of the list, without the network
tldextract.extract = tldextract.tldextract.TLD_EXTRACTOR.__call__

KINDS = {"EMAIL_ADDRESS": "email", "IP_ADDRESS": "ip", "PHONE_NUMBER": "phone", "IBAN_CODE": "iban", "CREDIT_CARD": "card", "PERSON": "name"}
OTHERS = {"URL", "DATE_TIME", "CRYPTO", "MEDICAL_LICENSE", "LOCATION", "NRP", "US_BANK_NUMBER", "MAC_ADDRESS", "ORGANIZATION"}  # no kind of ours
ALL = ["email", "ip", "phone", "iban", "card", "id", "name"]


class Blank(SpacyNlpEngine):
    """An engine that only cuts words: the registry has no models."""

    def __init__(self, langs):
        super().__init__(models=[{"lang_code": lang, "model_name": "blank"} for lang in langs])
        self.nlp = {lang: spacy.blank("xx") for lang in langs}

    def load(self):
        pass


def presidio(langs):
    """All pattern recognizers of Presidio, for each language."""
    registry = RecognizerRegistry(supported_languages=langs)
    for name in dir(predefined_recognizers):
        cls = getattr(predefined_recognizers, name)
        phone = name == "PhoneRecognizer"
        if isinstance(cls, type) and (issubclass(cls, PatternRecognizer) and cls is not PatternRecognizer or phone):
            for lang in langs:
                try:
                    registry.add_recognizer(cls(supported_language=lang))
                except TypeError:
                    pass
    return AnalyzerEngine(registry=registry, nlp_engine=Blank(langs), supported_languages=langs)


def run_presidio(engine, docs, threshold):
    out = {}
    for id_, lang, text, _ in docs:
        found = []
        for r in engine.analyze(text, language=lang, score_threshold=threshold):
            if r.entity_type not in OTHERS:
                found.append((r.start, r.end, KINDS.get(r.entity_type, "id"), r.score))
        found.sort(key=lambda f: -f[3])  # one result per place, the most certain
        kept = []
        for f in found:
            if all(f[1] <= k[0] or f[0] >= k[1] for k in kept):
                kept.append(f)
        out[id_] = [f[:3] for f in kept]
    return out


def run_chaffinch(program, work, docs, repeat=1):
    """Returns the matches and the seconds of processor time on one core."""
    corpus, report = work / "corpus.jsonl", work / "pii.jsonl"
    with open(corpus, "w") as f:
        for _ in range(repeat):
            for id_, lang, text, _ in docs:
                f.write(json.dumps({"id": id_, "lang": lang, "text": text}) + "\n")
    start = time.perf_counter()
    subprocess.run([program, "filter", str(corpus), "--pii-kinds", ",".join(ALL), "--pii-report", str(report), "-o", str(work / "out.jsonl"), "--force", "-q"],
                   check=True, env={**os.environ, "GOMAXPROCS": "1"})
    took = time.perf_counter() - start
    out = collections.defaultdict(set)
    for line in open(report):
        r = json.loads(line)
        out[r["id"]].add((r["start"], r["end"], r["kind"]))
    return out, took


def score(docs, found):
    right, wrong, missed = (collections.Counter() for _ in range(3))
    for id_, _, _, gold in docs:
        left = list(gold)
        for s, e, kind in found.get(id_, ()):
            hit = next((g for g in left if g[2] == kind and min(e, g[1]) - max(s, g[0]) > 0 and max(e, g[1]) - min(s, g[0]) <= 2 * (min(e, g[1]) - max(s, g[0]))), None)
            if hit:
                left.remove(hit)
                right[kind] += 1
            else:
                wrong[kind] += 1
        for g in left:
            missed[g[2]] += 1
    return right, wrong, missed


def table(title, docs, systems):
    print(f"\n{title}: {len(docs)} texts\n\n| kind | in the texts |" + "".join(f" {n} precision | recall |" for n in systems) + "\n|---|---|" + "---|---|" * len(systems))
    scores = {n: score(docs, f) for n, f in systems.items()}
    total = collections.Counter(g[2] for d in docs for g in d[3])
    for kind in ALL:
        row = f"| {kind} | {total[kind]} |"
        for r, w, _ in scores.values():
            row += f" {r[kind] / (r[kind] + w[kind]):.3f} |" if r[kind] + w[kind] else " - |"
            row += f" {r[kind] / total[kind]:.3f} |" if total[kind] else " - |"
        print(row)


def privaite(checkout):
    kinds = {**KINDS, "US_SSN": "id", "FR_SSN": "id", "NIR": "id", "ID": "id"}
    docs, unknown = [], collections.Counter()
    for file in ("pii_samples", "realworld_samples", "corporate_samples", "long_texts", "clean_samples"):
        path = pathlib.Path(checkout) / "datasets" / (file + ".json")
        if not path.exists():
            continue
        for k, sample in enumerate(json.loads(path.read_text())):
            if not isinstance(sample, dict) or "text" not in sample:
                continue
            gold = []
            for value, kind in (sample.get("expected") or {}).items():
                if kind not in kinds:
                    unknown[kind] += 1
                    continue
                at = sample["text"].find(value)
                while at >= 0:
                    gold.append((at, at + len(value), kinds[kind]))
                    at = sample["text"].find(value, at + 1)
            docs.append((f"{file}{k}", sample.get("lang", "en"), sample["text"], gold))
    print("\nprivaite-bench: kinds left out:", dict(unknown))
    return docs


def main():
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    docs = list(texts.texts())
    sets = [("Generated texts", docs)]
    if len(sys.argv) > 3:
        sets.append(("privaite-bench", privaite(sys.argv[3])))
    langs = sorted({d[1] for _, s in sets for d in s})
    engine = presidio(langs)
    for title, s in sets:
        ours, _ = run_chaffinch(program, work, s)
        start = time.perf_counter()
        theirs = run_presidio(engine, s, 0.0)
        took = time.perf_counter() - start
        table(title, s, {"chaffinch": ours, "Presidio": theirs, "Presidio, score 0.4": run_presidio(engine, s, 0.4)})
        if title == "Generated texts":
            repeat = 50
            chars = sum(len(d[2]) for d in s)
            _, ours_took = run_chaffinch(program, work, s, repeat)
            print(f"\nchaffinch {chars * repeat / ours_took / 1e6:.2f} million characters a second, Presidio {chars / took / 1e6:.4f}: ratio {chars * repeat / ours_took / (chars / took):.0f}")
            by = collections.defaultdict(list)
            for d in s:
                by[d[1]].append(d)
            print("\nNames by language, recall:", {lang: round(score(ds, ours)[0]["name"] / max(1, sum(g[2] == "name" for d in ds for g in d[3])), 2) for lang, ds in by.items()})
            print("Identification numbers by language, recall:", {lang: round(score(ds, ours)[0]["id"] / max(1, sum(g[2] == "id" for d in ds for g in d[3])), 2) for lang, ds in by.items()})


main()
