package clean

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// short keeps blocks of at least its number of bytes.
type short int

func (s short) Name() string { return "short" }
func (s short) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	if s < 0 {
		return nil, errors.New("broken")
	}
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		out[i].Label = page.Bad
		if len(p.Blocks[i].Text) >= int(s) {
			out[i].Label = page.Good
		}
	}
	return out, nil
}

func blocks(texts ...string) *page.Page {
	p := &page.Page{}
	for _, t := range texts {
		b := page.Block{Text: t}
		if t[0] == '!' {
			b.Hidden = true
		}
		p.Blocks = append(p.Blocks, b)
	}
	return p
}

// inText is plain text.
func inText(texts ...string) *page.Page {
	p := blocks(texts...)
	for i := range p.Blocks {
		p.Blocks[i].Element = -1
	}
	return p
}

// foreign is a page in German.
func foreign(texts ...string) *page.Page {
	p := blocks(texts...)
	p.Lang = "de-AT"
	return p
}

func labels(p *page.Page) (s string) {
	for i := range p.Blocks {
		s += p.Blocks[i].Label.String()[:1]
	}
	return s
}

func TestStage(t *testing.T) {
	for _, c := range []struct {
		stage *Stage
		page  *page.Page
		want  string
		drop  page.Reason
	}{
		{&Stage{Labeller: Keep{}}, blocks("a", "!hidden", "b"), "gbg", page.None},
		{&Stage{Labeller: Keep{}, KeepHidden: true}, blocks("a", "!hidden", "b"), "ggg", page.None},
		{&Stage{Labeller: short(3)}, blocks("a", "!hidden", "bcd"), "bbg", page.None},
		{&Stage{Labeller: short(3)}, blocks("a", "!hidden"), "bb", page.AllBad},
		{&Stage{Labeller: short(3)}, blocks("!hidden"), "b", page.NoText},
		{&Stage{Labeller: short(3)}, blocks(), "", page.NoText},
		{&Stage{Labeller: Vote{[]Labeller{short(2), short(3), short(4)}}}, blocks("a", "ab", "abc", "!hidden", "abcd"), "bbgbg", page.None},
		{&Stage{Labeller: Vote{[]Labeller{short(2), short(4)}}}, blocks("abc", "abcd"), "bg", page.None},
		{&Stage{Labeller: Vote{[]Labeller{short(3), OneLanguage{short(1), "en"}, short(4)}}}, foreign("a", "abc", "abcd"), "bbg", page.None},
		{&Stage{Labeller: Vote{[]Labeller{OneLanguage{Keep{}, "en"}}}}, foreign("abc"), "u", page.NoModel},
		{&Stage{Labeller: OneLanguage{Keep{}, "en"}}, foreign("abc", "!hidden"), "ub", page.NoModel},
		{&Stage{Labeller: ByForm{HTML: short(3), Text: Keep{}}}, blocks("ab", "abc"), "bg", page.None},
		{&Stage{Labeller: ByForm{HTML: short(3), Text: Keep{}}}, inText("ab", "abc"), "gg", page.None},
	} {
		must.Succeed(t, c.stage.Do(t.Context(), c.page))
		if got := labels(c.page); got != c.want || c.page.Drop != c.drop {
			t.Errorf("%s on %d blocks: labels %s drop %q, want %s %q", c.stage.Name(), len(c.page.Blocks), got, c.page.Drop, c.want, c.drop)
		}
	}
	p := blocks("abc", "!hidden", "a")
	s := Stage{Labeller: Vote{[]Labeller{short(2), short(3), short(9)}}}
	must.Succeed(t, s.Do(t.Context(), p))
	if got := len(p.Blocks[0].Verdicts); got != 3 {
		t.Errorf("%d verdicts kept, want those of all 3 methods", got)
	}
	if b := &p.Blocks[1]; b.Reason != "hidden" || len(b.Verdicts) != 0 {
		t.Errorf("hidden block: %+v", b.Verdict)
	}
	if err := (&Stage{Labeller: short(-1)}).Do(t.Context(), blocks("a")); err == nil {
		t.Error("the error of the method is lost")
	}
}

