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

// unsure keeps every block and reports a confidence.
type unsure struct{ clean.Keep }

func (u unsure) LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, clean.Estimate, error) {
	v, err := u.Label(ctx, p)
	return v, clean.Estimate{Confidence: .52}, err
}

func (unsure) CheckConfidence() error { return nil }

// TestConfidence wants the confidence of the page shown for a method that tells it, and
// for no other.
func TestConfidence(t *testing.T) {
	e, err := New(Default)
	must.Succeed(t, err)
	e.methods = []asked{{method.Method{Name: method.Default}, unsure{}, nil}, {method.Method{Name: "keep"}, clean.Keep{}, nil}}
	x, err := e.Do(t.Context(), &page.Page{ID: "a", MIME: "text/html", Raw: []byte("<p>The mill stands by the water.")})
	must.Succeed(t, err)
	file := write(t, x)
	if n := strings.Count(file, `"confidence":"52 %"`); n != 1 {
		t.Errorf("the confidence of one method is in the file %d times", n)
	}
	if got := text(byID(browse(t, file, ""), "counts")); !strings.Contains(got, "52 % confidence in these labels") {
		t.Errorf("shown: %q", got)
	}
	if got := text(byID(browse(t, file, "method=keep"), "counts")); strings.Contains(got, "confidence") || !strings.Contains(got, "words") {
		t.Errorf("shown of a method without: %q", got)
	}
}
