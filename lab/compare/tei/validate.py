"""Validates TEI documents: against the DTD that trafilatura brings, which knows
no tables, code or images, or against a RELAX NG schema such as tei_all.rng.

    validate.py FOLDER [SCHEMA.rng]

Exit code 1 if a document is not valid or there is none."""

import collections
import pathlib
import sys

from lxml import etree


def main(folder, schema=None):
    if schema:
        valid = etree.RelaxNG(etree.parse(schema))
    else:
        from trafilatura.xml import TEI_SCHEMA

        valid = etree.DTD(TEI_SCHEMA)
    parser = etree.XMLParser(huge_tree=True)
    count = bad = 0
    messages = collections.Counter()
    for name in sorted(pathlib.Path(folder).rglob("*.xml")):
        count += 1
        try:
            ok = valid.validate(etree.parse(name, parser))
            errors = [] if ok else [e.message[:100] for e in valid.error_log][:3]
        except etree.XMLSyntaxError as e:
            ok, errors = False, [str(e)[:100]]
        if not ok:
            bad += 1
            messages.update(errors)
            if bad <= 5:
                print(name, *errors, sep="\n  ")
    for message, n in messages.most_common(10):
        print(n, message)
    print(f"{folder}: {count} documents, {bad} not valid against {schema or 'the DTD of trafilatura'}")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
