// Package web makes collections of web pages with judged topics. [Wrap] wraps documents of judged
// collections into templates of real pages, and [Known] makes topics that search for a known page.
//
// Both are substitutes. A wrapped page is real except for its text, but its template is unrelated:
// advertisements and links are about another subject. Noise is less harmful in some ways (it shares
// no words with topics) and more in others (it is never relevant). A topic for a known page is
// easy, and the words of its title may occur in links of other pages.
package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"chaffinch/extract/site"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/panics"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/ir"
	"chaffinch/lab/eval/texts"
	"chaffinch/lab/gold"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/token"
)

// Template is a page without its text.
type Template struct {
	// Set and ID identify the page. Site is its host, or the set and ID if the host is unknown.
	Set, ID, Site string
	// parts holds the markup around the text: slot i is between parts i and i+1.
	parts []string
	// words holds the number of words of each slot.
	words []int
}

// TemplateConfig selects the pages for templates.
type TemplateConfig struct {
	// MinWords is the minimum number of words of the text, MinSlots the minimum number of its
	// blocks.
	MinWords, MinSlots int
	// MaxBytes is the maximum size of a page.
	MaxBytes int
	// PerSite is the maximum number of pages per site, the first by ID.
	PerSite int
	// MinCoverage is the minimum fraction of the gold text that is found in the blocks.
	MinCoverage float64
}

// DefaultTemplate selects pages with a text of some length that is found in the blocks.
var DefaultTemplate = TemplateConfig{MinWords: 100, MinSlots: 3, MaxBytes: 400 << 10, PerSite: 5, MinCoverage: .8}

