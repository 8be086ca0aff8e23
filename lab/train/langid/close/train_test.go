package close

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/text/langid/close"
)

const (
	bokmaal = "jeg ikke en hun av hva mye noen å være et hus på veien ved vannet hvor mange kommer hjem"
	nynorsk = "eg ikkje ein ho av kva mykje nokon å vere eit hus på vegen ved vatnet kor mange kjem heim"
)

// sentences returns n lines of a vocabulary.
func sentences(vocabulary string, n, seed int) string {
	words := strings.Fields(vocabulary)
	var b strings.Builder
	for i := range n {
		for k := range 8 {
			b.WriteString(words[(i*31+k*k*7+k*i+seed)%len(words)])
			b.WriteByte(' ')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func corpus(t *testing.T) *Corpus {
	t.Helper()
	c := new(Corpus)
	for seed, source := range []string{"news", "novels", "web"} {
		must.Succeed(t, c.Add(source, "nb", strings.NewReader(sentences(bokmaal, 100, seed))))
		must.Succeed(t, c.Add(source, "nn", strings.NewReader(sentences(nynorsk, 100, 3*seed))))
		must.Succeed(t, c.Add(source, "de-AT", strings.NewReader(sentences("der Jänner und die Marille im Kasten ist heuer", 60, seed))))
		must.Succeed(t, c.Add(source, "de-DE", strings.NewReader(sentences("der januar und die aprikose im schrank ist diesjahr", 60, seed))))
	}
	return c
}

func TestTrain(t *testing.T) {
	tr := must.Get(Train(t.Context(), Default, corpus(t), nil))(t)
	if len(tr.Groups) != 2 || tr.Groups[0].Name != "nordic" || tr.Groups[1].Variety != "de" {
		t.Fatalf("%+v", tr.Groups)
	}
	if len(tr.Unseen) != 6 {
		t.Fatalf("%d results on unseen sources, want 3 for each group", len(tr.Unseen))
	}
	for _, u := range tr.Unseen {
		if u.Line < .99 || u.Ten < .99 {
			t.Errorf("%+v", u)
		}
	}
	saved := func(tr *Trained) []byte {
		path := filepath.Join(t.TempDir(), "made.chf")
		must.Succeed(t, tr.Save(path, model.Header{Name: "made"}))
		return must.Read(t, path)
	}
	b := saved(tr)
	again := must.Get(Train(t.Context(), Default, corpus(t), nil))(t)
	if !bytes.Equal(b, saved(again)) {
		t.Error("the same text gave other bytes")
	}
	groups := must.Get(close.Parse("made", b))(t)
	for text, want := range map[string]string{"eg ser ikkje vatnet": "nn", "jeg ser ikke vannet": "nb"} {
		var s close.Scores
		var p [close.MaxMembers]float64
		groups[0].Read(text, &s)
		groups[0].Probabilities(&s, 3, &p)
		best := 0
		if p[1] > p[0] {
			best = 1
		}
		if groups[0].Members[best] != want || p[best] < .8 {
			t.Errorf("%q: %v of %v, want %s", text, p[:2], groups[0].Members, want)
		}
	}
}

// TestOneSource wants a source with text of only one member to have no effect.
func TestOneSource(t *testing.T) {
	c := corpus(t)
	must.Succeed(t, c.Add("messages", "nb", strings.NewReader(strings.Repeat("slett filen fra skjermen\n", 50))))
	must.Succeed(t, c.Add("messages", "sv", strings.NewReader("en rad\n")))
	g := Group{Name: "x", Members: []string{"nb", "nn"}}
	tr := newTrainer(Default, script(c.texts(&g)), 2, c.texts(&g))
	use := make([]bool, len(tr.sources))
	for i, s := range tr.sources {
		use[i] = s.name != "messages"
	}
	without := tr.weights(use)
	for i := range use {
		use[i] = true
	}
	if with := tr.weights(use); !slices.Equal(with, without) {
		t.Error("a source without nn changed the weights")
	}
}

func TestTrainErrors(t *testing.T) {
	c := new(Corpus)
	must.Fail(t, must.Err(Train(t.Context(), Default, c, nil)), "no language")
	must.Succeed(t, c.Add("a", "nb", strings.NewReader("en linje\n")))
	must.Fail(t, must.Err(Train(t.Context(), Default, c, nil)), "nb")
	bad := Default
	bad.Folds = 1
	if _, err := Train(t.Context(), bad, corpus(t), nil); err == nil {
		t.Error("one fold was taken")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	must.Is(t, must.Err(Train(ended, Default, corpus(t), nil)), context.Canceled)
}