// alone is a method whose verdicts are final.
type alone struct{ short }

func (alone) Cells() bool { return true }

// TestWholes: a table or a list is kept or dropped like most of its text, after any method
// except those that decide it themselves.
func TestWholes(t *testing.T) {
	table := func(texts ...string) *page.Page {
		p := blocks(texts...)
		p.Elements = []page.Element{{Parent: -1, Name: "body"}, {Parent: 0, Name: "table", Data: true}, {Parent: 0, Name: "ul"}, {Parent: 2, Name: "li"}, {Parent: 2, Name: "li"}}
		for i := range p.Blocks {
			p.Blocks[i].Element = 1
		}
		return p
	}
	for _, c := range []struct {
		name   string
		method Labeller
		p      *page.Page
		want   string
		why    string // of the first block
	}{
		{"kept", short(4), table("ab", "long enough"), "gg", "its table is kept"},
		{"left out", short(12), table("ab cd ef", "gh ij kl", "long enough!"), "bbb", ""},
		{"after a vote", Vote{[]Labeller{short(4)}}, table("ab", "long enough"), "gg", ""},
		{"the method's own", alone{short(4)}, table("ab", "long enough"), "bg", ""},
		{"no label", OneLanguage{short(4), "fr"}, func() *page.Page { p := table("ab", "long enough"); p.Lang = "de"; return p }(), "uu", ""},
		{"one language", OneLanguage{alone{short(4)}, "fr"}, table("ab", "long enough"), "bg", ""},
	} {
		must.Succeed(t, (&Stage{Labeller: c.method}).Do(context.Background(), c.p))
		if got := labels(c.p); got != c.want || c.why != "" && c.p.Blocks[0].Reason != c.why {
			t.Errorf("%s: %s (%s), want %s", c.name, got, c.p.Blocks[0].Reason, c.want)
		}
	}
	list := table("ab", "long enough")
	list.Blocks[0].Element, list.Blocks[1].Element = 3, 4
	if err := (&Stage{Labeller: short(4)}).Do(context.Background(), list); err != nil || list.Blocks[0].Reason != "its list is kept" {
		t.Errorf("list: %v, %+v", err, list.Blocks[0].Verdict)
	}
	// Sentences of a whole go with it.
	p, v := table("a b", "c"), []page.Verdict{{Label: page.Good, Sentences: []page.Sentence{{Start: 0, End: 1, Label: page.Good}, {Start: 2, End: 3, Label: page.Bad}}}, {Label: page.Good}}
	settle(p, v)
	if v[0].Sentences != nil || v[0].Label != page.Good {
		t.Errorf("sentences: %+v", v[0])
	}
}

// sure is short with a confidence, on forum pages.
type sure struct {
	short
	confidence float64
}

func (s sure) LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, Estimate, error) {
	v, err := s.Label(ctx, p)
	policy := ""
	if s.confidence > 0 {
		policy = "body"
	}
	return v, Estimate{Confidence: s.confidence, ConfidencePolicy: policy, Type: "forum", TypeConfidence: .7}, err
}

func (s sure) CheckConfidence() error { return nil }