// Templates makes templates from the pages of sets, in the order of sets and IDs.
func Templates(ctx context.Context, sets []*gold.Set, cfg TemplateConfig) ([]*Template, error) {
	var out []*Template
	for _, s := range sets {
		golds := make(map[string]string, len(s.Pages))
		for _, g := range s.Pages {
			golds[g.ID] = g.Text
		}
		stages, err := texts.PerfectStages(golds)
		if err != nil {
			return nil, err
		}
		var of []*Template
		err = s.EachPage(func(g *gold.Page, raw []byte) error {
			if err := ctx.Err(); err != nil || !g.Fits(s.Name) || len(raw) > cfg.MaxBytes {
				return err
			}
			p := &page.Page{ID: g.ID, Raw: raw, MIME: "text/html"}
			if err := panics.Catch(func() error { return pipeline.Do(ctx, stages, p, 0) }); err != nil {
				return nil // a page that cannot be read makes no template
			}
			if t := cut(p, g, cfg); t != nil {
				t.Set, t.Site = s.Name, hostOf(s, g, p)
				of = append(of, t)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		slices.SortFunc(of, func(a, b *Template) int { return strings.Compare(a.ID, b.ID) })
		out = append(out, of...)
	}
	taken := map[string]int{}
	return slices.DeleteFunc(out, func(t *Template) bool {
		taken[t.Site]++
		return taken[t.Site] > cfg.PerSite
	}), nil
}

// hostOf returns the host of a page.
func hostOf(s *gold.Set, g *gold.Page, p *page.Page) string {
	address, _ := g.Meta["url"].(string)
	if h := site.Host(address); h != "" {
		return h
	}
	if h := site.Of(p); h != "" {
		return h
	}
	if h, _ := g.Meta["host"].(string); h != "" {
		return h
	}
	return s.Name + "/" + g.ID
}

// tags matches markup, comments and content without text. title, said and charset match statements
// of a page about its text and encoding.
var (
	tags    = lazyregexp.New(`(?s)<!--.*?-->|<[^>]*>`)
	title   = lazyregexp.New(`(?is)(<title[^>]*>).*?(</title>)`)
	said    = lazyregexp.New(`(?is)<meta\s[^>]*(?:description|title|og:|twitter:|keywords)[^>]*>|<script[^>]*application/ld\+json[^>]*>.*?</script>`)
	charset = lazyregexp.New(`(?i)(charset\s*=\s*["']?)[a-z0-9_:.-]+`)
)

// cut makes a template from a labelled page, nil if it is unsuitable.
func cut(p *page.Page, g *gold.Page, cfg TemplateConfig) *Template {
	t := &Template{ID: g.ID}
	at, words := 0, 0
	var slots strings.Builder
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Verdict.Label != page.Good || b.Start < at || b.End <= b.Start || b.End > len(p.HTML) {
			continue
		}
		n := token.Count(b.Text)
		t.parts = append(t.parts, strings.Clone(p.HTML[at:b.Start]))
		t.words = append(t.words, n)
		words += n
		// The markup inside the block is kept after the text that will be inserted.
		slots.Reset()
		for _, tag := range tags().FindAllString(p.HTML[b.Start:b.End], -1) {
			slots.WriteString(tag)
		}
		t.parts = append(t.parts, slots.String())
		at = b.End
	}
	gold := token.Count(g.Text)
	if words < cfg.MinWords || len(t.words) < cfg.MinSlots || float64(words) < cfg.MinCoverage*float64(gold) {
		return nil
	}
	t.parts = append(t.parts, strings.Clone(p.HTML[at:]))
	for i, part := range t.parts {
		t.parts[i] = charset().ReplaceAllString(said().ReplaceAllString(part, ""), "${1}utf-8")
	}
	return t
}

// Fill returns the page with another text. Sentences are inserted into the slots in order, in
// proportion to the original number of words of each slot.
func (t *Template) Fill(heading, text string) []byte {
	sentences := token.Sentences(text, nil)
	total, all := 0, 0
	for _, n := range t.words {
		all += n
	}
	lengths := make([]int, len(sentences))
	for i, s := range sentences {
		lengths[i] = token.Count(text[s.Start:s.End])
		total += lengths[i]
	}
	var b strings.Builder
	next, done, due := 0, 0, 0.0
	for i, n := range t.words {
		b.WriteString(t.parts[2*i])
		due += float64(float64(n) / float64(max(1, all)) * float64(total))
		for next < len(sentences) && (float64(done)+float64(lengths[next])/2 <= due || i == len(t.words)-1) {
			s := sentences[next]
			b.WriteString(html.EscapeString(strings.TrimSpace(text[s.Start:s.End])))
			b.WriteByte(' ')
			done += lengths[next]
			next++
		}
		b.WriteString(t.parts[2*i+1])
	}
	b.WriteString(t.parts[len(t.parts)-1])
	return []byte(title().ReplaceAllString(b.String(), "${1}"+strings.ReplaceAll(html.EscapeString(heading), "$", "$$")+"${2}"))
}

// Wrapped is a collection of wrapped pages.
type Wrapped struct {
	*texts.Pages
	// Templates holds the template of each page.
	Templates []*Template
}

// Wrap wraps each document into a template: a random site and a random page of it. The result
// depends only on the seed.
func Wrap(c *ir.Collection, templates []*Template, seed uint64) (*Wrapped, error) {
	if len(templates) == 0 {
		return nil, fmt.Errorf("no page is fit for a template")
	}
	bySite := map[string][]*Template{}
	var sites []string
	for _, t := range templates {
		if bySite[t.Site] == nil {
			sites = append(sites, t.Site)
		}
		bySite[t.Site] = append(bySite[t.Site], t)
	}
	rng := rand.New(rand.NewPCG(seed, 17))
	w := &Wrapped{Pages: &texts.Pages{Name: c.Name}}
	for _, d := range c.Docs {
		of := bySite[sites[rng.IntN(len(sites))]]
		w.Templates = append(w.Templates, of[rng.IntN(len(of))])
		w.Pages.Pages = append(w.Pages.Pages, texts.Page{ID: d.ID, Lang: "en", Gold: d.All(), Title: d.Title})
	}
	w.Each = func(fn func(i int, html []byte) error) error {
		for i, d := range c.Docs {
			if err := fn(i, w.Templates[i].Fill(d.Title, d.All())); err != nil {
				return err
			}
		}
		return nil
	}
	return w, nil
}

// FloorName returns the name of a set of floors: the collection and the sets of the pages.
func FloorName(data string, sets []*gold.Set) string {
	return "irweb/" + data + " on " + strings.Join(texts.SetNames(sets), "+")
}

// Fingerprint identifies the data of wrapped or known pages; c is nil for known pages.
func Fingerprint(c *ir.Collection, sets []*gold.Set) floors.Fingerprint {
	sum := sha256.New()
	f := floors.Fingerprint{}
	if c != nil {
		io.WriteString(sum, c.Data.SHA256)
		f.Files = c.Data.Files
	}
	for _, s := range sets {
		io.WriteString(sum, s.SHA256)
		f.Pages += len(s.Pages)
	}
	f.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return f
}
