# Sourced by the scripts here: sets $python to an interpreter that has the
# pinned rivals, made on first use in ~/.cache/chaffinch/compare or where
# CHAFFINCH_COMPARE_VENV says. Needs python3 and the network (PyPI).
compare=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=${CHAFFINCH_COMPARE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare}
if ! cmp -s "$compare/requirements.txt" "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --upgrade pip # an old one cannot read the extras of lxml
  "$venv/bin/pip" -q install -r "$compare/requirements.txt"
  cp "$compare/requirements.txt" "$venv/"
fi
python=$venv/bin/python