// TestConfidence wants the confidence of a page set, and pages below the minimum dropped.
func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		l     Labeller
		page  *page.Page
		least float64
		want  float64
		drop  page.Reason
	}{
		{sure{2, .8}, blocks("long", "x"), 0, .8, page.None},
		{sure{2, .8}, blocks("long", "x"), .8, .8, page.None},
		{sure{2, .8}, blocks("long", "x"), .9, .8, page.LowConfidence},
		{sure{9, .8}, blocks("long", "x"), .9, .8, page.AllBad},
		{sure{2, 0}, blocks("long", "x"), .9, 0, page.None},
		{short(2), blocks("long", "x"), .9, 0, page.None},
		{ByForm{HTML: sure{2, .8}, Text: short(2)}, blocks("long"), .9, .8, page.LowConfidence},
		{ByForm{HTML: sure{2, .8}, Text: short(2)}, inText("long"), .9, 0, page.None},
	} {
		c.page.Confidence, c.page.ConfidencePolicy = .5, "text" // of an earlier run
		if !c.page.PlainText() {
			c.page.MIME = "text/html"
		}
		must.Succeed(t, (&Stage{Labeller: c.l, MinConfidence: c.least}).Do(t.Context(), c.page))
		if c.page.Confidence != c.want || (c.page.ConfidencePolicy == "body") != (c.want > 0) || c.page.Drop != c.drop {
			t.Errorf("%T, minimum %v: confidence %v of %q, dropped %q; want %v, %q", c.l, c.least, c.page.Confidence, c.page.ConfidencePolicy, c.page.Drop, c.want, c.drop)
		}
	}
	low := blocks("long")
	must.Succeed(t, (&Stage{Labeller: sure{2, .52}, MinConfidence: .9}).Do(t.Context(), low))
	if want := (page.Note{By: "label", What: "minimum confidence", Value: .9}); len(low.Notes) != 1 || low.Notes[0] != want {
		t.Errorf("notes %v, want %v", low.Notes, want)
	}
	if err := CheckConfidence(short(2)); err == nil {
		t.Error("a method without confidence tells one")
	}
	must.Succeed(t, CheckConfidence(ByForm{HTML: sure{2, .8}, Text: short(2)}))
}

// TestTypes checks that pages of other types are dropped, and that pages without a type stay.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		l     Labeller
		page  *page.Page
		types []string
		want  string
		drop  page.Reason
	}{
		{sure{2, .8}, blocks("long", "x"), nil, "forum", page.None},
		{sure{2, .8}, blocks("long", "x"), []string{"article", "forum"}, "forum", page.None},
		{sure{2, .8}, blocks("long", "x"), []string{"article"}, "forum", page.OtherType},
		{sure{9, .8}, blocks("long", "x"), []string{"article"}, "forum", page.AllBad},
		{ByForm{HTML: sure{2, .8}, Text: short(2)}, blocks("long"), []string{"article"}, "forum", page.OtherType},
		{ByForm{HTML: sure{2, .8}, Text: short(2)}, inText("long"), []string{"article"}, "", page.None},
	} {
		c.page.Type, c.page.TypeConfidence = "product", .5 // of an earlier run
		if !c.page.PlainText() {
			c.page.MIME = "text/html"
		}
		must.Succeed(t, (&Stage{Labeller: c.l, Types: c.types}).Do(t.Context(), c.page))
		if c.page.Type != c.want || c.page.Drop != c.drop || (c.page.TypeConfidence == .7) != (c.want != "") {
			t.Errorf("%T, types %v: %q (%v), dropped %q; want %q, %q", c.l, c.types, c.page.Type, c.page.TypeConfidence, c.page.Drop, c.want, c.drop)
		}
	}
	for l, want := range map[Labeller]string{
		short(2): "estimates no page types, the method blocks does", sure{2, .8}: "",
		ByForm{HTML: short(2), Text: sure{2, .8}}: "estimates no page types", ByForm{HTML: sure{2, .8}, Text: short(2)}: "",
	} {
		if err := CheckTypes(l); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", l.Name(), err, want)
		}
	}
}

// revealing keeps every block and reveals hidden ones.
type revealing struct{ Keep }

func (revealing) SeesHidden() bool { return true }

func (r revealing) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	v, err := r.Keep.Label(ctx, p)
	for i := range v {
		v[i].Revealed = p.Blocks[i].Hidden && p.Blocks[i].Text != "!ad"
	}
	return v, err
}

// TestReveal keeps the hidden blocks that the method reveals.
func TestReveal(t *testing.T) {
	p := blocks("abc", "!hidden", "!ad")
	must.Succeed(t, (&Stage{Labeller: revealing{}}).Do(t.Context(), p))
	if !p.Blocks[0].Label.Keep() || !p.Blocks[1].Label.Keep() || p.Blocks[2].Label.Keep() {
		t.Errorf("labels %v, %v and %v", p.Blocks[0].Label, p.Blocks[1].Label, p.Blocks[2].Label)
	}
}
