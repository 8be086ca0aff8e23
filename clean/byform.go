package clean

import (
	"context"
	"encoding/json"

	"chaffinch/page"
)

// ByForm is a [Labeller] that labels HTML pages, plain text and documents each with a method.
// Plain text has neither elements nor links. Documents, such as PDF, consist mostly of content.
type ByForm struct {
	HTML, Text Labeller
	// Document labels documents. If it is nil, HTML does.
	Document Labeller
}

// Name returns the names of the methods.
func (f ByForm) Name() string {
	name := f.HTML.Name() + ", text " + f.Text.Name()
	if f.Document != nil {
		name += ", " + f.Document.Name()
	}
	return name
}

// labeller returns the method that labels p.
func (f ByForm) labeller(p *page.Page) Labeller {
	switch {
	case p.PlainText():
		return f.Text
	case p.Format != "" && f.Document != nil:
		return f.Document
	}
	return f.HTML
}

// Label returns the verdicts of the method for p.
func (f ByForm) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	return f.labeller(p).Label(ctx, p)
}

// LabelPage returns the verdicts of the method for p and its estimate, the zero estimate if
// the method is not an [Estimator].
func (f ByForm) LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, Estimate, error) {
	if c, ok := f.labeller(p).(Estimator); ok {
		return c.LabelPage(ctx, p)
	}
	verdicts, err := f.Label(ctx, p)
	return verdicts, Estimate{}, err
}

// LabelInto sets verdicts, one for each block of p, to the verdicts of LabelPage and returns its
// estimate.
func (f ByForm) LabelInto(ctx context.Context, p *page.Page, verdicts []page.Verdict) (Estimate, error) {
	return labelInto(ctx, f.labeller(p), p, verdicts)
}

// CheckConfidence returns an error with the reason if the method for HTML estimates no
// confidence.
func (f ByForm) CheckConfidence() error { return CheckConfidence(f.HTML) }

// Cards returns the cards of the methods for HTML and text.
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
