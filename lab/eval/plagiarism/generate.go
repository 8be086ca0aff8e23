package plagiarism

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/archive"
	"chaffinch/internal/sorts"
	"chaffinch/plagiarism"
)

// GenerateConfig configures [GenerateFrom].
type GenerateConfig struct {
	Seed uint64
	// Sources and Suspicious are the numbers of documents. A suspicious document has up to four
	// cases.
	Sources, Suspicious int
	// Kinds lists the kinds of change by name.
	Kinds []string
}

// DefaultGenerate holds the default settings.
var DefaultGenerate = GenerateConfig{Seed: 1, Sources: 80, Suspicious: 60, Kinds: kindNames()}

// change is a method of obfuscating a copied passage.
type change struct {
	name string
	make func(g *generator, words []string) []string
}

// changes lists the kinds of change. Words keep their punctuation; "\n\n" between paragraphs is
// lost.
var changes = []change{
	{"verbatim", func(_ *generator, w []string) []string { return w }},
	{"sentences", (*generator).sentences},
	{"words", func(g *generator, w []string) []string { return g.shuffle(w, 4) }},
	{"far words", func(g *generator, w []string) []string { return g.shuffle(w, 14) }},
	{"delete", func(g *generator, w []string) []string { return g.edit(w, 0.3, 0, 0) }},
	{"insert", func(g *generator, w []string) []string { return g.edit(w, 0, 0.3, 0) }},
	{"replace", func(g *generator, w []string) []string { return g.edit(w, 0, 0, 0.35) }},
	{"light", func(g *generator, w []string) []string { return g.shuffle(g.edit(w, 0.06, 0.06, 0.06), 1) }},
	{"heavy", func(g *generator, w []string) []string {
		return g.shuffle(g.sentences(g.edit(w, 0.15, 0.15, 0.15)), 5)
	}},
	{"rewrite", func(g *generator, w []string) []string {
		return g.shuffle(g.edit(w, 0.1, 0.1, 0.45), 3)
	}},
	{"look-alikes", func(g *generator, w []string) []string { return g.each(w, g.lookalikes) }},
	{"zero-width", func(g *generator, w []string) []string { return g.each(w, g.zeroWidth) }},
	{"case", func(g *generator, w []string) []string { return g.each(w, strings.ToUpper) }},
	{"blocks", (*generator).blocks},
}

// kindNames returns the names of the kinds of change.
func kindNames() []string {
	var names []string
	for _, c := range changes {
		names = append(names, c.name)
	}
	return names
}

type generator struct {
	*rand.Rand
	words []string // words for insertion, from all texts, so that frequent words are repeated
}

// generate makes a set. Sources are pieces of the texts. Suspicious documents are other pieces with
// inserted passages of sources, each with one kind of change. The result depends only on the texts
// and settings.
func generate(name string, texts []string, cfg GenerateConfig) (*Set, error) {
	g := &generator{Rand: rand.New(rand.NewPCG(cfg.Seed, 0x9e3779b97f4a7c15))}
	var kinds []change
	for _, k := range cfg.Kinds {
		i := slices.IndexFunc(changes, func(c change) bool { return c.name == k })
		if i < 0 {
			return nil, fmt.Errorf("change %q: wanted one of %s", k, strings.Join(kindNames(), ", "))
		}
		kinds = append(kinds, changes[i])
	}
	if len(kinds) == 0 {
		return nil, fmt.Errorf("no kind of change: wanted some of %s", strings.Join(kindNames(), ", "))
	}
	pieces := g.pieces(texts, cfg.Sources+cfg.Suspicious)
	if len(pieces) < cfg.Sources+cfg.Suspicious {
		return nil, fmt.Errorf("texts for %d documents, wanted %d: give more text", len(pieces), cfg.Sources+cfg.Suspicious)
	}
	for _, p := range pieces {
		f := strings.Fields(p)
		for range 200 {
			if w := strings.TrimFunc(f[g.IntN(len(f))], func(r rune) bool { return !unicode.IsLetter(r) }); w != "" {
				g.words = append(g.words, w)
			}
		}
	}
	s := &Set{Name: name}
	for i, p := range pieces[:cfg.Sources] {
		s.Sources = append(s.Sources, Document{fmt.Sprintf("source-document%05d.txt", i+1), p})
	}
	for i, p := range pieces[cfg.Sources:] {
		d, cases := g.suspicious(fmt.Sprintf("suspicious-document%05d.txt", i+1), p, s.Sources, kinds)
		s.Suspicious = append(s.Suspicious, d)
		s.Cases = append(s.Cases, cases...)
	}
	return s, nil
}

// GenerateFrom makes a set from the texts (.txt) of a folder or archive.
func GenerateFrom(name string, cfg GenerateConfig) (*Set, error) {
	var texts []string
	err := archive.Walk(name, func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		b, err := io.ReadAll(io.LimitReader(r, 200_000))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, p, err)
		}
		texts = append(texts, strings.ToValidUTF8(string(b), ""))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return generate("generated", texts, cfg)
}

// pieces divides texts at spaces into n pieces of 6,000 to 30,000 bytes, at most a few from one
// text, and shuffles them.
func (g *generator) pieces(texts []string, n int) []string {
	var out []string
	for round := 0; round < 50 && len(out) < n; round++ {
		for i, t := range texts {
			size := 6000 + g.IntN(24000)
			if len(t) < size {
				if len(t) < 4000 {
					texts[i] = ""
					continue
				}
				size = len(t)
			}
			for size < len(t) && !strings.ContainsRune(" \n", rune(t[size])) {
				size++
			}
			out = append(out, strings.TrimSpace(t[:size]))
			texts[i] = t[size:]
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return len(strings.Fields(s)) < 500 })
	g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(len(out), n)]
}

