package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/alecthomas/kong"

	"chaffinch/internal/testkit"
)

// nasty would turn a terminal red, clear it, and turn text round.
const nasty = "x\x1b[31m\u009b2J\u202e\x07\r"

// steering finds what of nasty is left in messages.
func steering(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || r == 0x202e })
}

// TestMessagesQuote gives every command names and contents that would steer a
// terminal: none of its messages does.
func TestMessagesQuote(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, b := range map[string]string{
		nasty + ".jsonl": "{\"" + nasty + "\":1}\n", nasty + ".vert": "<" + nasty + ">\n</" + nasty + ">\n</doc " + nasty + "=\"1\">\n",
	} {
		if err := os.WriteFile(at(name), []byte(b), 0o666); err != nil {
			testkit.Lacks(t, "file names with control characters", err)
		}
	}
	told := 0
	check := func(args ...string) {
		t.Helper()
		var msg bytes.Buffer
		run(args, &console{strings.NewReader(""), new(bytes.Buffer), &msg})
		if steering(msg.String()) {
			t.Errorf("chaffinch %q: %q", args, msg.String())
		}
		if strings.Contains(msg.String(), `\x1b[31m\u009b2J\u202e`) {
			told++
		}
	}
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		if strings.HasPrefix(strings.Join(words, " "), "annotate ") {
			return // which wants a terminal
		}
		line := append([]string{}, words...)
		for range n.Positional {
			line = append(line, at(nasty))
		}
		if strings.Join(words, " ") == "crawl simulate" { // which needs no input, and would simulate 100,000 pages
			line = append(line, "--pages", "1000", "--hosts", "100")
		}
		check(line...)
		check(append(words, "--"+nasty)...)
	})
	for _, line := range [][]string{
		{"vertical", "check", at(nasty + ".vert")}, {"dedup", at(nasty + ".jsonl")}, {"dedup", at(nasty + ".vert")}, {"model", "info", nasty},
		{"clean", "--config", nasty, at(nasty + ".jsonl")}, {"clean", at(nasty + ".jsonl")}, {"perplexity", "--model", nasty, at(nasty + ".jsonl")},
	} {
		check(line...)
	}
	if told < 30 {
		t.Errorf("%d messages quote a name, wanted more", told)
	}
}
