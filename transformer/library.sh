# Sourced: sets CHAFFINCH_ONNXRUNTIME to ONNX Runtime's shared library, as the
# tests and the command of this module want it. Taken on first use from the
# Python package onnxruntime, in the version of reference/requirements.txt, into
# a venv in ~/.cache/chaffinch/onnxruntime or where CHAFFINCH_ONNXRUNTIME_VENV
# says. Needs python3, and the network (PyPI) on first use only.
onnxruntime=$(grep '^onnxruntime==' "$(dirname "${BASH_SOURCE[0]}")/reference/requirements.txt")
onnxruntime_venv=${CHAFFINCH_ONNXRUNTIME_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/onnxruntime}
if [ "$(cat "$onnxruntime_venv/version" 2>/dev/null)" != "$onnxruntime" ]; then
  python3 -m venv "$onnxruntime_venv"
  "$onnxruntime_venv/bin/pip" -q install --no-deps "$onnxruntime"
  echo "$onnxruntime" >"$onnxruntime_venv/version"
fi
CHAFFINCH_ONNXRUNTIME=$(find "$onnxruntime_venv/lib" -path '*/onnxruntime/capi/*' \( -name "libonnxruntime.so.${onnxruntime#*==}" -o -name "libonnxruntime.${onnxruntime#*==}.dylib" \))
export CHAFFINCH_ONNXRUNTIME