// suspicious inserts passages between the paragraphs or words of a text.
func (g *generator) suspicious(id, text string, sources []Document, kinds []change) (Document, []plagiarism.Annotation) {
	var b strings.Builder
	var cases []plagiarism.Annotation
	at := 0 // code points in b
	put := func(s string) {
		b.WriteString(s)
		at += utf8.RuneCountInString(s)
	}
	n := g.IntN(5)
	for i := range n {
		cut := len(text) / (n - i + 1)
		for cut < len(text) && !strings.ContainsRune(" \n", rune(text[cut])) {
			cut++
		}
		put(text[:cut])
		text = text[cut:]
		src := sources[g.IntN(len(sources))]
		from, to := g.passage(src.Text)
		k := kinds[g.IntN(len(kinds))]
		words := strings.Fields(src.Text[from:to])
		changed := src.Text[from:to]
		if k.name != "verbatim" {
			changed = strings.Join(k.make(g, words), " ")
		}
		put([2]string{"\n\n", " "}[g.IntN(2)])
		c := plagiarism.Annotation{Kind: "artificial", Obfuscation: k.name}
		c.Suspicious, c.Source = id, src.ID
		c.SuspiciousStart = at
		put(changed)
		c.SuspiciousEnd = at
		c.SourceStart = utf8.RuneCountInString(src.Text[:from])
		c.SourceEnd = c.SourceStart + utf8.RuneCountInString(src.Text[from:to])
		put([2]string{"\n\n", " "}[g.IntN(2)])
		cases = append(cases, c)
	}
	put(text)
	return Document{id, b.String()}, cases
}

// passage selects a piece of 300 to 5,000 bytes, short ones more often, at word boundaries. Half of
// the pieces begin and end at sentence boundaries.
func (g *generator) passage(text string) (from, to int) {
	size := 300 + int(4700*g.Float64()*g.Float64())
	size = min(size, len(text)/2)
	from = g.IntN(len(text) - size)
	border := func(i int, sentence bool) int {
		for i < len(text) && !(text[i] == ' ' || text[i] == '\n') || sentence && i > 0 && i < len(text) && !strings.ContainsRune(".!?", rune(text[i-1])) {
			i++
		}
		return i
	}
	sentence := g.IntN(2) == 0
	from = border(from, sentence)
	to = border(min(from+size, len(text)), sentence)
	for from < to && (text[from] == ' ' || text[from] == '\n') {
		from++
	}
	if to-from < 200 {
		return g.passage(text)
	}
	return from, to
}

func (g *generator) word() string { return g.words[g.IntN(len(g.words))] }

// edit deletes, inserts and replaces the given fractions of the words.
func (g *generator) edit(w []string, del, ins, rep float64) (out []string) {
	for _, x := range w {
		switch p := g.Float64(); {
		case p < del:
			continue
		case p < del+ins:
			out = append(out, g.word(), x)
		case p < del+ins+rep:
			out = append(out, g.word())
		default:
			out = append(out, x)
		}
	}
	return out
}

// shuffle moves every word by at most n positions.
func (g *generator) shuffle(w []string, n int) []string {
	type place struct {
		at float64
		w  string
	}
	ps := make([]place, len(w))
	for i, x := range w {
		ps[i] = place{float64(i) + float64(float64(n)*2*g.Float64()), x}
	}
	sorts.StableFunc(ps, func(a, b place) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	out := make([]string, len(w))
	for i, p := range ps {
		out[i] = p.w
	}
	return out
}

// sentences shuffles the sentences.
func (g *generator) sentences(w []string) []string {
	var parts [][]string
	from := 0
	for i, x := range w {
		if strings.ContainsAny(x[len(x)-1:], ".!?") || i == len(w)-1 {
			parts = append(parts, w[from:i+1])
			from = i + 1
		}
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return slices.Concat(parts...)
}

// blocks inserts other words between copied blocks of 20 to 60 words.
func (g *generator) blocks(w []string) (out []string) {
	for len(w) > 0 {
		n := min(20+g.IntN(40), len(w))
		out = append(out, w[:n]...)
		if w = w[n:]; len(w) > 0 {
			for range 5 + g.IntN(15) {
				out = append(out, g.word())
			}
		}
	}
	return out
}

func (g *generator) each(w []string, f func(string) string) []string {
	out := make([]string, len(w))
	for i, x := range w {
		out[i] = f(x)
	}
	return out
}

// lookalikes replaces some letters with similar letters of other scripts.
func (g *generator) lookalikes(s string) string {
	return strings.Map(func(r rune) rune {
		i := strings.IndexRune("aceopxyijsABEHKMOPTX", r)
		if i < 0 || g.Float64() < 0.3 {
			return r
		}
		return []rune("асеорхуіјѕАВЕНКМОРТХ")[i]
	}, s)
}

// zeroWidth inserts invisible characters.
func (g *generator) zeroWidth(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
		if g.Float64() < 0.3 {
			b.WriteRune([]rune("\u200b\u200c\u200d\u2060\u00ad")[g.IntN(5)])
		}
	}
	return b.String()
}
