package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// stdinCases are a run of each command that reads standard input. DIR is an empty
// folder, which holds an index of dedup.
var stdinCases = []string{
	"bulk-perplexity -", "clean -", "clean - -o DIR/x.jsonl", "clean - -o DIR/x.jsonl --dedup exact", "convert -", "corpus index -o DIR/x", "crawl run - --contact a@example.org -o DIR/x", "dedup run -", "dedup run - -o DIR/x",
	"dedup index forget DIR/index --ids -", "detect charset -", "detect lang -", "detect lang --lines -", "detect labels --registers -", "detect labels --registers --lines -", "explain -", "filter run - -r c4", "filter apply - -r c4", "filter sites - -r c4 -o DIR/x", "mcp", "train filter-limits - -o DIR/x", "train nontext - -o DIR/x",
	"perplexity", "perplexity --calibrate 0.9", "plagiarism index - -o DIR/x", "plagiarism search - --sources ../../examples/pages", "plagiarism task -",
	"tag-remover -", "tokenize --lang en -", "tokenize --detokenize -", "vertical conllu -", "vertical check -", "vertical repair -", "vertical tag --columns x --tagger cat -", "vertical text -",
	"vertical tokenize -", "worker", "warc check -", "warc ls -", "warc index -", "warc extract - --url https://pages.example/",
}

// TestStdinCases fails on a command that documents standard input and has no case.
func TestStdinCases(t *testing.T) {
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		help := ""
		for _, f := range flags {
			help += f.Help
		}
		for _, a := range n.Positional {
			help += a.Help
		}
		name := strings.Join(words, " ")
		has := slices.ContainsFunc(stdinCases, func(c string) bool { return strings.HasPrefix(c+" ", name+" ") })
		if strings.Contains(help, "standard input") && !has {
			t.Errorf("chaffinch %s has no case", name)
		}
	})
}

// idle is standard input that pauses forever after some bytes. It requests the end of the
// command when the command waits.
type idle struct {
	t    *testing.T
	some io.Reader
	ask  sync.Once
}

func (r *idle) Read(p []byte) (int, error) {
	if n, err := r.some.Read(p); err == nil {
		return n, nil
	}
	r.ask.Do(func() { terminate(r.t) })
	select {}
}

// TestIdleStdin: a signal ends every command that waits for standard input, at
// its beginning or later.
func TestIdleStdin(t *testing.T) {
	for i, c := range stdinCases {
		some := ""
		if i%2 == 1 {
			some = "word\nanother word\n"
		}
		dir := t.TempDir()
		if strings.Contains(c, "DIR/index") {
			run([]string{"dedup", "run", "-q", "-m", "exact", "-", "-o", filepath.Join(dir, "d"), "--index", filepath.Join(dir, "index"), "--update"},
				&console{strings.NewReader("word\n"), io.Discard, io.Discard})
		}
		var out, msg bytes.Buffer
		ended := make(chan int, 1)
		go func() {
			ended <- run(strings.Fields(strings.ReplaceAll(c, "DIR", dir)), &console{&idle{t: t, some: strings.NewReader(some)}, &out, &msg})
		}()
		select {
		case code := <-ended:
			if code != 143 || !strings.Contains(msg.String(), "stopped") || strings.Contains(msg.String(), "could not be read") {
				t.Errorf("chaffinch %s: code %d: %s", c, code, msg.Bytes())
			}
		case <-time.After(time.Minute): // it hangs
			t.Fatalf("chaffinch %s with %q on standard input does not end", c, some)
		}
	}
}
