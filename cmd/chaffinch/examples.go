package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// examples of the commands whose own help text has none.
var examples = map[string][]string{
	"dedup index info":   {"chaffinch dedup index info seen.index"},
	"dedup index forget": {"chaffinch dedup index forget seen.index --ids withdrawn.txt"},
	"dedup index merge":  {"chaffinch dedup index merge seen.index --memory 2GiB"},
	"bulk-perplexity":    {"chaffinch bulk-perplexity texts/ --output-dir clean/"},
	"tag-remover":        {"chaffinch tag-remover pages/ --output-dir texts/"},
	"train charset":      {"chaffinch train charset texts/ -o my.chf", "chaffinch train charset --lang gd stories.txt -o gd.chf"},
	"train words":        {"chaffinch train words news.txt.zst books/=0.5 -o en.chf", "chaffinch train words --order 2 --max-size 6MB dump/ -o small.chf"},
	"train sentences":    {"chaffinch train sentences --lang gd texts/ -o gd.rules"},
	"train stopwords":    {"chaffinch train stopwords texts/ -o lists.chf", "chaffinch train stopwords --lang gd stories.txt --text lists/"},
	"tokenize":           {"chaffinch tokenize --lang de book.txt -o book.tokens", "chaffinch tokenize --sentences --lang de book.txt", "chaffinch tokenize --detokenize book.tokens"},
	"model info":         {"chaffinch model info embedded", "chaffinch model info my.chf --json"},
	"model arpa":         {"chaffinch model arpa en.chf -o en.arpa"},
	"eval charset":       {"chaffinch eval charset --by encoding --worst 10"},
	"eval metadata":      {"chaffinch eval metadata --set wcxb-dev --field title"},
	"eval classify":      {"chaffinch eval classify -m blocks -m justext", "chaffinch eval classify --task swecore --task frecore -m lines"},
	"eval lm":            {"chaffinch eval lm --set daniel -m blocks -m justext --perfect"},
	"eval ir":            {"chaffinch eval ir --rank ql:mu=1000 --rank bm25 --tests", "chaffinch eval ir --pages wrapped -c med -m blocks -m justext --perfect --queries 10000", "chaffinch eval ir --qrels judged.qrels --run first.run --run second.run"},
	"eval report":        {"chaffinch eval report search.json classes.json models.json -o report.html"},
	"eval token":         {"chaffinch eval token --langs de,fr", "chaffinch eval token treebanks/"},
	"eval plagiarism":    {"chaffinch eval plagiarism", "chaffinch eval plagiarism pan/ --predictions out/=other"},
	"vertical check":     {"chaffinch vertical check corpus.vert.gz"},
	"vertical repair":    {"chaffinch vertical repair corpus.vert -o repaired.vert"},
	"vertical tokenize":  {"chaffinch vertical tokenize corpus.prevert -o corpus.vert --lang cs"},
	"vertical text":      {"chaffinch vertical text corpus.vert -o corpus.txt"},
	"vertical registry":  {"chaffinch vertical registry corpus.vert --columns word,lemma,tag"},
	"corpus index":       {"chaffinch corpus index corpus.vert -o corpus.idx", "chaffinch corpus index tagged.vert.gz --columns word,lemma,tag -o corpus.idx"},
	"corpus info":        {"chaffinch corpus info corpus.idx"},
	"corpus concordance": {`chaffinch corpus concordance corpus.idx '[lc="prendre"] []{0,2} "garde" within <s/>' --sort right --ref doc.url`},
	"warc ls":            {"chaffinch warc ls crawl.warc.gz"},
	"warc check":         {"chaffinch warc check crawl.warc.gz"},
	"warc extract":       {"chaffinch warc extract crawl.warc.gz --url https://example.org/ -o page.html", "chaffinch warc extract crawl.warc.gz --offset 1204 --as record"},
	"warc index":         {"chaffinch warc index crawl.warc.gz > crawl.cdxj"},
	"doctor":             {"chaffinch doctor"},
	"version":            {"chaffinch version"},
	"help":               {"chaffinch help corpus index"},
	"completion":         {"chaffinch completion bash > ~/.local/share/bash-completion/completions/chaffinch", "chaffinch completion fish > ~/.config/fish/completions/chaffinch.fish"},
	"man":                {"chaffinch man ~/.local/share/man/man1"},
}

// commandPath returns the words of a command, such as "corpus index".
func commandPath(node *kong.Node) string {
	var words []string
	for at := node; at != nil && at.Type == kong.CommandNode; at = at.Parent {
		words = append([]string{at.Name}, words...)
	}
	return strings.Join(words, " ")
}

// addExamples appends the examples to the help texts.
func addExamples(app *kong.Application) {
	for _, node := range app.Leaves(false) {
		if lines := examples[commandPath(node)]; lines != nil {
			node.Detail = strings.TrimLeft(node.Detail+"\n\nExamples:\n  "+strings.Join(lines, "\n  "), "\n")
		}
	}
}
