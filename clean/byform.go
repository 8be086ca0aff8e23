package clean

import (
	"context"
	"encoding/json"

	"chaffinch/page"
)

// ByForm is a [Labeller] that labels HTML pages with one method and plain text with another.
// Plain text has neither elements nor links.
type ByForm struct{ HTML, Text Labeller }

// Name returns the names of both methods.
func (f ByForm) Name() string { return f.HTML.Name() + ", text " + f.Text.Name() }

// For returns the method that labels p.
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

// LabelSure returns the verdicts of the method for p and its confidence, 0 if the method
// reports none.
func (f ByForm) LabelSure(ctx context.Context, p *page.Page) ([]page.Verdict, float64, error) {
	if c, ok := f.For(p).(Confident); ok {
		return c.LabelSure(ctx, p)
	}
	verdicts, err := f.Label(ctx, p)
	return verdicts, 0, err
}

// TellsConfidence returns nil if the method for HTML reports confidences, else an error with
// the reason.
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

// SeesHidden reports whether the method for HTML reads hidden blocks. Plain text has none.
func (f ByForm) SeesHidden() bool {
	s, ok := f.HTML.(HiddenLabeller)
	return ok && s.SeesHidden()
}

// IgnoresLang reports whether both methods ignore the language of a page.
func (f ByForm) IgnoresLang() bool {
	for _, l := range []Labeller{f.HTML, f.Text} {
		if i, ok := l.(interface{ IgnoresLang() bool }); !ok || !i.IgnoresLang() {
			return false
		}
	}
	return true
}
