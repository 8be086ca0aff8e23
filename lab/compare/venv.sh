# Sourced by the scripts here with the folder of a requirements.txt: sets $python to the interpreter of the
# virtual environment $venv, which has these packages. It is made on first use in ~/.cache/chaffinch/compare-FOLDER
# (compare for this folder), or beside CHAFFINCH_COMPARE_VENV. Needs python3 and the network (PyPI).
compare=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) packages=$(cd "$1" && pwd)
venv=${CHAFFINCH_COMPARE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare}
[ "$packages" = "$compare" ] || venv+=-${packages##*/}
if ! cmp -s "$packages/requirements.txt" "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --upgrade pip # an old one cannot read the extras of lxml
  "$venv/bin/pip" -q install -r "$packages/requirements.txt"
  cp "$packages/requirements.txt" "$venv/"
fi
python=$venv/bin/python
