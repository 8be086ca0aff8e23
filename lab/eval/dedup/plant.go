package dedup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// Half is one of the two parts of the base documents.
type Half string

// Dev is for tuning, Test for reporting.
const (
	Dev  Half = "dev"
	Test Half = "test"
)

// Config configures [Plant].
type Config struct {
	// Half is the part of the base documents to use.
	Half Half
	// Bases is the number of base documents. There are about 2.5 times as many documents in total.
	// 0 means all base documents.
	Bases int
	// Texts lists folders, archives or files of texts (*.txt, named by language: de.txt,
	// txt/de/tale.txt) to use instead of the data sets.
	Texts []string
	// Seed seeds the selection, the copies and their order.
	Seed uint64
}

// Default is a set that all programs process in a minute.
var Default = Config{Half: Test, Bases: 1000, Seed: 1}

// Kind is the way in which a document was made.
type Kind string

// The kinds of documents.
const (
	Alone       Kind = "alone"       // a text without copies
	Original    Kind = "original"    // a text with copies
	Exact       Kind = "exact"       // an identical copy
	Layout      Kind = "layout"      // white space, case, quotes
	Edit5       Kind = "edit5"       // 5 % of the words changed, spread over the text
	Edit10      Kind = "edit10"      //
	Edit20      Kind = "edit20"      //
	Edit40      Kind = "edit40"      //
	Passage10   Kind = "passage10"   // one run of 10 % of the words replaced with other words
	Passage20   Kind = "passage20"   //
	Merged      Kind = "merged"      // two texts concatenated
	HalfMore    Kind = "half more"   // a text followed by the first half of another
	FirstHalf   Kind = "first half"  // the first half of a text
	Middle      Kind = "middle"      // the middle three fifths
	Short       Kind = "short"       // 8 to 30 words
	ShortExact  Kind = "short exact" // an identical copy
	ShortEdit10 Kind = "short edit10"
	Framed      Kind = "template"       // a text inside the template of a site
	FramedExact Kind = "template exact" // an identical copy of such a page
	FramedEdit5 Kind = "template edit5" // such a page with its text edited
	Quoting     Kind = "quotation"      // a text with a quotation that other texts also have
)

// kinds lists the kinds in the order of reports.
var kinds = []Kind{Alone, Original, Exact, Layout, Passage10, Passage20, Edit5, Edit10, Edit20, Edit40, Merged, HalfMore, FirstHalf, Middle,
	Short, ShortExact, ShortEdit10, Framed, FramedExact, FramedEdit5, Quoting}

// sitePages is the number of texts in the template of a site. quoters is the number of texts with
// the same quotation.
const (
	sitePages = 8
	quoters   = 3
)

// planter makes documents from bases.
type planter struct {
	r       *rand.Rand
	bases   []*base // not yet used
	used    int
	pools   map[string][]string
	origins map[uint64]int
	docs    []*Doc
	sites   int
}

