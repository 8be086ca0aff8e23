#!/usr/bin/env python3
"""Write what the reference scorer says of the small sets in testdata/reference.

    python reference.py --scorer DIR REFERENCE

REFERENCE is lab/eval/clean/testdata/reference. Writes REFERENCE/figures.json: for each
set and system the figures of the set and of each page, in full precision.
"""
import argparse, importlib.util, json, os

PAGE = ['lev', 'lev_raw', 'lev_strip', 'lev_indel', 'w_tp', 'w_fp', 'w_fn', 'rg_p', 'rg_r', 'rg_f', 'sh_p', 'sh_r', 'sh_acc', 'bw_f', 'sn_with', 'sn_without']


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--scorer', required=True)
    a.add_argument('reference')
    a = a.parse_args()
    os.environ['EVAL_DIR'] = a.reference
    spec = importlib.util.spec_from_file_location('reference', os.path.join(a.scorer, 'score.py'))
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    out = {}
    for system in sorted(os.listdir(os.path.join(a.reference, 'predictions'))):
        for name in sorted(os.listdir(os.path.join(a.reference, 'predictions', system))):
            figures, rows = scorer.score(scorer.Set(name), os.path.join(a.reference, 'predictions', system, name))
            pages = {}
            for r in rows:
                if not r['sh_pok']: r['sh_p'] = ''
                if not r['sh_rok']: r['sh_r'] = ''
                pages[r['id']] = {m: r[m] for m in PAGE if r[m] != ''}
            out.setdefault(name, {})[system] = {'set': figures, 'pages': pages}
    with open(os.path.join(a.reference, 'figures.json'), 'w') as f:
        json.dump(out, f, indent=1, sort_keys=True, ensure_ascii=False)
        f.write('\n')


if __name__ == '__main__':
    main()
