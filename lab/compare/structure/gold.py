"""Write the gold Markdown of a set from the repository that the set was made from.

    gold.py SET CHECKOUT OUT

SET is a folder with html/ID.html: pages of Defuddle (tests/fixtures) or of llm-webkit (bench/data).
CHECKOUT is a checkout of that repository. The pages and their Markdown are written to OUT/html and
OUT/markdown. Only files of pages in SET are read.
"""
import json
import pathlib
import re
import shutil
import sys

source, checkout, out = map(pathlib.Path, sys.argv[1:4])
(out / 'html').mkdir(parents=True, exist_ok=True)
(out / 'markdown').mkdir(exist_ok=True)
for page in sorted((source / 'html').glob('*.html')):
    defuddle = checkout / 'tests/expected' / (page.stem + '.md')
    webkit = checkout / 'bench/data/groundtruth' / (page.stem + '.jsonl')
    if defuddle.exists():  # metadata in a fence, then the text
        text = re.sub(r'\A```json\n.*?\n```\n*', '', defuddle.read_text(), flags=re.S)
    elif webkit.exists():
        text = json.loads(webkit.read_text().split('\n')[0])['content']
    else:
        print(page.stem + ': no gold', file=sys.stderr)
        continue
    shutil.copy(page, out / 'html')
    (out / 'markdown' / (page.stem + '.md')).write_text(text)
