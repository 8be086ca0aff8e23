package stage

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"chaffinch/internal/runes"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// titleStage inserts the title of a page if the kept text lacks it.
type titleStage struct{}

func newTitle(config json.RawMessage) (pipeline.Stage, error) {
	return titleStage{}, settings.Apply(config, &struct{}{})
}

// titleName is the name and behaviour version of the stage.
const titleName = "title/1"

// Name returns titleName.
func (titleStage) Name() string { return titleName }

// Do keeps the heading that is the title if it precedes all kept text; otherwise it adds a
// heading. Dropped pages and plain text are not changed. Pages whose kept text has the title
// in a heading or a short block are not changed either.
func (titleStage) Do(_ context.Context, p *page.Page) error {
	title := letters(p.Meta.Title)
	if p.Drop != page.None || title == "" || len(p.Elements) == 0 {
		return nil
	}
	first, dropped := -1, -1
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch {
		case b.Label.Keep():
			if first < 0 {
				first = i
			}
			if len(b.Text) <= 3*len(p.Meta.Title)+40 && strings.Contains(letters(b.Text), title) {
				return nil
			}
		case first < 0 && dropped < 0 && b.Kind == page.Heading && !b.Hidden && letters(b.Text) == title:
			dropped = i
		}
	}
	verdict := page.Verdict{By: titleName, Label: page.Good, Score: 1, Reason: "title"}
	if dropped >= 0 {
		p.Blocks[dropped].Verdict = verdict
		return nil
	}
	p.Blocks = append([]page.Block{{Text: p.Meta.Title, Kind: page.Heading, Level: 1, Path: "html", Lang: p.Lang, Verdict: verdict}}, p.Blocks...)
	for i := range p.Images {
		p.Images[i].Before++
	}
	return nil
}

// letters returns the letters and digits of s in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if runes.IsWord(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
