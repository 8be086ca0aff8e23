#!/usr/bin/env python3
"""Prints the entries of the English dictionary of the package lemminflect for
lexicon.py: form, lemma and tag, separated by tabs. A tag is the part of speech
and the number of the inflection, 0 for the base form.
"""
import gzip, os
import lemminflect

path = os.path.join(os.path.dirname(lemminflect.__file__), "resources", "infl_lu.csv.gz")
with gzip.open(path, "rt", encoding="utf-8") as f:
    for line in f:
        lemma, upos, *columns = line.rstrip("\n").split(",")
        if upos not in ("adj", "adv", "noun", "verb"):
            continue
        print(lemma, lemma, upos + "0", sep="\t")
        for i, forms in enumerate(columns, 1):
            if upos == "verb" and i == 2 and not forms:
                forms = columns[0]  # the participle is the past tense
            for form in forms.split("/"):
                if form:
                    print(form, lemma, f"{upos}{i}", sep="\t")
