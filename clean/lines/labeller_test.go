package lines

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// crawledPage is a page with all that pages of crawls have.
func crawledPage() *page.Page { return plainPage(crawled...) }

// TestLabel: one verdict per block, which the threshold decides, with a reason.
func TestLabel(t *testing.T) {
	for _, threshold := range []float64{0, .2, .7} {
		l := must.Get(New(Config{Threshold: threshold}))(t)
		p := crawledPage()
		verdicts, err := l.Label(t.Context(), p)
		if err != nil || len(verdicts) != len(p.Blocks) {
			t.Fatalf("%d verdicts for %d blocks, error %v", len(verdicts), len(p.Blocks), err)
		}
		limit := l.Threshold(verdicts)
		if threshold != 0 && limit.Value != threshold {
			t.Errorf("threshold %v, want %v", limit.Value, threshold)
		}
		kept := 0
		for i, v := range verdicts {
			if v.By != l.Name() || v.Reason == "" || !(v.Score >= 0 && v.Score <= 1) || !l.ByScore(p, i, &v) || v.Label.Keep() != limit.Keeps(v.Score) {
				t.Errorf("%q: verdict %+v at threshold %v", p.Blocks[i].Text, v, limit.Value)
			}
			if v.Label.Keep() {
				kept++
			}
		}
		if kept == 0 || kept == len(verdicts) {
			t.Errorf("threshold %v: %d of %d lines kept", threshold, kept, len(verdicts))
		}
	}
	for _, bad := range []float64{-.1, 1, 2} {
		must.Fail(t, must.Err(New(Config{Threshold: bad})), "threshold")
	}
	if v, err := embeddedLabeller(t).Label(t.Context(), &page.Page{}); err != nil || len(v) != 0 {
		t.Errorf("a page without blocks: %d verdicts, error %v", len(v), err)
	}
}

// TestModels: "fast" is the forest of the embedded model alone, "best" is that model, and both
// are labellers that New makes.
func TestModels(t *testing.T) {
	embedded := must.Get(Embedded())(t)
	for name, want := range map[string]*Model{"": embedded, "embedded": embedded, Best: embedded, FastName: embedded.Fast()} {
		l := must.Get(New(Config{Model: name}))(t)
		m := must.Get(l.model())(t)
		if got, want := m.Score(nil, "en", crawled), want.Score(nil, "en", crawled); !slices.Equal(got, want) {
			t.Errorf("model %q: %v, wanted %v", name, got, want)
		}
	}
	fast := embedded.Fast()
	s := fast.scratch()
	read(&s.sheet, "en", crawled)
	got, want := make([]float32, len(crawled)), make([]float32, len(crawled))
	fast.logOdds(got, s)
	fast.forest.Score(&s.matrix, want)
	if !slices.Equal(got, want) {
		t.Errorf("log odds %v, of the forest %v", got, want)
	}
	best := make([]float32, len(crawled))
	embedded.logOdds(best, s)
	if slices.Equal(got, best) {
		t.Error("the networks say nothing")
	}
	if fast.Fast() != fast {
		t.Error("a model without networks is made faster")
	}
	if string(fast.Card()) != string(embedded.Card()) || fast.Threshold() != embedded.Threshold() {
		t.Errorf("card or threshold %v of the fast model differ", fast.Threshold())
	}
}

// TestLanguage: a language that somebody gave counts; one that was measured or
// that the page declares does not, so that labels are the same in every format.
func TestLanguage(t *testing.T) {
	given := must.Get(New(Config{Lang: "pt-BR"}))(t)
	l := embeddedLabeller(t)
	for _, c := range []struct {
		l    *Labeller
		page page.Page
		want string
	}{
		{l, page.Page{}, ""},
		{l, page.Page{Lang: "de-AT"}, "de"},
		{l, page.Page{Lang: "zh-Hans"}, "zh-Hans"},
		{l, page.Page{Lang: "de", LangConfidence: .7}, ""},
		{l, page.Page{Lang: "de", Meta: page.Metadata{Lang: "de-AT"}}, ""},
		{given, page.Page{Lang: "de"}, "pt"},
	} {
		if got := c.l.language(&c.page); got != c.want {
			t.Errorf("language of %q with confidence %v: %q, want %q", c.page.Lang, c.page.LangConfidence, got, c.want)
		}
	}
}

