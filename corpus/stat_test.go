package corpus

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// plainText is a corpus as lists: what the statistics are held against.
type plainText struct {
	words []string
	doc   []int // document of each token
	s     []int // sentence of each token, -1 for none
	langs []string
}

// drawText draws a small text of few words, so that much is repeated. Some tokens are in no
// sentence.
func drawText(t *rapid.T) *plainText {
	words := []string{"a", "A", "b", "B", "Ä", "ä", "cat", "Cat", "1", ",", "dog", "漢", "x.y", "C"}
	x := &plainText{}
	sentence := 0
	for d := range rapid.IntRange(1, 4).Draw(t, "docs") {
		x.langs = append(x.langs, rapid.SampledFrom([]string{"en", "de", ""}).Draw(t, "lang"))
		for range rapid.IntRange(0, 4).Draw(t, "sentences") {
			sentence++
			in := sentence
			if rapid.IntRange(0, 4).Draw(t, "loose") == 0 {
				in = -1
			}
			for range rapid.IntRange(0, 8).Draw(t, "tokens") {
				x.words = append(x.words, rapid.SampledFrom(words).Draw(t, "word"))
				x.doc = append(x.doc, d)
				x.s = append(x.s, in)
			}
		}
	}
	return x
}

// vertical writes the text; the numbers of documents are their ids.
func (x *plainText) vertical() string {
	var b strings.Builder
	at := 0
	for d, lang := range x.langs {
		fmt.Fprintf(&b, "<doc id=\"%d\" lang=\"%s\" url=\"https://www.Host%d.example:8080/p?q#f\">\n", d, lang, d%2)
		for at < len(x.words) && x.doc[at] == d {
			s := x.s[at]
			if s >= 0 {
				b.WriteString("<s>\n")
			}
			for at < len(x.words) && x.doc[at] == d && x.s[at] == s {
				b.WriteString(x.words[at] + "\n")
				at++
			}
			if s >= 0 {
				b.WriteString("</s>\n")
			}
		}
		b.WriteString("</doc>\n")
	}
	return b.String() + "<s>\n</s>\n" // that there is a sentence at all
}

// grams returns the positions of each n-gram; within a sentence unless loose.
func (x *plainText) grams(n int, fold, words, loose bool) map[string][]int {
	out := map[string][]int{}
	for p := 0; p+n <= len(x.words); p++ {
		ok := true
		parts := slices.Clone(x.words[p : p+n])
		for i := range parts {
			if fold {
				parts[i] = strings.ToLower(parts[i])
			}
			ok = ok && (!words || wordlike(parts[i])) && (loose || x.s[p+i] == x.s[p])
		}
		// Tokens in no sentence form one range even if a document ends between them, unless a
		// sentence is between them.
		if ok {
			key := strings.Join(parts, " ")
			out[key] = append(out[key], p)
		}
	}
	return out
}

// naiveARF follows the formula.
func naiveARF(at []int, size int) (arf, aldf float64) {
	v := float64(size) / float64(len(at))
	h := 0.0
	for i, p := range at {
		next := at[(i+1)%len(at)]
		d := float64(next - p)
		if i == len(at)-1 {
			d += float64(size)
		}
		arf += min(d, v) / v
		h += d / float64(size) * math.Log2(d/float64(size))
	}
	return arf, math.Pow(2, -h)
}

// naiveDP follows the formula. part is the part of each token, from 0.
func naiveDP(at, part []int) (dp, norm float64) {
	tokens, hits := map[int]float64{}, map[int]float64{}
	for _, p := range part {
		tokens[p]++
	}
	for _, p := range at {
		hits[part[p]]++
	}
	least := 1.0
	for p, n := range tokens {
		s := n / float64(len(part))
		dp += math.Abs(hits[p]/float64(len(at))-s) / 2
		least = min(least, s)
	}
	if least < 1 {
		norm = dp / (1 - least)
	}
	return dp, norm
}

// TestStatisticsNaive holds the statistics to plain counting.
func TestStatisticsNaive(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		x, y := drawText(r), drawText(r)
		if len(x.words) == 0 || len(y.words) == 0 {
			return
		}
		c, d := build(t, x.vertical(), "word"), build(t, y.vertical(), "word")
		checkWordList(r, x, c)
		checkCollocations(r, x, c)
		checkFreqs(r, x, c)
		checkKeywords(r, x, y, c, d)
	})
}

