package langid

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestPriors wants priors below 0 for languages that are rare on the web, the lowest for one of
// unknown frequency, and none without frequencies.
func TestPriors(t *testing.T) {
	var c Corpus
	must.Succeed(t, c.readWeb("web.tsv", strings.NewReader("deu\t2000\nnds\t100\nfrr\t10\n")))
	cfg := Config{Prior: 1, Common: 1000}
	texts := []*text{{lang: "de", web: c.web["de"]}, {lang: "frr", web: c.web["frr"]}, {lang: "nds", web: c.web["nds"]}, {lang: "stq"}}
	must.Same(t, priors(texts, cfg), []float64{0, -4.605, -2.303, -4.605})
	must.Same(t, priors(texts[3:], cfg), []float64{0}, "without frequencies")
	must.Fail(t, c.readWeb("web.tsv", strings.NewReader("deu\tmany\n")), "wanted a language tag")
}