// TestConcurrent: documents that are labelled at the same time, in any order, get the
// verdicts that they get alone.
func TestConcurrent(t *testing.T) {
	l := embeddedLabeller(t)
	var pages []*page.Page
	var want [][]page.Verdict
	for i := range 24 {
		lines := crawled[i%3:]
		for k := range i * 7 {
			lines = append(lines[:len(lines):len(lines)], string(testkit.Words(uint64(i*100+k), 5+k%300)))
		}
		p := plainPage(lines...)
		v := must.Get(embeddedLabeller(t).Label(t.Context(), p))(t)
		pages, want = append(pages, p), append(want, v)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range pages {
				k := (i*5 + w*7) % len(pages)
				if got, err := l.Label(t.Context(), pages[k]); err != nil || !reflect.DeepEqual(got, want[k]) {
					t.Errorf("page %d differs, error %v", k, err)
				}
			}
		})
	}
	wg.Wait()
}

// Parts of sentences for long documents.
var (
	starts = strings.Split("In the morning|When the storm was over|Nobody remembers why, but|After the long winter|Before the bridge was built|On the first of May|As far as we know|For several weeks|Because of the ice|Two days later|With the help of her brother|Against all advice|At the end of the road|Once the boats were in|In those years", "|")
	whos   = strings.Split("the harbour master|a young teacher|the baker's widow|our neighbour|the new priest|an old sailor|the keeper of the light|my grandmother|the men from the mill|a stranger in a green coat|the doctor|half of the village|the postman|her eldest son|the council", "|")
	deeds  = strings.Split("wrote a letter to the company|decided to repair the roof|carried the books to the school|found a box under the floor|walked across the frozen bay|refused to pay for the light|planted four rows of apple trees|sold the horse and bought a boat|told the children about the war|counted the ships that passed|closed the shop for good|sent for a carpenter from town|lost the only key to the tower|learned to play the organ|asked for a little more time", "|")
	ends   = strings.Split("and nothing was ever said about it|although the weather was against it|which surprised everybody but her|and the rest is in the parish book|so that there was bread for all|but the money came too late|while the others were still asleep|and we laughed about it for years|as you can still see from the path|until the wind turned to the north|and that was the end of the matter|though it was only a small thing|because somebody had to do it|and the dog went with them|without asking anybody", "|")
)

// longDocument returns a chronicle in chapters, with page furniture between them, and which
// lines are text.
func longDocument(n int) (lines []string, text []bool) {
	rnd := rand.New(rand.NewPCG(3, 4))
	pick := func(of []string) string { return of[rnd.IntN(len(of))] }
	name := func() string { // of a person or a place
		first := pick(strings.Split("Bren Cal Dor Esk Fal Gren Hol Ist Jor Kel Lan Mor Nes Ost Pel Ras Sel Tor Ulv Ver Wil Yar", " "))
		return first + pick(strings.Split("a an bi da den er fi go ha in ke la mo ne or pa ri sa ti un va zo", " ")) + pick(strings.Split("by dal ford gate ham ley mar ness port ra rick sa son stad ton vik wood", " "))
	}
	say := func(isText bool, line string) { lines, text = append(lines, line), append(text, isText) }
	for i := 0; len(lines) < n; i++ {
		say(true, fmt.Sprintf("How %s %s in %s", name(), pick(deeds), name()))
		for range 4 {
			paragraph := ""
			for range 2 + rnd.IntN(3) {
				paragraph += fmt.Sprintf("%s %s of %s and %s %s with %s near %s, %s. ", pick(starts), pick(whos), name(), name(), pick(deeds), name(), name(), pick(ends))
			}
			say(true, strings.TrimSpace(paragraph))
		}
		say(false, "Previous | Next | Print | Share")
		say(false, "Log in")
		say(false, fmt.Sprintf("%d comments", i%17))
	}
	return lines[:n], text[:n]
}