// Plant reads texts from the data folder and makes copies of them. The result depends only on the
// configuration and the data.
func Plant(ctx context.Context, data string, cfg Config) (*Set, error) {
	if cfg.Half != Dev && cfg.Half != Test {
		return nil, fmt.Errorf("half %q of the base documents: wanted %s or %s", cfg.Half, Dev, Test)
	}
	all, err := bases(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Bases > len(all) {
		return nil, fmt.Errorf("%d base documents: the half %q has only %d", cfg.Bases, cfg.Half, len(all))
	}
	if cfg.Bases > 0 {
		all = all[:cfg.Bases]
	}
	return plant(all, cfg), nil
}

// plant makes documents from the bases.
func plant(all []*base, cfg Config) *Set {
	p := &planter{r: rand.New(rand.NewPCG(cfg.Seed, 1)), bases: slices.Clone(all), pools: map[string][]string{}, origins: map[uint64]int{}}
	for _, b := range all {
		for _, text := range b.paras {
			for _, w := range pieces(text) {
				if w.word != "" {
					p.pools[b.lang] = append(p.pools[b.lang], w.word)
				}
			}
		}
	}
	plan := []func(*base){p.edits, p.edits, p.frames, p.merges, p.edits, p.cuts, p.edits, p.shorts, p.edits, p.quotes, p.alone, p.edits, p.cuts, p.edits, p.shorts, p.alone}
	for i := 0; len(p.bases) > 0; i++ {
		plan[i%len(plan)](p.next(""))
	}
	p.r.Shuffle(len(p.docs), func(i, j int) { p.docs[i], p.docs[j] = p.docs[j], p.docs[i] })
	for i, d := range p.docs {
		var number [8]byte
		for k := range number {
			number[k] = byte(i >> (8 * k))
		}
		d.ID = fmt.Sprintf("%016x", xxh3.HashSeed(number[:], cfg.Seed))
		d.Date = fmt.Sprintf("2024-%02d-%02d", 1+p.r.IntN(12), 1+p.r.IntN(28))
		if d.URL == "" {
			d.URL = fmt.Sprintf("https://host%d.example/%s", p.r.IntN(200), d.ID)
		} else {
			d.URL += d.ID
		}
	}
	return &Set{Config: cfg, Docs: p.docs, Bases: len(all)}
}

// next removes the next base, with the given language unless it is "", and returns it, or nil if
// there is none.
func (p *planter) next(lang string) *base {
	for i, b := range p.bases {
		if lang == "" || b.lang == lang {
			p.bases = slices.Delete(p.bases, i, i+1)
			p.used++
			return b
		}
	}
	return nil
}

// paras returns the paragraphs of a text. Equal paragraphs have one origin.
func (p *planter) paras(texts []string) []Para {
	out := make([]Para, len(texts))
	for i, text := range texts {
		var key strings.Builder
		for _, w := range pieces(text) {
			key.WriteString(folded(w.word))
			key.WriteByte(' ')
		}
		h := xxh3.HashString(key.String())
		if _, ok := p.origins[h]; !ok {
			p.origins[h] = len(p.origins)
		}
		out[i] = Para{Text: text, Origin: p.origins[h], Words: count(text)}
	}
	return out
}

// add adds a document made from the bases with the numbers roots.
func (p *planter) add(kind Kind, lang string, paras []Para, edited float64, part bool, roots ...int) *Doc {
	d := &Doc{Kind: kind, Lang: lang, Paras: paras, Edited: edited, Part: part, Roots: roots}
	p.docs = append(p.docs, d)
	return d
}

func (p *planter) alone(b *base) { p.add(Alone, b.lang, p.paras(b.paras), 0, false, p.used) }

// edits makes edited copies of a text: some of all kinds.
func (p *planter) edits(b *base) {
	root, paras, pool := p.used, p.paras(b.paras), p.pools[b.lang]
	p.add(Original, b.lang, paras, 0, false, root)
	for _, k := range []struct {
		kind  Kind
		share float64
	}{{Exact, 0}, {Layout, 0}, {Edit5, .05}, {Edit10, .1}, {Edit20, .2}, {Edit40, .4}, {Passage10, .1}, {Passage20, .2}} {
		if p.r.IntN(5) < 2 {
			continue
		}
		copied := slices.Clone(paras)
		switch k.kind {
		case Exact:
		case Layout:
			copied = changeLayout(p.r, paras)
		case Passage10, Passage20:
			copied = replacePassage(p.r, paras, k.share, []Para{{Text: strings.Join(window(p.r, pool, b.words/3), " ")}})
		default:
			copied = edit(p.r, paras, k.share, pool)
		}
		p.add(k.kind, b.lang, copied, k.share, false, root)
	}
}

// window returns n consecutive words of a pool.
func window(r *rand.Rand, pool []string, n int) []string {
	n = min(max(n, 1), len(pool))
	i := r.IntN(len(pool) - n + 1)
	return pool[i : i+n]
}

// merges joins a text with the next one of its language.
func (p *planter) merges(a *base) {
	first, one := p.used, p.paras(a.paras)
	p.add(Original, a.lang, one, 0, false, first)
	b := p.next(a.lang)
	if b == nil {
		return
	}
	second, two := p.used, p.paras(b.paras)
	p.add(Original, b.lang, two, 0, false, second)
	p.add(Merged, a.lang, slices.Concat(one, two), 0, true, first, second)
	p.add(HalfMore, a.lang, slices.Concat(one, section(two, 0, .5)), 0, true, first, second)
}

// cuts makes documents from parts of a text.
func (p *planter) cuts(b *base) {
	paras := p.paras(b.paras)
	p.add(Original, b.lang, paras, 0, false, p.used)
	p.add(FirstHalf, b.lang, section(paras, 0, .5), 0, true, p.used)
	p.add(Middle, b.lang, section(paras, .2, .8), 0, true, p.used)
}

// section returns the words between two fractions of a text. A truncated paragraph counts as edited
// by the missing fraction.
func section(paras []Para, from, to float64) []Para {
	total := 0
	for _, q := range paras {
		total += q.Words
	}
	low, high := int(from*float64(total)), int(to*float64(total))
	var out []Para
	word := 0
	for _, q := range paras {
		var kept []piece
		for _, w := range pieces(q.Text) {
			if word >= low && word < high {
				kept = append(kept, w)
			}
			if w.word != "" {
				word++
			}
		}
		text := strings.TrimSpace(join(kept))
		if n := count(text); n > 0 {
			out = append(out, Para{Text: text, Origin: q.Origin, Words: n, Edited: 1 - float64(n)/float64(q.Words)})
		}
	}
	return out
}

// shorts makes a text of a few words, with copies.
func (p *planter) shorts(b *base) {
	all := pieces(strings.Join(b.paras, " "))
	n := 8 + p.r.IntN(22)
	from := p.r.IntN(max(1, len(all)-n))
	text := strings.TrimSpace(join(all[from:min(from+n, len(all))]))
	paras := p.paras([]string{text})
	p.add(Short, b.lang, paras, 0, false, p.used)
	p.add(ShortExact, b.lang, slices.Clone(paras), 0, false, p.used)
	if p.r.IntN(2) == 0 {
		p.add(ShortEdit10, b.lang, edit(p.r, paras, .1, p.pools[b.lang]), .1, false, p.used)
	}
}

// frames makes the pages of a site: texts, truncated to between one and four times the length of
// the template, inside the same template.
func (p *planter) frames(b *base) {
	p.sites++
	frame := p.paras(b.paras)
	frame = section(frame, 0, min(1, float64(80+p.r.IntN(120))/float64(b.words)))
	for i := range frame {
		frame[i].Template = true
		frame[i].Origin = p.origin()
	}
	top := p.r.IntN(len(frame) + 1)
	site := fmt.Sprintf("https://site%d.example/", p.sites)
	words := 0
	for _, q := range frame {
		words += q.Words
	}
	for i := range sitePages {
		own := p.next(b.lang)
		if own == nil {
			return
		}
		text := section(p.paras(own.paras), 0, min(1, float64(words)*(1+float64(3*p.r.Float64()))/float64(own.words)))
		p.add(Framed, b.lang, slices.Concat(frame[:top], text, frame[top:]), 0, false, p.used).URL = site
		switch i {
		case 0:
			p.add(FramedExact, b.lang, slices.Concat(frame[:top], text, frame[top:]), 0, false, p.used).URL = site
		case 1:
			text = edit(p.r, text, .05, p.pools[b.lang])
			p.add(FramedEdit5, b.lang, slices.Concat(frame[:top], text, frame[top:]), .05, false, p.used).URL = site
		}
	}
}

// origin returns a new origin.
func (p *planter) origin() int {
	n := len(p.origins)
	p.origins[xxh3.HashString(fmt.Sprint("\x00", n))] = n
	return n
}

// quotes inserts the beginning of a text into others as a paragraph.
func (p *planter) quotes(b *base) {
	quoted := section(p.paras(b.paras), 0, float64(30+p.r.IntN(50))/float64(b.words))
	var text []string
	for _, q := range quoted {
		text = append(text, q.Text)
	}
	quote := p.paras([]string{strings.Join(text, " ")})
	for range quoters {
		own := p.next(b.lang)
		if own == nil {
			return
		}
		paras := p.paras(own.paras)
		p.add(Quoting, b.lang, slices.Insert(paras, p.r.IntN(len(paras)+1), quote...), 0, false, p.used)
	}
}
