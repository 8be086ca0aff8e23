package segment

import (
	"context"
	"io"
	"path"
	"strings"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/text/token"
)

const treebank = `# newdoc
# sent_id = 1
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	_	_	_	_	_	_	_
2	n't	not	_	_	_	_	_	_	_
3	go	go	_	_	_	_	_	_	SpaceAfter=No
3.1	x	_	_	_	_	_	_	_	_
4	.	.	_	_	_	_	_	_	_

1-2	du	_	_	_	_	_	_	_	SpaceAfter=No
1	de	de	_	_	_	_	_	_	_
2	le	le	_	_	_	_	_	_	_
3	?	?	_	_	_	_	_	_	_

# newpar
1	New	new	_	_	_	_	_	_	_
`

func TestRead(t *testing.T) {
	g, err := read("x/en_test-ud-dev.conllu", strings.NewReader(treebank))
	if err != nil || g.Lang != "en" || len(g.Texts) != 2 {
		t.Fatal(g, err)
	}
	first := g.Texts[0]
	if first.Text != "Don't go. du? " || g.Texts[1].Text != "New " {
		t.Errorf("%q, %q", first.Text, g.Texts[1].Text)
	}
	var tokens []string
	for _, s := range first.Tokens {
		tokens = append(tokens, first.Text[s.Start:s.End])
	}
	must.Equal(t, strings.Join(tokens, " "), "Do n't go . du ?", "tokens")
	if s := first.Sentences; len(s) != 2 || s[0] != (token.Span{Start: 0, End: 9}) || s[1] != (token.Span{Start: 10, End: 13}) {
		t.Errorf("sentences %v", s)
	}
	must.Fail(t, must.Err(read("de.conllu", strings.NewReader("1\ta\n"))), "de.conllu:1: 2 columns")
	g, err = read("deu.txt", strings.NewReader("Eins.\n\n Zwei. \n"))
	if err != nil || g.Lang != "de" || len(g.Texts) != 1 || g.Texts[0].Text != "Eins. Zwei. " || len(g.Texts[0].Sentences) != 2 {
		t.Error(g, err)
	}
}

// TestSetOfFile: a set may be a single file.
func TestSetOfFile(t *testing.T) {
	file := must.File(t, "en_test-ud-dev.conllu", treebank)
	results, data, err := Set(context.Background(), file, nil, nil, false)
	if err != nil || len(results) != 1 || data.Files != 1 || results[0].Ours.Tokens.Gold != 7 {
		t.Errorf("%v, %+v, %v", results, data, err)
	}
}

func TestEvaluate(t *testing.T) {
	g, _ := read("en.conllu", strings.NewReader(treebank))
	fixed := func(text string, w, s []token.Span) ([]token.Span, []token.Span) {
		if len(text) < 10 {
			return append(w, token.Span{Start: 0, End: 3}), append(s, token.Span{Start: 0, End: 3})
		}
		// Don't | go | . | du?; the sentence end after "go." only
		return append(w, token.Span{Start: 0, End: 5}, token.Span{Start: 6, End: 8}, token.Span{Start: 8, End: 9}, token.Span{Start: 10, End: 13}),
			append(s, token.Span{Start: 0, End: 9}, token.Span{Start: 9, End: 13})
	}
	sc := evaluate(g, fixed)
	if sc.Tokens != (Counts{Found: 5, Gold: 7, Hits: 3}) || sc.Sentences != (Counts{Found: 3, Gold: 3, Hits: 2}) {
		t.Errorf("%+v", sc)
	}
	must.Equal(t, sc.Tokens.F(), .5, "F")
	if sc := evaluate(g, rules("en")); sc.Tokens.Hits != 7 || sc.Tokens.Found != 7 {
		t.Errorf("rules: %+v", sc)
	}
	if sc := evaluate(g, annex); sc.Tokens.Hits != 5 || sc.Tokens.Found != 6 {
		t.Errorf("annex: %+v", sc)
	}
}

// TestAboveAnnex checks that in every language with rules, sentences of news
// are found better than by UAX 29 alone.
func TestAboveAnnex(t *testing.T) {
	langs := 0
	err := archive.Walk(testkit.Data(t, "text/ntrex.tar.zst"), func(name string, r io.Reader) error {
		g, err := read(name, r)
		if err != nil || path.Ext(name) != ".txt" || token.For(g.Lang).Lang() == token.For("").Lang() {
			return err
		}
		langs++
		if ours, annex := evaluate(g, rules(g.Lang)).Sentences.F(), evaluate(g, annex).Sentences.F(); ours <= annex {
			t.Errorf("%s: F %.4f, UAX 29 alone %.4f", g.Name, ours, annex)
		}
		return nil
	})
	if err != nil || langs < 40 {
		t.Errorf("%d languages, %v", langs, err)
	}
}

// rules returns the splitter of package token for a language.
func rules(lang string) Splitter { return token.For(lang).Split }
