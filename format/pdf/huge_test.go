package pdf_test

import (
	"strings"
	"testing"

	"chaffinch/format/pdf/internal/write"
)

// TestHuge reads the text of pages with drawings whose positions overflow.
func TestHuge(t *testing.T) {
	big := strings.Repeat("9", 38) + ".5"
	for _, drawing := range []string{
		big + " 0 0 " + big + " 0 0 cm 0 0 " + big + " " + big + " re f\n",
		big + " 0 0 " + big + " " + big + " " + big + " cm " + big + " 0 0 " + big + " 0 0 cm 0 0 100 100 re f\n",
		"q " + big + " 0 0 " + big + " 0 0 cm " + big + " 0 0 -" + big + " " + big + " -" + big + " cm 0 0 m 10 0 l " + big + " 5 l S Q\n",
	} {
		doc := &write.Document{}
		p := doc.Page(595, 842)
		column(p, 72, 72, 60, lorem)
		p.Content("q " + drawing + " Q\n")
		if d := read(t, doc.Bytes()); !strings.Contains(d.HTML, "harbour") {
			t.Errorf("%s: drop %v: %s", drawing, d.Drop, d.HTML)
		}
	}
}