// checkWordList holds word lists and n-grams to counting with maps.
func checkWordList(r *rapid.T, x *plainText, c *Corpus) {
	cfg := WordListConfig{
		NGram: rapid.IntRange(1, 4).Draw(r, "n"), Fold: rapid.Bool().Draw(r, "fold"), Words: rapid.Bool().Draw(r, "only words"),
		MinFreq: int64(rapid.IntRange(0, 3).Draw(r, "min")), DocFreq: true, ARF: true, By: "doc.lang", MaxValues: 2, Within: "s",
		Limit: rapid.IntRange(0, 5).Draw(r, "limit"), Sort: rapid.SampledFrom([]string{"freq", "word", "docf", "arf", "aldf", "dp"}).Draw(r, "sort"),
		DP: rapid.SampledFrom([]string{"doc", "doc.lang", "s"}).Draw(r, "parts"),
	}
	got := must.Get(c.WordList(r.Context(), cfg))(r)
	langs := must.Get(c.Breakdown(r.Context(), "doc.lang"))(r)
	part := make([]int, len(x.words))
	for p := range part {
		switch cfg.DP {
		case "doc":
			part[p] = x.doc[p]
		case "doc.lang":
			part[p] = slices.Index(x.langs, x.langs[x.doc[p]])
		case "s":
			part[p] = x.s[p]
		}
	}
	var want []WordFreq
	hits := int64(0)
	for w, at := range x.grams(cfg.NGram, cfg.Fold, cfg.Words, false) {
		if int64(len(at)) < cfg.MinFreq {
			continue
		}
		hits += int64(len(at))
		row := WordFreq{Word: w, Freq: int64(len(at)), PerMillion: 1e6 * float64(len(at)) / float64(len(x.words)), Parts: make([]int64, min(len(langs), 3))}
		docs := map[int]bool{}
		for _, p := range at {
			docs[x.doc[p]] = true
			i := slices.IndexFunc(langs, func(v ValueSize) bool { return v.Value == x.langs[x.doc[p]] })
			row.Parts[min(i, 2)]++
		}
		row.DocFreq = int64(len(docs))
		row.ARF, row.ALDF = naiveARF(at, len(x.words))
		dp, norm := naiveDP(at, part)
		row.DP, row.DPNorm = &dp, &norm
		want = append(want, row)
	}
	if got.Types != int64(len(want)) || got.Hits != hits || got.Tokens != int64(len(x.words)) {
		r.Fatalf("%d types, %d hits, %d tokens, want %d, %d, %d", got.Types, got.Hits, got.Tokens, len(want), hits, len(x.words))
	}
	if cfg.Limit > 0 && len(got.Rows) != min(cfg.Limit, len(want)) || cfg.Limit == 0 && len(got.Rows) != len(want) {
		r.Fatalf("%d rows of %d at a limit of %d", len(got.Rows), len(want), cfg.Limit)
	}
	byWord := map[string]WordFreq{}
	for _, w := range want {
		byWord[w.Word] = w
	}
	value := func(w WordFreq) float64 {
		return map[string]float64{"freq": float64(w.Freq), "docf": float64(w.DocFreq), "arf": w.ARF, "aldf": w.ALDF, "dp": -*w.DPNorm}[cfg.Sort]
	}
	for i, g := range got.Rows {
		w := byWord[g.Word]
		if g.Freq != w.Freq || g.DocFreq != w.DocFreq || !slices.Equal(g.Parts, w.Parts) || !near(g.ARF, w.ARF, 1e-9) || !near(g.ALDF, w.ALDF, 1e-9) || !near(*g.DP, *w.DP, 1e-9) || !near(*g.DPNorm, *w.DPNorm, 1e-9) || !near(g.PerMillion, w.PerMillion, 1e-9) {
			r.Fatalf("row %+v, want %+v", g, w)
		}
		if i == 0 {
			continue
		}
		before := got.Rows[i-1]
		if a, b := value(before), value(g); a < b-1e-9 || near(a, b, 0) && before.Word >= g.Word {
			r.Fatalf("%+v stands before %+v", before, g)
		}
	}
	// Rows beyond the limit do not sort before the last row.
	if n := len(got.Rows); cfg.Limit > 0 && n == cfg.Limit {
		for _, w := range want {
			if !slices.ContainsFunc(got.Rows, func(g WordFreq) bool { return g.Word == w.Word }) && value(w) > value(got.Rows[n-1])+1e-9 {
				r.Fatalf("%+v is left out", w)
			}
		}
	}
}

