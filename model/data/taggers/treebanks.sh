#!/bin/sh
# Writes the train and dev files of the treebanks in treebanks.tsv:
# OUT/TREEBANK/train.conllu and OUT/TREEBANK/dev.conllu. Test files are never
# read. Run it at the root of the project:
#
#	treebanks.sh REPOS OUT [TREEBANK...]
#
# REPOS holds a clone of each repository UD_TREEBANK, with its tags, as
# REPOS/UD_TREEBANK. Columns of treebanks.tsv: treebank, language, commit,
# licence, source of the train file, words of train and dev. Sources are:
#
#	train		the train file at the commit
#	documents	the documents of the repository's list of train files
#	ids		the documents, filtered by the repository's list of train sentences
#	TAG		the train file of an older release, without sentences of today's dev file
#	dev		no train file: only dev.conllu is written
set -eu
table=model/data/taggers/treebanks.tsv
repos=$1 out=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# parts prints the files of a part (train or dev) at a commit or tag, joined.
parts() {
	git -C "$repo" ls-tree --name-only "$1" | grep "ud-$2.*\.conllu\$" | grep -v test | while read -r name; do
		git -C "$repo" cat-file blob "$1:$name"
	done
}

# documents prints the files whose paths it reads from standard input, joined.
documents() {
	sed "s|^|$1:|" | git -C "$repo" cat-file --batch='%(objecttype)' | grep -v '^blob$\|missing$' | cat -s
}

# without prints the sentences of standard input whose text is not in file $1.
without() {
	awk -v RS= -v ORS='\n\n' -v skip="$1" '
		function text(s) { return match(s, /(^|\n)# text = [^\n]*/) ? substr(s, RSTART, RLENGTH) : s }
		BEGIN { while ((getline s < skip) > 0) { t = text(s); sub(/^\n/, "", t); seen[t] = 1 } }
		{ t = text($0); sub(/^\n/, "", t); if (!(t in seen)) print }'
}

# contract marks the words σ and του of Greek-GUD, which writes "σ του", as the token στου.
contract() {
	awk -F'\t' -v OFS='\t' '
		held != "" && $2 ~ /^τ/ { print n "-" $1, "σ" $2, "_", "_", "_", "_", "_", "_", "_", "_" }
		held != "" { print held; held = "" }
		$2 == "σ" { held = $0; n = $1; next }
		{ print }'
}

words() {
	if [ -f "$1" ]; then grep -c '^[0-9]*	' "$1"; else echo 0; fi
}

grep -v '^#' "$table" | while IFS='	' read -r treebank lang commit licence source train dev; do
	if [ $# -gt 0 ]; then
		case " $* " in *" $treebank "*) ;; *) continue ;; esac
	fi
	repo=$repos/UD_$treebank
	mkdir -p "$out/$treebank"
	parts "$commit" dev >"$work/dev"
	case $source in
	train) parts "$commit" train >"$work/train" ;;
	documents)
		git -C "$repo" cat-file blob "$commit:not-to-release/file-lists/files.train" |
			sed 's/\.conllu$//; s/$/.conllu/; s|^|not-to-release/sources/|' | documents "$commit" >"$work/train"
		;;
	ids)
		git -C "$repo" ls-tree -r --name-only "$commit" not-to-release/documents/ | grep '\.conllu$' | documents "$commit" >"$work/all"
		list=$(git -C "$repo" ls-tree -r --name-only "$commit" not-to-release/ | grep 'ud-train\.txt$')
		git -C "$repo" cat-file blob "$commit:$list" >"$work/ids"
		awk -v RS= -v ORS='\n\n' -v list="$work/ids" '
			BEGIN { RS = "\n"; while ((getline id < list) > 0) { sub(/\r$/, "", id); want[id] = 1 }; RS = "" }
			match($0, /# sent_id = [^\n]*/) { if (substr($0, RSTART + 12, RLENGTH - 12) in want) print }' "$work/all" >"$work/train"
		;;
	dev) : >"$work/train" ;;
	*) parts "$source" train | without "$work/dev" >"$work/train" ;;
	esac
	for part in train dev; do
		case $treebank in
		Portuguese-Bosque) awk -F'\t' -v OFS='\t' 'NF == 10 { $5 = "_" } { print }' <"$work/$part" >"$out/$treebank/$part.conllu" ;; # tags of train have syntactic functions
		Greek-GUD) contract <"$work/$part" >"$out/$treebank/$part.conllu" ;;
		*) cp "$work/$part" "$out/$treebank/$part.conllu" ;;
		esac
		[ -s "$out/$treebank/$part.conllu" ] || rm "$out/$treebank/$part.conllu"
	done
	got="$(words "$out/$treebank/train.conllu") $(words "$out/$treebank/dev.conllu")"
	if [ "$got" != "$train $dev" ]; then
		echo "treebanks.sh: $treebank: $got words of train and dev (want $train $dev)" >&2
	fi
done
