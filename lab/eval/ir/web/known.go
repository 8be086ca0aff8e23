package web

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"chaffinch/lab/eval/ir"
	"chaffinch/lab/eval/texts"
	"chaffinch/text/token"
)

// Queries lists the kinds of queries for a known page.
var Queries = []string{"title", "sentence", "words"}

// KnownConfig configures [Known].
type KnownConfig struct {
	// Query is "title" (the title of the page without the name of the site), "sentence" (a sentence
	// of the gold text with 6 to 30 words), or "words" (5 distinct words of the gold text with at
	// least 4 characters).
	Query string
	// Topics is the number of pages, 0 for all possible pages.
	Topics int
	Seed   uint64
}

// Known draws pages and returns a topic for each. Relevant are the page and pages with nearly the
// same gold text. For titles, [texts.Pages.Stated] must have been called.
func Known(p *texts.Pages, cfg KnownConfig) ([]ir.Topic, ir.Qrels, error) {
	rng := rand.New(rand.NewPCG(cfg.Seed, 19))
	var topics []ir.Topic
	qrels := ir.Qrels{}
	for _, i := range rng.Perm(len(p.Pages)) {
		if cfg.Topics > 0 && len(topics) == cfg.Topics {
			break
		}
		g := &p.Pages[i]
		query := ask(g, cfg.Query, rng)
		if query == "" {
			continue
		}
		id := fmt.Sprint(len(topics) + 1)
		topics = append(topics, ir.Topic{ID: id, Text: query})
		qrels[id] = map[string]int{g.ID: 1}
		for _, n := range g.Near {
			qrels[id][p.Pages[n].ID] = 1
		}
	}
	if len(topics) == 0 {
		return nil, nil, fmt.Errorf("no page can be asked for by %s", cfg.Query)
	}
	return topics, qrels, nil
}

// ask returns a query for a page, or "" if there is none.
func ask(g *texts.Page, how string, rng *rand.Rand) string {
	switch how {
	case "title":
		if t := withoutSite(g.Title); token.Count(t) >= 2 {
			return t
		}
	case "sentence":
		var fit []string
		for _, s := range token.Sentences(g.Gold, nil) {
			text := strings.Join(strings.Fields(g.Gold[s.Start:s.End]), " ")
			if n := token.Count(text); n >= 6 && n <= 30 {
				fit = append(fit, text)
			}
		}
		if len(fit) > 0 {
			return fit[rng.IntN(len(fit))]
		}
	case "words":
		seen := map[string]bool{}
		var words []string
		for _, s := range token.Words(g.Gold, nil) {
			w := strings.ToLower(g.Gold[s.Start:s.End])
			if !seen[w] && len([]rune(w)) >= 4 {
				seen[w] = true
				words = append(words, w)
			}
		}
		if len(words) >= 10 {
			rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			return strings.Join(words[:5], " ")
		}
	}
	return ""
}

// withoutSite returns the longest part of a title between separators.
func withoutSite(title string) string {
	best := ""
	for _, sep := range []string{" | ", " - ", " – ", " — ", " » ", " :: ", " · "} {
		title = strings.ReplaceAll(title, sep, "\x00")
	}
	for part := range strings.SplitSeq(title, "\x00") {
		if len(part) > len(best) {
			best = part
		}
	}
	return strings.TrimSpace(best)
}
