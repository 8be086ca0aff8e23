#!/usr/bin/env python3
"""Compare `chaffinch eval clean` page by page with the reference scorer.

    python agree.py --scorer DIR --data DIR --chaffinch BIN --set NAME[,NAME...] SYSTEM=PREDICTIONS...

--scorer is the folder of the reference scorer's score.py, --data the folder that
holds eval/NAME.tar.zst (for chaffinch), --unpacked the folder that holds the same
sets unpacked (for the scorer). PREDICTIONS holds NAME/ID.txt or ID.txt. Prints the
largest difference of each measure over all pages, sets and systems; exits with 1
where one is above 1e-6, or above .005 for ROUGE.

Needs what the scorer needs: numpy, rapidfuzz, cydifflib, nltk, gcc.
"""
import argparse, csv, importlib.util, json, os, subprocess, sys, tempfile

TOLERANCE = {'rg_p': .005, 'rg_r': .005, 'rg_f': .005}
PAGE = ['lev', 'lev_raw', 'lev_strip', 'lev_indel', 'w_tp', 'w_fp', 'w_fn', 'rg_p', 'rg_r', 'rg_f', 'sh_p', 'sh_r', 'sh_acc', 'bw_f', 'sn_with', 'sn_without']

def load(folder, unpacked):
    os.environ['EVAL_DIR'] = unpacked
    spec = importlib.util.spec_from_file_location('reference', os.path.join(folder, 'score.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

def number(text):
    return None if text in ('', None) else float(text)

def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--scorer', required=True)
    a.add_argument('--data', required=True)
    a.add_argument('--unpacked', required=True)
    a.add_argument('--chaffinch', required=True)
    a.add_argument('--set', required=True)
    a.add_argument('--ids', help='compare only the pages that the file lists')
    a.add_argument('systems', nargs='+')
    a = a.parse_args()
    reference = load(a.scorer, a.unpacked)
    worst = {}  # measure -> (difference, set, system, page, theirs, ours)
    pages = 0
    for name in a.set.split(','):
        ids = set(open(a.ids).read().split()) if a.ids else None
        golds = reference.Set(name, ids)
        for system in a.systems:
            label, folder = system.split('=', 1)
            if os.path.isdir(os.path.join(folder, name)):
                folder = os.path.join(folder, name)
            with tempfile.TemporaryDirectory() as tmp:
                table, figures = os.path.join(tmp, 'pages.tsv'), os.path.join(tmp, 'figures.json')
                cmd = [a.chaffinch, 'eval', 'clean', '--data', a.data, '--set', name, '--samples', '0', '--json', '--all',
                       '--predictions', f'{folder}={label}', '--per-page', table] + (['--ids', a.ids] if a.ids else [])
                with open(figures, 'w') as f:
                    subprocess.run(cmd, stdout=f, check=True)

                ours_all = {k: v['value'] for k, v in json.load(open(figures))['results'][0]['figures'].items()}
                with open(table, newline='') as f:
                    ours = {r['id']: r for r in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE)}
            theirs_all, rows = reference.score(golds, folder)
            if len(golds.ids) != len(ours):
                sys.exit(f'{name}: {len(golds.ids)} pages there, {len(ours)} here')

            def note(measure, page, x, y):
                if (x is None) != (y is None):
                    d = float('inf')
                else:
                    d = 0.0 if x is None else abs(x - y)
                if measure not in worst or d > worst[measure][0]:
                    worst[measure] = (d, name, label, page, x, y)

            for r in rows:
                pages += 1
                if not r['sh_pok']: r['sh_p'] = ''
                if not r['sh_rok']: r['sh_r'] = ''
                for m in PAGE:
                    note('page ' + m, r['id'], number(r[m]), number(ours[r['id']][m]))
            for m, v in theirs_all.items():
                if m != 'pages':
                    note('set ' + m, '-', v, ours_all.get(m))
            print(f'{name}\t{label}\t{len(golds.ids)} pages\tlev {theirs_all.get("lev", 0):.6f} {ours_all.get("lev", 0):.6f}', file=sys.stderr)
    bad = 0
    print(f'{pages} pages with full gold; largest differences:')
    for m, (d, name, label, page, x, y) in worst.items():
        limit = TOLERANCE.get(m.split()[1].replace('rgm', 'rg'), 1e-6)
        flag = '' if d <= limit else '  ABOVE ' + format(limit, 'g')
        bad += d > limit
        print(f'{m:16} {d:.3g}{flag}' + (f'  ({name} {label} {page}: {x} there, {y} here)' if d > 1e-9 else ''))
    sys.exit(bad > 0)

if __name__ == '__main__':
    main()
