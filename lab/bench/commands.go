//go:build unix

package main

import (
	"fmt"
	"strings"
)

// command is a row of the table: a command and its inputs. In args {NAME} is an input, which is
// created first, {j} the number of cores, and {out} an output path.
type command struct {
	name, args string
	in         string // the input on standard input, "" for none
	of         string // the input whose size is used for the speed, "" for the first one
}

// commands lists all measured commands.
var commands = []command{
	{name: "Start/version", args: "version"},
	{name: "Start/one-page", args: "clean {page}"},
	{name: "Clean/html", args: "clean -q -j {j} -f text -o {out} --force {pages}"},
	{name: "Clean/html-jsonl", args: "clean -q -j {j} -f jsonl -o {out} --force {pages}"},
	{name: "Clean/warc-gz", args: "clean -q -j {j} -f text -o {out} --force {pages.warc.gz}", of: "pages"},
	{name: "Clean/dense", args: "clean -q -j {j} -f text -o {out} --force {dense}"},
	{name: "Clean/dense-jsonl", args: "clean -q -j {j} -f jsonl -o {out} --force {dense}"},
	{name: "Clean/dense-vertical", args: "clean -q -j {j} -f vertical -o {out} --force {dense}"},
	{name: "Clean/lines", args: "clean -q -j {j} -m lines -f text -o {out} --force {lines.wet}"},
	{name: "Clean/lines-fast", args: `clean -q -j {j} -m lines --config={"model":"fast"} -f text -o {out} --force {lines.wet}`},
	{name: "Clean/lines-keep", args: "clean -q -j {j} -m keep -f text -o {out} --force {lines.wet}"},
	{name: "Clean/justext", args: "clean -q -j {j} -m justext -f text -o {out} --force {pages}"},
	{name: "Clean/ncleaner", args: "clean -q -j {j} -m ncleaner -f text -o {out} --force {pages}"},
	{name: "Clean/perplexity", args: "clean -q -j {j} -m perplexity -f text -o {out} --force {pages}"},
	{name: "Clean/keep", args: "clean -q -j {j} -m keep -f text -o {out} --force {pages}"},
	{name: "WARC/check-gz", args: "warc check {pages.warc.gz}", of: "pages"},
	{name: "WARC/ls-gz", args: "warc ls {pages.warc.gz}", of: "pages"},
	{name: "Build/training-data", args: "build training-data -q -j {j} -o {out} --force {pages.warc.gz}", of: "pages"},
	{name: "Detect/lang-lines", args: "detect lang --lines {ntrex.txt}"},
	{name: "Detect/lang-documents", args: "detect lang {texts.jsonl}"},
	{name: "Detect/lang-pages", args: "detect lang {pages}"},
	{name: "Detect/charset", args: "detect charset {pages}"},
	{name: "Perplexity", args: "perplexity", in: "en.txt"},
	{name: "Tokenize", args: "tokenize --lang en -o {out} {en.txt}"},
	{name: "Filter/fineweb", args: "filter -q -j {j} --rules fineweb_corpus -o {out} --force {texts.jsonl}"},
	{name: "Dedup/onion", args: "dedup -q -j {j} -o {out} --force {grown-20MB.jsonl}"},
	{name: "Dedup/exact", args: "dedup -q -j {j} -m exact -o {out} --force {grown-20MB.jsonl}"},
	{name: "Dedup/minhash", args: "dedup -q -j {j} -m minhash -o {out} --force {grown-20MB.jsonl}"},
	{name: "Dedup/minhash-verify", args: "dedup -q -j {j} -m minhash --verify 0.7 -o {out} --force {grown-20MB.jsonl}"},
	{name: "Dedup/minhash-text-dedup", args: "dedup -q -j {j} -m minhash --preset text-dedup -o {out} --force {grown-20MB.jsonl}"},
	{name: "Corpus/index", args: "corpus index -q -o {out} {texts.vert}"},
	{name: "Plagiarism/index", args: "plagiarism index -q -o {out} {texts.jsonl}"},
	{name: "Plagiarism/search", args: "plagiarism search -q --sources {texts.jsonl} {grown-20MB.jsonl}"},
	{name: "Train/words-2", args: "train words -q --order 2 -o {out} {en.txt}"},
	{name: "Train/words-3", args: "train words -q --order 3 -o {out} {en.txt}"},
}

// growth returns the commands whose cost is measured at 1, 10 and 50 times a size.
func growth() (list []command) {
	for _, c := range []command{
		{name: "clean", args: "clean -q -j {j} -f text -o {out} --force {pages-200.warc.gz}"},
		{name: "clean-jsonl", args: "clean -q -j {j} -f jsonl -o {out} --force {pages-200.warc.gz}"},
		{name: "build", args: "build training-data -q -j {j} -o {out} --force {pages-200.warc.gz}"},
		{name: "tokenize", args: "tokenize --lang en -o {out} {en-4MB.txt}"},
		{name: "train-words", args: "train words -q --order 2 -o {out} {en-4MB.txt}"},
		{name: "filter", args: "filter -q -j {j} --rules fineweb_corpus -o {out} --force {grown-4MB.jsonl}"},
		{name: "dedup-exact", args: "dedup -q -j {j} -m exact -o {out} --force {grown-4MB.jsonl}"},
		{name: "dedup-onion", args: "dedup -q -j {j} -o {out} --force {grown-4MB.jsonl}"},
		{name: "dedup-minhash", args: "dedup -q -j {j} -m minhash --verify 0.7 -o {out} --force {grown-4MB.jsonl}"},
		{name: "corpus-index", args: "corpus index -q -o {out} {grown-4MB.vert}"},
		{name: "plagiarism-index", args: "plagiarism index -q -o {out} {grown-4MB.jsonl}"},
		{name: "plagiarism-search", args: "plagiarism search -q --sources {grown-4MB.jsonl} {texts.jsonl}"},
	} {
		for _, times := range []int{1, 10, 50} {
			sized := strings.NewReplacer("-4MB", fmt.Sprintf("-%dMB", 4*times), "-200.", fmt.Sprintf("-%d.", 200*times))
			list = append(list, command{name: fmt.Sprintf("Growth/%s/times=%d", c.name, times), args: sized.Replace(c.args)})
		}
	}
	return list
}

// names returns the inputs of a command, first the one whose size is used.
func (c command) names() (list []string) {
	if c.of != "" {
		list = append(list, c.of)
	}
	if c.in != "" {
		list = append(list, c.in)
	}
	for _, w := range strings.Fields(c.args) {
		if strings.HasPrefix(w, "{") && w != "{j}" && w != "{out}" {
			list = append(list, strings.Trim(w, "{}"))
		}
	}
	return list
}
