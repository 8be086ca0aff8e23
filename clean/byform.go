package clean

import (
	"context"
	"encoding/json"

	"chaffinch/page"
)

// ByForm is a Labeller that asks one method about HTML and another one about
// plain text, which has neither elements nor links.
type ByForm struct{ HTML, Text Labeller }

// Name holds the names of both methods.
func (f ByForm) Name() string { return f.HTML.Name() + ", text " + f.Text.Name() }

// For returns the method for p.
func (f ByForm) For(p *page.Page) Labeller {
	if p.PlainText() {
		return f.Text
	}
	return f.HTML
}

// Label returns the verdicts of the method for p.
func (f ByForm) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	return f.For(p).Label(ctx, p)
}

// LabelSure returns the verdicts of the method for p with its confidence, if it tells one.
func (f ByForm) LabelSure(ctx context.Context, p *page.Page) ([]page.Verdict, float64, error) {
	if c, ok := f.For(p).(Confident); ok {
		return c.LabelSure(ctx, p)
	}
	verdicts, err := f.Label(ctx, p)
	return verdicts, 0, err
}

// TellsConfidence reports whether the method for HTML tells confidences.
func (f ByForm) TellsConfidence() error { return TellsConfidence(f.HTML) }

// Cards returns the cards of both methods.
func (f ByForm) Cards() (cards []json.RawMessage) {
	for _, l := range []Labeller{f.HTML, f.Text} {
		if c, ok := l.(HasCards); ok {
			cards = append(cards, c.Cards()...)
		}
	}
	return cards
}

// SeesHidden reports whether the method for HTML does; plain text hides
// nothing.
func (f ByForm) SeesHidden() bool {
	s, ok := f.HTML.(HiddenLabeller)
	return ok && s.SeesHidden()
}

// IgnoresLang reports whether both methods do.
func (f ByForm) IgnoresLang() bool {
	for _, l := range []Labeller{f.HTML, f.Text} {
		if i, ok := l.(interface{ IgnoresLang() bool }); !ok || !i.IgnoresLang() {
			return false
		}
	}
	return true
}
