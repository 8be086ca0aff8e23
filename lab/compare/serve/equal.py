#!/usr/bin/env python3
"""Compares what "chaffinch serve" answers of a corpus with what the command prints.

    equal.py CHAFFINCH INDEX ADDRESS [OPERATION]

ADDRESS is that of the same index in a server that was started with --open, such as
http://127.0.0.1:8017/v1/corpora/news. All operations are asked, in many settings each.
Needs python3 alone.
"""
import json
import subprocess
import sys
import urllib.parse
import urllib.request

chaffinch, index, address, *only = sys.argv[1:]
QUERIES = ['"water"', '[lc="because"]', '"New" "York"', '[lc="take"] []{0,3} [lc="account"]', '[word="un.*able"]', '[lc="very"] [word=".*ly"]',
           '[lc="in"] [lc="order"] [lc="to"] within <s/>', '<s> [lc="but"]', '[lc="colou?r"]', '1:[lc="s.*"] 2:[lc="s.*"] & 1.lc = 2.lc', '"serendipity"',
           '"no such word at all"', '(meet "water" "cold" -5 5)', '("water") !within (<s/> containing "cold")']
CONDITIONS = ["", 'doc.lang="en"', "doc.year>=2020"]


def ours(command, args, flags):
    out = subprocess.run([chaffinch, "corpus", command, index, *args, "-f", "json", *flags], capture_output=True, text=True)
    return json.loads(out.stdout) if out.returncode == 0 else None


def theirs(path, params):
    try:
        with urllib.request.urlopen(f"{address}/{path}?{urllib.parse.urlencode(params)}") as answer:
            return json.load(answer)
    except urllib.error.HTTPError as e:
        return None if e.code == 422 else {"status": e.code}


def cases():
    """Yields a name, what the command is asked, what the server is asked."""
    for condition in CONDITIONS:
        where, part = (["--where", condition], {"filter": condition}) if condition else ([], {})
        for patt in QUERIES:
            q = {"patt": patt, **part}
            for name, flags, params in [
                ("order of the text", [], {}),
                ("sort left", ["--sort", "left"], {"sort": "left"}),
                ("sort right", ["--sort", "right"], {"sort": "right"}),
                ("sort match, date", ["--sort", "match,doc.date"], {"sort": "match,doc.date"}),
                ("sample", ["--sample", "30", "--seed", "7"], {"samplenum": 30, "sampleseed": 7}),
                ("sample, sorted", ["--sample", "30", "--seed", "7", "--sort", "right"], {"samplenum": 30, "sampleseed": 7, "sort": "right"}),
                ("context", ["--context", "123"], {"context": 123}),
                ("sentences", ["--view", "sentence"], {"view": "sentence"}),
            ]:
                yield f"hits, {name}", ("conc", [patt], ["-q", "--limit", "100", "--ref", "doc.id,doc.date", *flags, *where]), ("hits", {**q, "number": 100, "refs": "doc.id,doc.date", "waitfortotal": "true", **params})
            for by, fold in [("word", False), ("lc", False), ("word", True), ("doc.year", False), ("doc.lang,word", False), ("word@1", False), ("word@-1,word@1", False)]:
                yield f"freq by {by}", ("freq", [patt], ["-n", "200", "-b", by, *(["-i"] if fold else []), *where]), ("freq", {**q, "number": 200, "group": by, **({"fold": "true"} if fold else {})})
            for sort in ["freq", "word", "relative"]:
                yield f"freq, sort {sort}", ("freq", [patt], ["-n", "50", "-b", "doc.year", "--sort", sort, *where]), ("freq", {**q, "number": 50, "group": "doc.year", "sort": sort})
            for sort, window, within in [("logdice", (-5, 5), ""), ("mi", (-1, -1), ""), ("tscore", (1, 3), "s"), ("loglikelihood", (-3, 3), "s")]:
                yield f"collocations, {sort}", ("collocations", [patt], ["-n", "100", "-m", sort, f"--window={window[0]},{window[1]}", *(["--within", within] if within else []), *where]), \
                    ("collocations", {**q, "number": 100, "sort": sort, "from": window[0], "to": window[1], "within": within})
        for n in "1", "2", "3":
            for flags, params in [([], {}), (["-i"], {"fold": "true"}), (["-w"], {"words": "true"}), (["--min-freq", "50", "--max-freq", "500"], {"min_freq": 50, "max_freq": 500}), (["--sort", "word", "-p", ".*ness"], {"sort": "word", "pattern": ".*ness"})]:
                yield f"words, {n}", ("words", [], ["-n", "200", "-N", n, *flags, *where]), ("words", {**part, "number": 200, "n": n, **params})
        for sort in ["simple", "logl", "chi2", "din"]:
            if condition:
                yield f"keywords, {sort}", ("keywords", [index], ["-n", "100", "--sort", sort, *where, "--reference-where", f"!({condition})"]), ("keywords", {**part, "number": 100, "sort": sort, "reference": address.rsplit("/", 1)[1], "refilter": f"!({condition})"})


def plain(answer, path, measure):
    """What the two must have in common; of collocations the command prints one measure."""
    if answer is None:
        return None
    if path == "hits":
        lines = answer.get("lines", answer.get("hits"))
        return [answer.get("matches", answer.get("total")), [(x["start"], x["end"], x["left"], x["match"], x["right"], x.get("refs")) for x in lines]]
    rows = answer["rows"] or []
    if path == "collocations":
        rows = [{**r, "scores": r["scores"][measure]} for r in rows]
    return [{k: answer.get(k) for k in ("tokens", "types", "hits", "ref_tokens")}, rows]


asked, different, lines = 0, 0, 0
for name, (command, args, flags), (path, params) in cases():
    if only and path != only[0]:
        continue
    a, b = (plain(answer, path, params.get("sort")) for answer in (ours(command, args, flags), theirs(path, params)))
    asked += 1
    lines += len(a[1]) if a else 0
    if a != b:
        different += 1
        print(f"{name}: {command} {args} {flags}\n  command {str(a)[:300]}\n  server  {str(b)[:300]}")
print(f"{asked} questions, {lines} rows: {different} answered in another way")
sys.exit(different > 0)
