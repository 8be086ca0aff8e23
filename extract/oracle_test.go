package extract_test

import (
	"io"
	"path"
	"strings"
	"testing"
	"unicode"

	"chaffinch/internal/align"
	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// oracleScore returns how good a perfect labeller could be on our blocks: for each page it
// keeps the blocks of which at least half of the words align with the gold text.
type oracleScore struct {
	pages              int
	macroF             float64 // mean of the pages' F
	matched, kept, all int     // words: aligned in kept blocks, in kept blocks, in the gold
	recall             float64 // share of the gold words that stand in any block
}

func (o *oracleScore) microF() float64 { return 2 * float64(o.matched) / float64(o.kept+o.all) }

// add scores one page.
func (o *oracleScore) add(p *page.Page, gold string) (f float64) {
	ids := map[string]int32{}
	var text, block []int32
	for i := range p.Blocks {
		for _, w := range words(ids, p.Blocks[i].Text) {
			text, block = append(text, w), append(block, int32(i))
		}
	}
	want := words(ids, gold)
	hit := align.Common(text, want)
	type count struct{ words, hits int }
	per := make([]count, len(p.Blocks))
	found := 0
	for i, b := range block {
		per[b].words++
		if hit[i] {
			per[b].hits++
			found++
		}
	}
	var matched, kept int
	for _, c := range per {
		if c.words > 0 && 2*c.hits >= c.words {
			kept += c.words
			matched += c.hits
		}
	}
	f = 1
	if kept+len(want) > 0 {
		f = 2 * float64(matched) / float64(kept+len(want))
	}
	o.pages++
	o.macroF += f
	o.matched += matched
	o.kept += kept
	o.all += len(want)
	o.recall += float64(found)
	return f
}

// words returns the numbers of the words of text in lower case: runs of
// letters and digits, single characters in scripts without spaces.
func words(ids map[string]int32, text string) (out []int32) {
	put := func(w string) {
		id, ok := ids[w]
		if !ok {
			id = int32(len(ids))
			ids[w] = id
		}
		out = append(out, id)
	}
	from := -1
	text = strings.ToLower(text)
	for i, r := range text {
		alone := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		if from >= 0 && (alone || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_') {
			put(text[from:i])
			from = -1
		}
		switch {
		case alone:
			put(string(r))
		case from < 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'):
			from = i
		}
	}
	if from >= 0 {
		put(text[from:])
	}
	return out
}

// goldSet calls fn for every page of an evaluation set that has gold text.
func goldSet(t testing.TB, name string, fn func(id string, html []byte, gold string)) {
	t.Helper()
	html, gold := map[string][]byte{}, map[string]string{}
	var order []string
	must.Succeed(t, archive.Walk(name, func(p string, r io.Reader) error {
		id := strings.TrimSuffix(path.Base(p), path.Ext(p))
		dir := path.Base(path.Dir(p))
		if dir != "html" && dir != "gold" {
			return nil
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if dir == "html" {
			html[id] = data
			order = append(order, id)
		} else {
			gold[id] = string(data)
		}
		return nil
	}))
	for _, id := range order {
		if g, ok := gold[id]; ok {
			fn(id, html[id], g)
		}
	}
}

// TestOracle holds the ceiling that the blocks set to any labeller on the
// development pages of CleanEval.
func TestOracle(t *testing.T) {
	var o oracleScore
	goldSet(t, testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), func(id string, html []byte, gold string) {
		p := do(t, &page.Page{Raw: html, MIME: "text/html"})
		check(t, p)
		o.add(p, gold)
	})
	macro := 100 * o.macroF / float64(o.pages)
	t.Logf("%d pages: macro F %.2f, micro F %.2f, recall of all blocks %.2f", o.pages, macro, 100*o.microF(), 100*o.recall/float64(o.all))
	const pages, macroFloor, microFloor = 58, 97.8, 98.7
	if o.pages != pages || macro < macroFloor || 100*o.microF() < microFloor {
		t.Errorf("%d pages, macro F %.2f, micro F %.2f: want %d, %v, %v", o.pages, macro, 100*o.microF(), pages, macroFloor, microFloor)
	}
}

func TestAlign(t *testing.T) {
	for _, c := range [...]struct{ a, b, want string }{
		{"abc", "abc", "111"}, {"abc", "", "000"}, {"", "abc", ""}, {"xaybz", "ab", "01010"}, {"abcabc", "cab", "001110"},
	} {
		got := ""
		for _, h := range align.Common([]rune(c.a), []rune(c.b)) {
			got += string("01"[map[bool]int{true: 1}[h]])
		}
		if strings.Count(got, "1") != strings.Count(c.want, "1") || len(got) != len(c.want) {
			t.Errorf("Common(%q, %q) = %s, want as many as %s", c.a, c.b, got, c.want)
		}
	}
}
