package explain

import (
	"context"
	"strings"
	"testing"

	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// unsure keeps every block and estimates a confidence and a page type.
type unsure struct{ clean.Keep }

func (u unsure) LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, clean.Estimate, error) {
	v, err := u.Label(ctx, p)
	return v, clean.Estimate{Confidence: .52, ConfidencePolicy: "text", Type: "forum", TypeConfidence: .87}, err
}

func (unsure) CheckConfidence() error { return nil }

// TestConfidence checks that the confidence and the type of the page are shown for a method
// that estimates them, and for no other.
func TestConfidence(t *testing.T) {
	e := must.Get(New(Default))(t)
	e.methods = []asked{{method.Method{Name: method.Default}, unsure{}, nil}, {method.Method{Name: "keep"}, clean.Keep{}, nil}}
	x := must.Get(e.Do(t.Context(), &page.Page{ID: "a", MIME: "text/html", Raw: []byte("<p>The mill stands by the water.")}))(t)
	file := write(t, x)
	if n := strings.Count(file, `"confidence":"52 %"`); n != 1 {
		t.Errorf("the confidence of one method is in the file %d times", n)
	}
	if got := text(byID(browse(t, file, ""), "counts")); !strings.Contains(got, "52 % confidence in these labels (text)") || !strings.Contains(got, "forum page type (87 %)") {
		t.Errorf("shown: %q", got)
	}
	if got := text(byID(browse(t, file, "method=keep"), "counts")); strings.Contains(got, "confidence") || strings.Contains(got, "page type") || !strings.Contains(got, "words") {
		t.Errorf("shown of a method without: %q", got)
	}
}
