#!/usr/bin/env bash
# Checks the Python package: builds a wheel, installs it into a fresh environment, and
# runs linter, types and tests there; closes with the line of pytest. Needs Go, and
# Python with venv and its package index.
#
#   python/check.sh [PROGRAM]             # takes a program that was built before into the wheel
#   LIBRARIES=all python/check.sh         # helpers with all libraries: minutes of downloads
#   PYTHON=python3.13 python/check.sh     # another Python
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
unset CHAFFINCH_PROGRAM PYTHONPATH

libraries=(pandas polars pyarrow)
[ "${LIBRARIES:-}" != all ] || libraries+=(datasets datatrove scrapy langchain_core llama_index.core spacy)
"${PYTHON:-python3}" -m venv "$work/env"
python=$work/env/bin/python
"$python" -m pip install -q -U pip deflate || { echo 'python: the package index has not given deflate'; exit 1; }
"$python" -m pip install -q --no-compile pytest ruff mypy 'pyright[nodejs]' typing_extensions twine "${libraries[@]//[._]/-}" &
"$python" backend.py --out "$work/dist" ${1:+--program "$1"}
wait $! || { echo 'python: the package index has not given pytest, ruff, mypy, pyright, twine and the libraries'; exit 1; }
"$work/env/bin/twine" check --strict "$work"/dist/*
"$work/env/bin/ruff" check -q --no-cache .
"$work/env/bin/ruff" format -q --no-cache --check .
"$work/env/bin/mypy" --cache-dir "$work/mypy"
"$work/env/bin/pyright" --pythonpath "$python"
"$python" -m pip install -q --no-index --no-deps "$work"/dist/*.whl
"$work/env/bin/chaffinch" version
required=${libraries[*]}
CHAFFINCH_REQUIRED=${required// /,} "$python" -m pytest -q -p no:cacheprovider tests
"$python" -m pip uninstall -q -y chaffinch
left=$(find "$work/env" -path '*chaffinch*' | head -n 3)
[ -z "$left" ] || { echo "python: left after uninstalling: $left"; exit 1; }