// TestLongDocument: labels do not change at line 50 or anywhere else in a document of 3,000
// lines, and the first lines do not depend on lines far after them.
func TestLongDocument(t *testing.T) {
	l := embeddedLabeller(t)
	lines, text := longDocument(3000)
	label := func(lines []string) []page.Verdict {
		return must.Get(l.Label(t.Context(), plainPage(lines...)))(t)
	}
	all := label(lines)
	share := func(from, to int) float64 {
		right := 0
		for i := from; i < to; i++ {
			if all[i].Label.Keep() == text[i] {
				right++
			}
		}
		return float64(right) / float64(to-from)
	}
	whole := share(0, len(lines))
	t.Logf("%.3f of the lines right", whole)
	if whole < .6 {
		t.Errorf("%.3f of the lines of a long document are right, want .6", whole)
	}
	for at := 40; at+40 <= len(lines); at += 40 { // five sections
		if s := share(at, at+40); s < whole-.15 {
			t.Errorf("lines %d to %d: %.3f right, of all %.3f", at, at+40, s, whole)
		}
	}
	for n, least := range map[int]float64{200: .8, 1000: 1, 2999: 1} {
		same := 0
		part := label(lines[:n])
		first := min(n, windowLines) - marginLines
		for i := range first {
			if part[i].Label == all[i].Label {
				same++
			}
		}
		if float64(same) < least*float64(first) {
			t.Errorf("of a document of %d lines, the first %d: %d have the labels that they have in a longer one", n, first, same)
		}
	}
}

// TestWindows: every line is labelled once, in order, and seen with its neighbours.
func TestWindows(t *testing.T) {
	check := func(n, size int) {
		next := 0
		eachWindow(n, func(w stretch) {
			if w.from != next || w.to <= w.from || w.lo < 0 || w.lo > w.from || w.hi < w.to || w.hi > n || w.hi-w.lo > size+3*marginLines ||
				w.from > 0 && w.from-w.lo < marginLines || w.hi < n && w.hi-w.to < marginLines {
				t.Fatalf("%d lines: window %+v", n, w)
			}
			next = w.to
		})
		if next != n {
			t.Fatalf("%d lines: %d are labelled", n, next)
		}
	}
	for n := range 3 * maxLines {
		check(n, windowLines)
	}
	for n := hugeLines; n < hugeLines+2*hugeWindow; n += 13 {
		check(n, hugeWindow)
	}
}

// TestCopies: a document that says the same again and again gets the scores that
// its windows have, of which only the first ones are made.
func TestCopies(t *testing.T) {
	m := must.Get(Embedded())(t)
	chapter, _ := longDocument(40)
	var lines []string
	for range 100 {
		lines = append(lines, chapter...)
	}
	lines[3100] += " once"
	want := make([]float32, len(lines))
	s := m.scratch()
	eachWindow(len(lines), func(w stretch) {
		m.window(s, "en", lines, w, func(i, _ int, p float32) { want[i] = p })
	})
	got, copied := make([]float32, len(lines)), 0
	err := m.score(t.Context(), s, "en", lines, func(i, _ int, p float32) { got[i] = p }, func(i, like int) {
		got[i] = got[like]
		copied++
	})
	if err != nil || copied < windowLines || copied > len(lines)-3*windowLines {
		t.Errorf("%d of %d lines are copies, error %v", copied, len(lines), err)
	}
	for i := range lines {
		if got[i] != want[i] {
			t.Fatalf("line %d: score %v, wanted %v", i, got[i], want[i])
		}
	}
}

// BenchmarkLines labels a document of 20 kB again and again on one core.
func BenchmarkLines(b *testing.B) {
	l := embeddedLabeller(b)
	lines, _ := longDocument(150)
	p := plainPage(append(lines, crawled...)...)
	size := 0
	for i := range p.Blocks {
		size += len(p.Blocks[i].Text) + 1
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(l.Label(b.Context(), p)))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Blocks)), "ns/line")
}

// FuzzLabel wants a verdict with a probability for every line of any text.
func FuzzLabel(f *testing.F) {
	f.Add(strings.Join(crawled, "\n"))
	for _, s := range []string{"", "\n\n", "a", "\x00\xff\xfe", "同じ行\n同じ行", "a|b|c\na|b|c\n1 2 3", strings.Repeat("word ", 500)} {
		f.Add(s)
	}
	l := embeddedLabeller(f)
	f.Fuzz(func(t *testing.T, text string) {
		p := plainPage(strings.Split(text, "\n")...)
		verdicts, err := l.Label(t.Context(), p)
		if err != nil || len(verdicts) != len(p.Blocks) {
			t.Fatalf("%d verdicts for %d lines, error %v", len(verdicts), len(p.Blocks), err)
		}
		for i, v := range verdicts {
			if !(v.Score >= 0 && v.Score <= 1) || v.Reason == "" {
				t.Errorf("line %d: %+v", i, v)
			}
		}
	})
}
