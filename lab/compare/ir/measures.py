"""Compares figures of chaffinch eval ir with pytrec_eval and scipy (measures.sh)."""

import csv
import json
import math
import pathlib
import sys
import warnings

import pytrec_eval
from scipy import stats

NAMES = {
    "P@5": "P_5", "P@10": "P_10", "AP": "map", "NDCG@10lin": "ndcg_cut_10", "RR": "recip_rank",
    "R@10": "recall_10", "R@100": "recall_100", "R@1000": "recall_1000",
}
MEASURES = {"P.5,10", "map", "ndcg_cut.10", "recip_rank", "recall.10,100,1000"}


def evaluate(qrels, run, gain):
    judged = {t: {d: gain(r) for d, r in docs.items()} for t, docs in qrels.items()}
    return pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(run)


def main(folder):
    ours = {}
    with open(folder / "topics.tsv", encoding="utf-8") as f:
        for row in csv.DictReader(f, delimiter="\t"):
            ours.setdefault((row["data"], row["system"]), {})[row["topic"]] = row
    worst, compared = 0.0, 0
    for (data, system), topics in ours.items():
        with open(folder / "runs" / f"{data}.qrels", encoding="utf-8") as f:
            qrels = pytrec_eval.parse_qrel(f)
        with open(folder / "runs" / f"{data}.{system.replace(':', '_')}.run", encoding="utf-8") as f:
            run = pytrec_eval.parse_run(f)
        plain = evaluate(qrels, run, lambda r: r)
        powers = evaluate(qrels, run, lambda r: 2 ** r - 1 if r > 0 else r)  # its gain is linear
        for topic, row in topics.items():
            pairs = [(row[n], plain[topic][t]) for n, t in NAMES.items()] + [(row["NDCG@10"], powers[topic]["ndcg_cut_10"])]
            for a, b in pairs:
                compared += 1
                worst = max(worst, abs(float(a) - b))
    print(f"{len(ours)} runs, {compared} figures of topics: at most {worst:.2e} apart")

    apart, tests = 0.0, 0
    for table in json.loads((folder / "tables.json").read_text(encoding="utf-8")):
        if table["task"] != "ir tests":
            continue
        data, base = table["data"].split(", against ")
        for row in table["rows"]:
            system, measure = row["system"].rsplit(" ", 1)
            x = [float(ours[data, system][t][measure]) for t in ours[data, base]]
            y = [float(ours[data, base][t][measure]) for t in ours[data, base]]
            d = [round(a - b, 9) for a, b in zip(x, y)]
            if sum(v != 0 for v in d) <= 25:
                continue  # ours counts all patterns of signs, also with ties
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wilcoxon = stats.wilcoxon(d, method="approx").pvalue
                t = stats.ttest_1samp(d, 0).pvalue
            values = [v[0] if isinstance(v, list) else v for v in row["values"]]
            tests += 1
            apart = max(apart, abs(values[1] - wilcoxon), abs(values[3] - t) if not math.isnan(t) else 0)
    print(f"{tests} differences with more than 25 topics: probabilities at most {apart:.2e} apart")
    return 1 if worst > 1e-6 or apart > 1e-6 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
