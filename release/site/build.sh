#!/usr/bin/env bash
# Builds the site from the Markdown of the repository.
#
#   release/site/build.sh [OUT]      # default: dist/site
#
# OUT/VERSION holds the site of this version, OUT/versions.js the list of versions for the
# menu, OUT/index.html leads to the newest. Other versions in OUT stay. The site needs no
# server: open OUT/index.html. Needs Go and python3 with venv; MkDocs comes from the package index.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-dist/site}
version=$(sed -n 's/^const version = "\(.*\)"$/\1/p' cmd/chaffinch/version.go)
[ -n "$version" ] || { echo 'site: no version in cmd/chaffinch/version.go'; exit 2; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
env=${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch-site
if ! cmp -s release/site/requirements.txt "$env/requirements.txt"; then
	python3 -m venv --clear "$env"
	"$env/bin/pip" install --quiet --disable-pip-version-check --requirement release/site/requirements.txt
	cp release/site/requirements.txt "$env/"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp release/site/{mkdocs.yml,hooks.py} "$work/"
python3 release/site/stage.py "$work/pages"
rm -rf "${out:?}/$version"
NO_MKDOCS_2_WARNING=1 "$env/bin/mkdocs" build --quiet --config-file "$work/mkdocs.yml" --site-dir "$out/$version"
python3 release/site/stage.py --versions "$out"
