#!/usr/bin/env python3
"""Builds model/data/names/names.txt.gz, frequent names of persons.

    model/data/make-names.py FORENAMES.csv SURNAMES.csv CENSUS-FOLDER > model/data/names/names.txt.gz

The sources: common-forenames-by-country.csv and common-surnames-by-country.csv of
sigpwned/popular-names-by-country-dataset (CC0 1.0), and the name files of the 1990 census of
the United States (dist.male.first, dist.female.first, dist.all.last; public domain).

A line is a country, g (given) or s (surnames), and names separated by |, in the order of the
sources. The same sources give the same bytes.
"""
import collections
import csv
import gzip
import io
import sys

GIVEN_MALE, GIVEN_FEMALE, SURNAMES = 900, 1800, 4000  # of the census, the most frequent ones


def word(name):
    name = name.strip().replace("’", "'").replace("\u0301", "")  # stress marks
    return name if len(name) > 1 and all(c.isalpha() or c in "'-" or not c.isascii() and not c.isspace() for c in name) else None


def main():
    forenames, surnames, census = sys.argv[1:]
    names = collections.defaultdict(dict)
    for file, kind in ((forenames, "g"), (surnames, "s")):
        with open(file, encoding="utf-8-sig") as f:
            for row in csv.DictReader(f):
                for column in ("Localized Name", "Romanized Name"):
                    if name := word(row[column]):
                        names[row["Country"], kind][name] = None
    for file, kind, most in (("dist.male.first", "g", GIVEN_MALE), ("dist.female.first", "g", GIVEN_FEMALE), ("dist.all.last", "s", SURNAMES)):
        with open(f"{census}/{file}") as f:
            for line in list(f)[:most]:
                if len(name := line.split()[0].capitalize()) > 2:
                    names["US", kind][name] = None
    text = "".join(f"{country}\t{kind}\t{'|'.join(list_)}\n" for (country, kind), list_ in sorted(names.items()))
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as f:
        f.write(text.encode())
    sys.stdout.buffer.write(out.getvalue())


main()
