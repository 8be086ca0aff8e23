# Sourced by the scripts here: makes the programs that run the rivals, and the
# array $programs of them; each takes --list, and --set DIR --out DIR [RIVAL ...].
# Needs python3, Go and cargo, and the network (PyPI, the Go module proxy,
# crates.io) on first use; without cargo the rivals in Rust are left out.
compare=$(dirname "${BASH_SOURCE[0]}")
. "$compare/venv.sh" "$compare"
native=${CHAFFINCH_COMPARE_NATIVE:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-native}
mkdir -p "$native"
(cd "$compare/go" && go build -trimpath -o "$native/rivals-go" .)
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$python" "$compare/rivals.py" >"$native/rivals-python"
chmod +x "$native/rivals-python"
programs=("$native/rivals-python" "$native/rivals-go")
if command -v cargo >/dev/null; then
  (cd "$compare/rust" && cargo build --quiet --release --locked --target-dir "$native/rust")
  programs+=("$native/rust/release/chaffinch-rivals")
else
  echo "no cargo: the rivals in Rust are left out" >&2
fi

# program RIVAL prints the program that runs the rival.
program() {
  local p
  for p in "${programs[@]}"; do
    case " $("$p" --list) " in *" $1 "*) echo "$p"; return ;; esac
  done
  echo "no rival $1: take of $(for p in "${programs[@]}"; do "$p" --list; done | xargs)" >&2
  return 2
}

# unpacked SET DATA TMP prints a folder with html/<id>.html of the set: that in
# DATA, or one below TMP to which DATA/SET.tar.zst is unpacked.
unpacked() {
  if [ -d "$2/$1" ]; then
    echo "$2/$1"
  elif [ -e "$2/$1.tar.zst" ]; then
    "$python" "$compare/unpack.py" "$2/$1.tar.zst" "$3/$1" && echo "$3/$1"
  else
    echo "no set $1 in $2" >&2
    return 2
  fi
}
