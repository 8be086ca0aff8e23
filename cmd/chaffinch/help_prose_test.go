package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// maxHelpWords is the maximum number of words of a sentence in the help.
const maxHelpWords = 25

var (
	// aside matches text in parentheses, such as a list of values.
	aside = regexp.MustCompile(`\([^()]*\)`)
	// helpEnd matches the end of a sentence, or of a part of it before a list.
	helpEnd = regexp.MustCompile(`[.!?:;](?:\s|$)|\n\s*\n|\n  `)
)

// longSentences returns the sentences of a help text that are too long. Text in parentheses does
// not count, nor do lists of single words.
func longSentences(help string) (long []string) {
	for _, s := range helpEnd.Split(aside.ReplaceAllString(help, ""), -1) {
		words := 0
		for part := range strings.SplitSeq(s, ",") {
			if n := len(strings.Fields(part)); n > 1 {
				words += n
			}
		}
		if words > maxHelpWords {
			long = append(long, strings.Join(strings.Fields(s), " "))
		}
	}
	return long
}

// TestHelpSentences wants sentences in the help of commands and flags that can be read at once.
func TestHelpSentences(t *testing.T) {
	long := strings.Repeat("of a page ", 9)
	if n := len(longSentences(long + ". Values: " + strings.Repeat("value, ", 40) + "(" + long + "). Read " + long)); n != 2 {
		t.Errorf("%d long sentences, want 2", n)
	}
	told := map[string]bool{}
	check := func(where, help string) {
		for _, s := range longSentences(help) {
			if !told[s] {
				t.Errorf("%s: more than %d words: %s", where, maxHelpWords, s)
			}
			told[s] = true
		}
	}
	eachCommand(t, func(words []string, node *kong.Node, flags []*kong.Flag) {
		where := strings.Join(words, " ")
		for n := node; n != nil; n = n.Parent {
			check(where, n.Help)
			check(where, n.Detail)
		}
		for _, p := range node.Positional {
			check(where+" "+p.Name, p.Help)
		}
		for _, f := range flags {
			check(where+" --"+f.Name, f.Help)
		}
	})
}

// TestChoices: the help marks the value of a flag that takes several values once, and lists choices
// with spaces.
func TestChoices(t *testing.T) {
	eachCommand(t, func(words []string, _ *kong.Node, flags []*kong.Flag) {
		for _, f := range flags {
			if p := f.FormatPlaceHolder(); strings.Count(p, ",...") > 1 {
				t.Errorf("%s --%s: %s", strings.Join(words, " "), f.Name, p)
			}
			if choices := strings.TrimPrefix(f.Enum, ","); strings.Contains(choices, ",") && strings.Contains(f.Help, choices) {
				t.Errorf("%s --%s: choices without spaces: %s", strings.Join(words, " "), f.Name, f.Help)
			}
		}
	})
}
