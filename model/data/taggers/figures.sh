#!/bin/sh
# Measures the taggers of models.tsv with the options of make.sh and prints a line
# for each: language, how it was measured, words, UPOS, features and lemmas in percent
# of the words of the treebank. Run it at the root of the project:
#
#	figures.sh UD LEX SILVER [LANG...]
#
# dev: learned from the train files, measured on the dev files. folds: a
# cross-validation of all files, if a treebank has no train file or a small one. half: learned from
# every other sentence and the silver corpus, measured on the other sentences.
set -eu
ud=$1 lex=$2 silver=$3
shift 3
chaffinch=${CHAFFINCH:-go run ./cmd/chaffinch}
here=model/data/taggers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -v '^#' $here/models.tsv | while IFS='	' read -r lang treebanks lexicon gold _; do
	if [ $# -gt 0 ]; then
		case " $* " in *" $lang "*) ;; *) continue ;; esac
	fi
	train= dev= how=dev
	for t in $treebanks; do
		if [ -f "$ud/$t/dev.conllu" ] && [ "$(cat "$ud/$t/train.conllu" 2>/dev/null | wc -c)" -gt "$(wc -c <"$ud/$t/dev.conllu")" ]; then
			train="$train $ud/$t/train.conllu" dev="$dev --dev $ud/$t/dev.conllu"
		else
			how=folds
		fi
	done
	if [ "$gold" = silver ]; then
		how=half
		cat "$ud/$treebanks"/*.conllu | awk -v RS= -v ORS='\n\n' -v d="$work" '{ print > (d "/" NR % 2 ".conllu") }'
		train="$work/0.conllu $work/0.conllu $work/0.conllu $work/0.conllu $silver/$lang.conllu" dev="--dev $work/1.conllu"
	elif [ $how = folds ]; then
		train= dev='--folds 5'
		for t in $treebanks; do train="$train $(echo "$ud/$t"/*.conllu)"; done
	fi
	words=
	if [ "$lexicon" = lexicon ]; then words="--lexicon $lex/$lang.tsv"; fi
	$chaffinch train tagger $train $dev $words -l "$lang" -q --json -o "$work/x.chf" 2>"$work/log" >"$work/card" ||
		{ cat "$work/log" >&2; continue; }
	awk -v lang="$lang" -v how=$how '
		/"(words|UPOS|UFeats|Lemmas)":/ { gsub(/[",:]/, ""); f[$1] = $2 }
		END { printf "%s\t%s\t%d\t%.2f\t%.2f\t%.2f\n", lang, how, f["words"], 100 * f["UPOS"], 100 * f["UFeats"], 100 * f["Lemmas"] }' "$work/card"
done
