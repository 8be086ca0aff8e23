package metadata

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"chaffinch/extract"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

//go:embed titles.tsv
var readTitles string

// places holds the positions of manually checked titles of pages by set and id, from titles.tsv.
var places = func() map[[2]string][]string {
	out := map[[2]string][]string{}
	for line := range strings.Lines(readTitles) {
		if set, rest, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			id, where, _ := strings.Cut(rest, "\t")
			out[[2]string{set, id}] = strings.Fields(where)
		}
	}
	return out
}()

// readTitles sets the titles of the manually checked pages.
func (s *Set) readTitles() error {
	byID := map[string]*Gold{}
	for _, g := range s.Pages {
		if places[[2]string{s.Name, g.ID}] != nil {
			byID[g.ID] = g
		}
	}
	if len(byID) == 0 {
		return nil
	}
	ex, err := extract.New(extract.Default)
	if err != nil {
		return err
	}
	return s.pages.EachPage(func(k *gold.Page, html []byte) error {
		g := byID[k.ID]
		if g == nil {
			return nil
		}
		p := &page.Page{ID: k.ID, Raw: html, MIME: "text/html"}
		if err := ex.Do(context.Background(), p); err != nil {
			return err
		}
		g.titles, err = titlesAt(places[[2]string{s.Name, k.ID}], p, g.Title)
		if g.Title = ""; len(g.titles) > 0 {
			g.Title = g.titles[0]
		}
		return err
	})
}

// titlesAt returns the titles at the given positions in the page.
func titlesAt(where []string, p *page.Page, given string) (titles []string, err error) {
	for _, w := range where {
		kind, number, numbered := strings.Cut(w, ".")
		n := 1
		if numbered {
			if n, err = strconv.Atoi(number); err != nil {
				return nil, fmt.Errorf("place %q of a title: %w", w, err)
			}
		}
		title := ""
		switch kind {
		case "set":
			title = given
		case "none":
			continue
		case "h1":
			for i := range p.Blocks {
				if b := &p.Blocks[i]; b.Kind == page.Heading && b.Level == 1 && !b.Hidden {
					if n--; n == 0 {
						title = b.Text
					}
				}
			}
		case "tag":
			if parts := strings.Split(p.Stated.Title, " - "); n <= len(parts) {
				title = parts[n-1]
			}
		}
		if title == "" {
			return nil, fmt.Errorf("page %s: no title at %q", p.ID, w)
		}
		titles = append(titles, title)
	}
	return titles, nil
}
