# Sourced by bash: sets CHAFFINCH_ONNXRUNTIME to ONNX Runtime's shared library, as
# the tests and the command of this module want it. Taken on first use from the
# Python package onnxruntime, in the version of reference/requirements.txt, into
# a venv in ~/.cache/chaffinch/onnxruntime or where CHAFFINCH_ONNXRUNTIME_VENV
# says. Needs python3 with venv, and the package index of pip, on first use only.
# Returns 1 and says what is missing if there is no library.
onnxruntime=$(grep '^onnxruntime==' "$(dirname "${BASH_SOURCE[0]}")/reference/requirements.txt")
onnxruntime_venv=${CHAFFINCH_ONNXRUNTIME_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/onnxruntime}
if [ "$(cat "$onnxruntime_venv/version" 2>/dev/null)" != "$onnxruntime" ]; then
  { python3 -m venv "$onnxruntime_venv" &&
    "$onnxruntime_venv/bin/pip" -q install --no-deps "$onnxruntime" &&
    echo "$onnxruntime" >"$onnxruntime_venv/version"; } || {
    echo "lab/transformer/library.sh: $onnxruntime could not be installed into $onnxruntime_venv: it needs python3 with venv, and pip must reach a package index" >&2
    return 1
  }
fi
CHAFFINCH_ONNXRUNTIME=$(find "$onnxruntime_venv/lib" -path '*/onnxruntime/capi/*' \( -name "libonnxruntime.so.${onnxruntime#*==}" -o -name "libonnxruntime.${onnxruntime#*==}.dylib" \))
[ -n "$CHAFFINCH_ONNXRUNTIME" ] || {
  echo "lab/transformer/library.sh: no libonnxruntime of version ${onnxruntime#*==} in $onnxruntime_venv: remove that folder to install it anew" >&2
  return 1
}
export CHAFFINCH_ONNXRUNTIME
