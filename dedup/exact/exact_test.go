package exact

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

func docs(texts ...string) (list []*records.Doc) {
	for i, text := range texts {
		d := &records.Doc{ID: fmt.Sprint("d", i), URL: fmt.Sprintf("https://example.org/%d?utm_source=%d", i/2, i), Lang: "en"}
		for p := range strings.SplitSeq(text, "|") {
			d.Paras = append(d.Paras, records.Para{Text: []byte(p)})
		}
		list = append(list, d)
	}
	return list
}

// brief writes marks as document.paragraph:reason<first, with * for whole.
func brief(marks []dedup.Mark) string {
	var b strings.Builder
	for _, m := range marks {
		para := fmt.Sprint(m.Para)
		if m.Para == dedup.Whole {
			para = fmt.Sprintf("*%d", m.Size)
		}
		fmt.Fprintf(&b, "%d.%s:%v", m.Doc, para, m.Reason)
		if m.Drop {
			fmt.Fprintf(&b, "<%d", m.First)
		}
		if m.Share > 0 && m.Share < 1 {
			fmt.Fprintf(&b, " %.2f", m.Share)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Config
		docs []*records.Doc
		want string
	}{
		{"paragraphs", Config{Unit: "paragraph"}, docs("a b|c d|a  b", "c d|e", "e"), "0.2:same<0; 1.0:same<0; 2.0:same<1"},
		{"empty paragraphs are no copies", Config{Unit: "paragraph"}, docs("|x", " |y"), ""},
		{"short ones stay", Config{Unit: "paragraph", MinWords: 2}, docs("a|b c", "a|b c"), "1.1:same<0"},
		{"case counts", Config{Unit: "paragraph"}, docs("One 1, two.", "one 22 two"), ""},
		{"folded", Config{Unit: "paragraph", Fold: []string{"case", "digits", "punctuation"}}, docs("One 1, two.", "one 22 two"), "1.0:same<0"},
		{"composed and decomposed", Config{Unit: "paragraph"}, docs("Br\u00fccke", "Bru\u0308cke"), "1.0:same<0"},
		{"pages", Config{Unit: "page"}, docs("a|b", "a b", "a|b", "a|b"), "0.*3:unique; 2.*3:same<0; 3.*3:same<0"},
		{"addresses", Config{Unit: "url"}, docs("a", "b", "c"), "0.*2:unique; 1.*2:same-url<0"},
		{"sentences", Config{Unit: "sentence"}, docs("It rained all day. We stayed in.", "We stayed in. It rained all day.", "It rained all day. The sun came out later."), "1.0:same<0; 2.0:unique 0.44"},
		{"half a paragraph", Config{Unit: "sentence", Percent: 40}, docs("It rained all day. We stayed in.", "It rained all day. The sun came out later."), "1.0:same<0 0.44"},
	} {
		if c.cfg.Percent == 0 {
			c.cfg.Percent = 100
		}
		m := must.Get(New(c.cfg))(t)
		marks := must.Get(dedup.Find(t.Context(), c.docs, dedup.Config{Method: m, Job: pipeline.Job{Workers: 2}}))(t)
		if got := brief(marks); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWrongConfig(t *testing.T) {
	for _, c := range []Config{{Unit: "word", Percent: 100}, {Unit: "page", Percent: 200}, {Unit: "page", Percent: 100, Fold: []string{"accents"}},
		{Unit: "page", Percent: 100, WWW: true}, {Unit: "url", Percent: 100, Fold: []string{"case"}}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v passed", c)
		}
	}
}