// checkCollocations holds collocations to looking at every window.
func checkCollocations(r *rapid.T, x *plainText, c *Corpus) {
	cfg := CollocationConfig{Fold: rapid.Bool().Draw(r, "fold"), MinHits: 1, MinFreq: 1, Within: rapid.SampledFrom([]string{"", "s"}).Draw(r, "within")}
	cfg.From = rapid.IntRange(-4, 4).Draw(r, "from")
	cfg.To = cfg.From + rapid.IntRange(0, 6).Draw(r, "width")
	if cfg.From == 0 && cfg.To == 0 {
		cfg.To = 1
	}
	node := rapid.SampledFrom([]string{"a", "cat", "b"}).Draw(r, "node")
	got := must.Get(c.Collocations(r.Context(), `"`+node+`"`, cfg))(r)
	form := func(w string) string {
		if cfg.Fold {
			return strings.ToLower(w)
		}
		return w
	}
	freq, f, hits := map[string]int64{}, map[string]int64{}, int64(0)
	for p, w := range x.words {
		freq[form(w)]++
		if w != node {
			continue
		}
		hits++
		seen := map[string]bool{}
		for d := cfg.From; d <= cfg.To; d++ {
			q := p + d
			if d == 0 || q < 0 || q >= len(x.words) || cfg.Within == "s" && (x.s[p] < 0 || x.s[q] != x.s[p]) {
				continue
			}
			seen[form(x.words[q])] = true
		}
		for w := range seen {
			f[w]++
		}
	}
	if got.Hits != hits || int(got.Types) != len(f) || len(got.Rows) != len(f) {
		r.Fatalf("%d hits, %d collocates, want %d, %d", got.Hits, got.Types, hits, len(f))
	}
	for i, row := range got.Rows {
		if row.Hits != f[row.Word] || row.Freq != freq[row.Word] {
			r.Fatalf("%+v, want %d hits and frequency %d", row, f[row.Word], freq[row.Word])
		}
		want := 14 + math.Log2(2*float64(f[row.Word])/float64(freq[row.Word]+hits))
		if !near(row.Scores[0], want, 1e-12) {
			r.Fatalf("%s: logDice %v, want %v", row.Word, row.Scores[0], want)
		}
		if i > 0 && got.Rows[i-1].Scores[0] < row.Scores[0] {
			r.Fatal("the rows are not in order")
		}
	}
}

// checkKeywords holds the frequencies in two corpora to counting.
func checkKeywords(r *rapid.T, x, y *plainText, c, d *Corpus) {
	cfg := KeywordConfig{NGram: rapid.IntRange(1, 3).Draw(r, "n"), Fold: rapid.Bool().Draw(r, "fold"), Words: rapid.Bool().Draw(r, "words"), Within: "s"}
	got := must.Get(FindKeywords(r.Context(), c, d, cfg))(r)
	a, b := x.grams(cfg.NGram, cfg.Fold, cfg.Words, false), y.grams(cfg.NGram, cfg.Fold, cfg.Words, false)
	if len(got.Rows) != len(a) {
		r.Fatalf("%d rows, want %d", len(got.Rows), len(a))
	}
	for i, row := range got.Rows {
		if row.Freq != int64(len(a[row.Word])) || row.RefFreq != int64(len(b[row.Word])) {
			r.Fatalf("%+v, want %d and %d", row, len(a[row.Word]), len(b[row.Word]))
		}
		if i > 0 && got.Rows[i-1].Scores[0] < row.Scores[0] {
			r.Fatal("the rows are not in order")
		}
	}
}

// checkFreqs holds distributions to counting.
func checkFreqs(r *rapid.T, x *plainText, c *Corpus) {
	off := rapid.IntRange(-3, 3).Draw(r, "off")
	got := must.Get(c.Freqs(r.Context(), `"a|A|cat"`, FreqConfig{By: []string{fmt.Sprintf("word@%d", off), "doc.lang"}}))(r)
	want, tokens, hits := map[string]int64{}, map[string]int64{}, int64(0)
	for p, w := range x.words {
		tokens[x.langs[x.doc[p]]]++
		if w != "a" && w != "A" && w != "cat" {
			continue
		}
		hits++
		beside := ""
		if q := p + off; q >= 0 && q < len(x.words) && x.doc[q] == x.doc[p] {
			beside = x.words[q]
		}
		want[beside+"\t"+x.langs[x.doc[p]]]++
	}
	if got.Hits != hits || len(got.Rows) != len(want) {
		r.Fatalf("%d hits in %d rows, want %d in %d", got.Hits, len(got.Rows), hits, len(want))
	}
	for _, row := range got.Rows {
		lang := row.Values[1]
		if n := want[strings.Join(row.Values, "\t")]; row.Hits != n || row.PartTokens != tokens[lang] ||
			!near(row.Relative, float64(n)/float64(tokens[lang])/(float64(hits)/float64(len(x.words))), 1e-9) {
			r.Fatalf("%+v, want %d of %d tokens", row, n, tokens[lang])
		}
	}
}

// TestTop: the kept elements are the first elements of a sort.
func TestTop(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		xs := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(r, "xs")
		limit := rapid.IntRange(0, 8).Draw(r, "limit")
		best := top[int]{limit: limit, compare: func(a, b int) int { return a - b }}
		for _, x := range xs {
			best.add(x)
		}
		slices.Sort(xs)
		if limit > 0 {
			xs = xs[:min(limit, len(xs))]
		}
		if got := best.sorted(); !slices.Equal(got, xs) {
			r.Fatalf("%v, want %v", got, xs)
		}
	})
}
