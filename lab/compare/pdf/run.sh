#!/bin/sh
# Text of PDF beside pdftotext, PyMuPDF, pypdf, pdfminer.six, docling-parse and PDFium alone, on known text printed by Chromium:
#
#	lab/compare/pdf/run.sh NTREX OUT
#
# NTREX is the folder ntrex of the data sets. OUT gets the files and the tables. Needs chromium, python3 with venv, fonts of
# the languages (fonts-noto-core, fonts-noto-cjk), and pdftotext if it is to be compared.
set -eu
here=$(dirname "$0")
ntrex=$1 out=$2
mkdir -p "$out/chaffinch"
[ -x "$out/venv/bin/python" ] || {
	python3 -m venv "$out/venv"
	"$out/venv/bin/pip" install -q pymupdf==2.0 pypdf==7.1.1 pdfminer.six==20260107 pypdfium2==5.15.2 docling-parse==7.23.1 pdfplumber==0.11.10 camelot-py==2.0.0 rapidfuzz==3.14.6
}
python="$out/venv/bin/python"
[ -d "$out/gold" ] || "$python" "$here/gold.py" "$ntrex" "$out/gold"
go run ./lab/eval/pdf -out "$out/chaffinch" "$out"/gold/*.pdf | tee "$out/chaffinch.tsv"
"$python" "$here/rivals.py" "$out" "$out"/gold/*.pdf | tee "$out/rivals.tsv"
"$python" "$here/score.py" "$out/gold" "$out/chaffinch" "$out/pdftotext" "$out/pymupdf" "$out/pypdf" "$out/pdfminer" "$out/pypdfium2" "$out/docling_parse" | tee "$out/scores.tsv"
[ -d "$out/tables" ] || "$python" "$here/tables.py" "$out/tables" 2
mkdir -p "$out/tables.out"
go run ./lab/eval/pdf -out "$out/tables.out" "$out"/tables/*.pdf
"$python" "$here/tablescore.py" "$out/tables" "$out/tables.out" | tee "$out/tables.tsv"
