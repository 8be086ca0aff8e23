# Sourced by the scripts here: sets $python to an interpreter that has the
# programs this module is compared with, and $library to ONNX Runtime's shared
# library. Made on first use in ~/.cache/chaffinch/transformer or where
# CHAFFINCH_TRANSFORMER_VENV says. Needs python3 and the network (PyPI).
reference=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=${CHAFFINCH_TRANSFORMER_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/transformer}
if ! cmp -s "$reference/requirements.txt" "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --upgrade pip
  "$venv/bin/pip" -q install -r "$reference/requirements.txt"
  cp "$reference/requirements.txt" "$venv/"
fi
python=$venv/bin/python
library=$(find "$venv/lib" -path "*/onnxruntime/capi/*" \( -name "libonnxruntime.so.*" -o -name "libonnxruntime.*.dylib" \) | sort | tail -n 1)
