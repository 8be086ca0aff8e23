package metadata

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCutByline compares cutByline with the pattern alone on random sequences of words and marks.
func TestCutByline(t *testing.T) {
	words := strings.Split("by|By|BY|of|von|Van|par|di|Diana|da|door|przez|od|av|af|author|Authors|autorin|auteurs|autore|text|interview|words|wordſ|redaktion|redaKtion|reporter|"+
		"автор|Автор|συντάκτης|ΣΥΝΤΆΚΤΗΣ|作者|文|记者|撰文|来源|编辑|view all posts|written|Posted|écrit|veröffentlicht|photo|photos|Jane|Doe|Zoë|O'Neil|x_by|by_x|2020|é|ő", "|")
	marks := strings.Split(" | |  |\t|: |:| : |：|/|-|, |«|\u00a0|", "|")
	r := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 50_000 {
		var b strings.Builder
		if r.IntN(4) == 0 {
			b.WriteString(marks[r.IntN(len(marks))])
		}
		for range 1 + r.IntN(5) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString(marks[r.IntN(len(marks))])
		}
		s := b.String()
		want := bylinePattern().ReplaceAllString(s, "")
		if got := cutByline(s); got != want {
			t.Fatalf("%q: %q, wanted %q", s, got, want)
		}
		if want != s {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("the pattern matched %d texts", matched)
	}
}
