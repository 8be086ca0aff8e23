// Package metadata scores the metadata that programs extract from pages (title, authors, date,
// licence) with gold annotations. [Open] reads a set, [Set.Run] or [Read] returns values, and
// [Set.Score] scores them.
//
// Pages are divided into two halves by their host, so that rules can be developed on one half
// ("dev") and evaluated on the other ("test") with other sites.
package metadata

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"path"
	"strings"

	"chaffinch/extract"
	"chaffinch/internal/archive"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// Values holds the scored fields of one page. Empty fields are unknown.
type Values struct {
	Title   string   `json:"title"`
	Authors []string `json:"authors"`
	Date    string   `json:"date"`
	License string   `json:"license"`
}

// Gold is a page with its gold values.
type Gold struct {
	ID, URL string
	// Test is set for pages of the test half.
	Test bool
	// Meta holds the fields of meta.jsonl.
	Meta map[string]any
	Values
	titles []string // right titles, if there are several
}

// Set is a collection of pages with gold.
type Set struct {
	Name  string
	Pages []*Gold
	// Has reports which fields the set annotates. A page without such a field has none.
	Has   map[string]bool
	pages *gold.Set
}

// Open reads the gold of a set of pages (lab/results/data.md): the fields title, author or authors,
// date and license of meta.jsonl, and author and publish_date of the JSON files in gold_raw.
func Open(data, name string) (*Set, error) {
	c, err := gold.Open(data, name)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: c.Name, Has: map[string]bool{}, pages: c}
	byID := map[string]*Gold{}
	for _, p := range c.Pages {
		g := &Gold{ID: p.ID, URL: text(p.Meta["url"]), Meta: p.Meta}
		g.Title = text(p.Meta["title"])
		if s.Name != "daniel" { // its dates are crawl dates
			g.Date = day(text(p.Meta["date"]))
		}
		g.License = text(p.Meta["license"])
		g.Authors = names(text(p.Meta["author"]) + text(p.Meta["authors"]))
		host := text(p.Meta["host"])
		if u, err := url.Parse(g.URL); err == nil && u.Host != "" {
			host = u.Host
		}
		g.Test = half(host, g.ID)
		byID[g.ID] = g
		s.Pages = append(s.Pages, g)
	}
	err = archive.Walk(c.Path(), func(file string, r io.Reader) error {
		rel := strings.TrimPrefix(file, s.Name+"/")
		g := byID[strings.TrimSuffix(path.Base(rel), ".json")]
		if path.Dir(rel) != "gold_raw" || path.Ext(rel) != ".json" || g == nil {
			return nil
		}
		var raw struct {
			Truth struct {
				Author any    `json:"author"`
				Date   string `json:"publish_date"`
			} `json:"ground_truth"`
		}
		if err := json.NewDecoder(r).Decode(&raw); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		g.Authors, g.Date = names(text(raw.Truth.Author)), day(raw.Truth.Date)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.readTitles(); err != nil {
		return nil, err
	}
	for _, f := range Fields {
		for _, g := range s.Pages {
			s.Has[f.Name] = s.Has[f.Name] || len(f.of(&g.Values)) > 0
		}
	}
	return s, nil
}

// half reports whether a host is in the test half. Pages without a host use their id.
func half(host, id string) bool {
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	host = cmp.Or(host, id)
	h := fnv.New32a()
	io.WriteString(h, host)
	return h.Sum32()>>7&1 == 1
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, text(x))
		}
		return strings.Join(out, ", ")
	}
	return ""
}

// Run returns the metadata that this project extracts from the pages of the set.
func (s *Set) Run(ctx context.Context, cfg extract.Config) (map[string]Values, error) {
	cfg.Metadata = true
	ex, err := extract.New(cfg)
	if err != nil {
		return nil, err
	}
	byID := map[string]*Gold{}
	for _, g := range s.Pages {
		byID[g.ID] = g
	}
	out := map[string]Values{}
	err = s.pages.EachPage(func(g *gold.Page, html []byte) error {
		p := &page.Page{ID: g.ID, URL: byID[g.ID].URL, Raw: html, MIME: "text/html"}
		if err := ex.Do(ctx, p); err != nil {
			return err
		}
		out[g.ID] = Values{p.Meta.Title, p.Meta.Authors, p.Meta.Date, p.Meta.License}
		return nil
	})
	return out, err
}
