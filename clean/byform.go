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

// LabelPage returns the verdicts of the method for p and its estimate, the zero estimate if
// the method is not an [Estimator].
func (f ByForm) LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, Estimate, error) {
	if c, ok := f.For(p).(Estimator); ok {
		return c.LabelPage(ctx, p)
	}
	verdicts, err := f.Label(ctx, p)
	return verdicts, Estimate{}, err
}

// CheckConfidence returns an error with the reason if the method for HTML estimates no
// confidence.
func (f ByForm) CheckConfidence() error { return CheckConfidence(f.HTML) }

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
