#!/usr/bin/env bash
# Draws the diagrams of the documentation, NAME.svg from each NAME.d2. Needs Go.
set -euo pipefail
cd "$(dirname "$0")"
for source in *.d2; do
	go run oss.terrastruct.com/d2@v0.7.1 --layout elk --theme 0 --dark-theme 200 --pad 10 "$source" "${source%.d2}.svg"
	chmod 644 "${source%.d2}.svg"
done
