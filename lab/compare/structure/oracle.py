"""Score Markdown with the metrics of webmainbench and compare them with eval structure.

    oracle.py SETS OUTPUT [FIGURES]

SETS is a folder of sets (SET/markdown/ID.md), OUTPUT holds the Markdown of a program (SET/ID.md).
FIGURES is the output of chaffinch eval structure --json for the same Markdown. Prints the means of
each set, and every page on which the two differ.
"""
import contextlib
import importlib.util
import io
import json
import pathlib
import sys

# The package's own __init__ imports every extractor, and with them PyTorch: only its metrics are imported.
spec = importlib.util.find_spec('webmainbench')
sys.modules['webmainbench'] = importlib.util.module_from_spec(spec)
from webmainbench.metrics.calculator import MetricCalculator  # noqa: E402

CORE = {'text_edit': 'text', 'code_edit': 'code', 'formula_edit': 'formula', 'table_edit': 'table', 'table_TEDS': 'table-root'}
sets, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
ours = {}
if len(sys.argv) > 3:
    for result in json.loads(pathlib.Path(sys.argv[3]).read_text()):
        if result['system'] == 'chaffinch':
            for page in result['pages']:
                ours[result['set'], page['id']] = page['scores']
calculator = MetricCalculator()
for folder in sorted(p for p in output.iterdir() if p.is_dir()):
    scores = {m: [] for m in CORE}
    compared = differ = 0
    for gold in sorted((sets / folder.name / 'markdown').glob('*.md')):
        file = folder / gold.name
        with contextlib.redirect_stdout(io.StringIO()):
            results = calculator.calculate_all(file.read_text() if file.exists() else '', gold.read_text())
        page = ours.get((folder.name, gold.stem))
        for metric, measure in CORE.items():
            value = results[metric].score if results[metric].success else None
            if value is not None:
                scores[metric].append(value)
            if page is None:
                continue
            compared += 1
            own = page.get(measure)
            if (own is None) != (value is None) or own is not None and abs(own - value) > 1e-9:
                differ += 1
                print(f'{folder.name}/{gold.stem}: {metric} {value}, eval structure {own}')
    means = {m: sum(v) / len(v) if v else 0.0 for m, v in scores.items()}
    means['overall'] = sum(means.values()) / len(CORE)
    print(json.dumps({'set': folder.name, 'means': means, 'pages': {m: len(v) for m, v in scores.items()}, 'compared': compared, 'differ': differ}))
