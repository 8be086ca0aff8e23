package conllu

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// sample has a multiword token, an empty node, comments, and a form and lemma "_".
const sample = `# newdoc id = a
# text = I don't_ go.
1	I	I	PRON	PRP	Case=Nom	3	nsubj	_	_
2-3	don't	_	_	_	_	_	_	_	SpaceAfter=No
2	do	do	AUX	VBP	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	_	_	SYM	NFP	_	0	root	_	_
4.1	go	go	VERB	_	_	_	_	0:root	_
5	go	go	VERB	VB	_	4	x	_	SpaceAfter=No
6	.	.	PUNCT	.	_	4	punct	_	_

`

func read(s string) (list []*Sentence, err error) {
	for s, err := range NewReader("x.conllu", strings.NewReader(s)).All() {
		if err != nil {
			return list, err
		}
		list = append(list, s)
	}
	return list, nil
}

// TestRoundTrip: the written sentences are the read bytes.
func TestRoundTrip(t *testing.T) {
	list := must.Get(read(sample + sample))(t)
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, s := range list {
		must.Succeed(t, w.Write(s))
	}
	must.Succeed(t, w.Flush())
	if b.String() != sample+sample {
		t.Errorf("wrote %q", b.String())
	}
}

func TestTokens(t *testing.T) {
	list := must.Get(read("\ufeff" + strings.ReplaceAll(strings.TrimSuffix(sample, "\n"), "\n", "\r\n")))(t)
	if len(list) != 1 || !list[0].Begins() || list[0].Text() != "I don't_ go." || list[0].Line != 1 {
		t.Fatalf("sentences %+v", list)
	}
	join := func(list []Token) string {
		var b strings.Builder
		for _, t := range list {
			b.WriteString(t.Form + "/")
			if t.Space {
				b.WriteByte(' ')
			}
		}
		return b.String()
	}
	if got := join(list[0].Tokens()); got != "I/ don't/_/ go/./ " {
		t.Errorf("tokens %q", got)
	}
	if got := join(list[0].Segments()); got != "I/ do/n't/_/ go/./ " {
		t.Errorf("segments %q", got)
	}
	if got := list[0].Tokens()[1].Words; len(got) != 2 || got[1].Lemma != "not" {
		t.Errorf("words of don't: %v", got)
	}
}

// TestErrors: an error has the line and the rule, and is returned again.
func TestErrors(t *testing.T) {
	line := func(id string) string { return id + strings.Repeat("\tx", columns-1) + "\n" }
	for _, c := range []struct{ in, want string }{
		{"1\ta\n", "x.conllu:1: 2 columns, wanted the 10"},
		{"# c\n" + strings.Replace(line("1"), "x", "", 1), "x.conllu:2: column 2 is empty"},
		{line("1") + line("3"), "x.conllu:2: word number 3: wanted 2"},
		{line("1") + line("one"), `x.conllu:2: word number "one"`},
		{line("1") + line("+2"), `x.conllu:2: word number "+2"`},
		{line("2-1"), `x.conllu:1: range "2-1"`},
		{line("1") + line("1-2"), "x.conllu:2: range 1-2 before word 2"},
		{line("1-2") + line("1") + line("2-3"), "x.conllu:3: range 2-3 overlaps"},
		{line("1-2") + line("1") + "\n", "x.conllu:3: sentence of 1 words ends inside a range up to word 2"},
		{line("1-2") + line("1"), "x.conllu:3: sentence of 1 words ends inside a range up to word 2"},
		{line("1") + line("2.1"), "x.conllu:2: empty node 2.1: wanted 1.1"},
		{line("1") + line("1.x"), `x.conllu:2: empty node "1.x"`},
		{line("1") + "# c\n", "x.conllu:2: comment inside a sentence"},
		{line("1") + strings.Repeat("x", maxLine+1), "x.conllu:2: line of more than 1048576 bytes"},
	} {
		_, err := read(c.in)
		must.Fail(t, err, c.want)
	}
	r := NewReader("x", strings.NewReader("1\ta\n"))
	_, first := r.Next()
	if _, again := r.Next(); first == nil || !errors.Is(again, first) {
		t.Errorf("errors %v, then %v", first, again)
	}
	r = NewReader("x", strings.NewReader("\n\n# only a comment\n\n"))
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("without a sentence: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, in string) {
		list, err := read(in)
		if err != nil {
			return
		}
		var b bytes.Buffer
		w := NewWriter(&b)
		for _, s := range list {
			s.Tokens()
			must.Succeed(t, w.Write(s))
		}
		must.Succeed(t, w.Flush())
		again := must.Get(read(b.String()))(t)
		if len(again) != len(list) {
			t.Errorf("%d sentences, %d after writing", len(list), len(again))
		}
	})
}
