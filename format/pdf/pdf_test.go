package pdf_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/png"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"chaffinch/format/document"
	"chaffinch/format/pdf"
	"chaffinch/format/pdf/internal/write"
	"chaffinch/format/pdf/worker"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestMain makes the test program the worker of its readers.
func TestMain(m *testing.M) {
	if mode := os.Getenv(ocrEnv); mode != "" && os.Getenv("CHAFFINCH_PDF_WORKER") == "" {
		fakeOCR(mode)
		return
	}
	worker.Main()
	os.Exit(m.Run())
}

func read(t *testing.T, raw []byte) document.Document {
	t.Helper()
	r := &pdf.Reader{Workers: 1, Rules: true}
	t.Cleanup(r.Close)
	return must.Get(r.Read(context.Background(), raw, document.Limits{}))(t)
}

var boxes = regexp.MustCompile(` data-box="[^"]*"`)

// body returns the elements of a document without their boxes.
func body(d document.Document) string {
	_, html, _ := strings.Cut(d.HTML, "<body>\n")
	html, _, _ = strings.Cut(html, "</body>")
	return boxes.ReplaceAllString(html, "")
}

const (
	lorem = "The ships left the harbour at dawn, and nobody on the quay believed that they would come back before the winter. "
	dolor = "Each of them carried grain, timber and a few passengers, who had paid for a place under the deck. "
)

// column draws lines of text in a column and returns the position below.
func column(p *write.Page, x, y float64, width int, text string) float64 {
	words := strings.Fields(text)
	for len(words) > 0 {
		line := words[0]
		words = words[1:]
		for len(words) > 0 && len(line)+1+len(words[0]) <= width {
			line += " " + words[0]
			words = words[1:]
		}
		p.Text(x, y, 10, "Courier", line)
		y += 12
	}
	return y
}

// book returns pages with running heads, numbers, headings and two columns.
func book(pages int) *write.Document {
	d := &write.Document{Title: "report.pdf", Lang: "en-GB"}
	for i := range pages {
		p := d.Page(595, 842)
		p.Text(72, 40, 8, "Times-Italic", "A History of Shipping")
		p.Text(290, 810, 8, "Times-Roman", fmt.Sprint(11+i))
		y := 90.0
		if i == 0 {
			p.Text(72, y, 22, "Times-Bold", "Ships and Harbours")
			y += 40
		}
		p.Text(72, y, 14, "Times-Bold", fmt.Sprintf("Part %c", 'A'+i))
		column(p, 72, y+30, 36, strings.Repeat(lorem, 3))
		column(p, 72, y+30+12*12, 36, strings.Repeat(dolor, 2))
		column(p, 320, y+30, 36, strings.Repeat(dolor, 3))
	}
	return d
}

func TestRead(t *testing.T) {
	d := read(t, book(3).Bytes())
	html := body(d)
	for _, want := range []string{
		`<span role="doc-pagebreak" id="page-1"></span><p role="doc-pageheader">A History of Shipping</p>`,
		`<h1>Ships and Harbours</h1>`,
		`<h2>Part A</h2>`,
		`<p>` + strings.TrimSpace(strings.Repeat(lorem, 3)) + `</p>`,
		`<p>` + strings.TrimSpace(strings.Repeat(dolor, 2)) + `</p>`,
		`<p role="doc-pagefooter">12</p>`,
		`<span role="doc-pagebreak" id="page-3"></span>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	if !strings.Contains(d.HTML, "<html lang=\"en-GB\"><head><meta charset=\"utf-8\"><title>Ships and Harbours</title><meta name=\"date\" content=\"2026-01-02\">") {
		t.Errorf("head: %s", d.HTML[:300])
	}
	if !strings.Contains(d.HTML, `<h1 data-box="1 72 72 `) {
		t.Errorf("no box of the title: %s", d.HTML)
	}
}

// TestStructure reads lists, tables, captions, notes, contents and references.
func TestStructure(t *testing.T) {
	doc := &write.Document{}
	p := doc.Page(595, 842)
	y := 80.0
	for i, title := range []string{"Introduction", "Harbours of the north", "Harbours of the south"} {
		p.Text(72, y, 10, "Courier", title+" . . . . . . . . . . . "+fmt.Sprint(3+7*i))
		y += 12
	}
	y = column(p, 72, y+20, 70, strings.Repeat(lorem, 2)) + 8
	p.Text(72, y, 10, "Courier", "• grain and timber")
	p.Text(72, y+12, 10, "Courier", "• wool")
	y += 50
	for i := range 4 {
		p.Line(72, y+20*float64(i), 372, y+20*float64(i))
	}
	for i := range 3 {
		p.Line(72+150*float64(i), y, 72+150*float64(i), y+60)
		p.Text(80, y+14+20*float64(i), 10, "Courier", [...]string{"Harbour", "Aberdeen", "Leith"}[i])
		p.Text(230, y+14+20*float64(i), 10, "Courier", [...]string{"Ships", "124", "98"}[i])
	}
	p.Text(72, y+76, 9, "Times-Italic", "Table 1. Ships in the year of the survey")
	y = column(p, 72, y+110, 70, strings.Repeat(dolor, 3))
	p.Text(72, y+20, 14, "Times-Bold", "References")
	for i := range 5 {
		p.Text(72, y+44+16*float64(i), 10, "Courier", fmt.Sprintf("[%d] Smith, J., Ships of the north. Leith, 19%d1.", i+1, i+3))
	}
	p.Text(72, 780, 7, "Times-Roman", "1 The survey was made by the harbour masters.")
	html := body(read(t, doc.Bytes()))
	for _, want := range []string{
		`<section role="doc-toc"><p>Introduction 3</p>`,
		"<ul><li>grain and timber</li>\n<li>wool</li>\n</ul>",
		"<table><tr><td>Harbour</td>\n<td>Ships</td>\n</tr>\n<tr><td>Aberdeen</td>\n<td>124</td>\n</tr>",
		`<figure><figcaption>Table 1. Ships in the year of the survey</figcaption></figure>`,
		`<section role="doc-bibliography"><h2>References</h2>`,
		`<p role="doc-footnote">1 The survey was made by the harbour masters.</p>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

// TestTables reads a ruled table with cells of several lines, and one without rules whose columns are
// close to each other.
func TestTables(t *testing.T) {
	doc := &write.Document{}
	p := doc.Page(595, 842)
	for i := range 4 {
		p.Line(72, 80+40*float64(i), 372, 80+40*float64(i))
		p.Line(72+100*float64(i), 80, 72+100*float64(i), 200)
	}
	for r := range 3 {
		for c := range 3 {
			if r == 0 && c == 2 {
				continue // an empty cell
			}
			for i, text := range []string{"grain of", "the north", fmt.Sprint(r, c)} {
				p.Text(76+100*float64(c), 92+40*float64(r)+11*float64(i), 9, "Courier", text)
			}
		}
	}
	column(p, 72, 240, 70, lorem)
	names := []string{"Leith", "Aberdeen", "Kirkwall", "Wick", "Lerwick"}
	for r, name := range names {
		y := 320 + 14*float64(r)
		p.Text(72, y, 10, "Times-Roman", name)
		p.Text(122, y, 10, "Times-Roman", names[len(names)-1-r])
		p.Text(172, y, 10, "Times-Roman", names[(r+2)%len(names)])
	}
	html := body(read(t, doc.Bytes()))
	for _, want := range []string{
		"<table><tr><td>grain of the north 0 0</td>\n<td>grain of the north 0 1</td>\n<td></td>\n</tr>\n<tr><td>grain of the north 1 0</td>",
		"<p>" + strings.TrimSpace(lorem) + "</p>",
		"<table><tr><td>Leith</td>\n<td>Lerwick</td>\n<td>Kirkwall</td>\n</tr>",
		"<tr><td>Lerwick</td>\n<td>Leith</td>\n<td>Aberdeen</td>\n</tr>\n</table>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

// TestInline reads links, bold and italic.
// TestDropCaps reads paragraphs that begin with a large letter on the baseline of their second line,
// which is drawn before the paragraph or before the whole text.
func TestDropCaps(t *testing.T) {
	const want = "The ships left the harbour at dawn, and nobody on the quay believed that they would come back."
	for _, first := range []bool{true, false} {
		d := &write.Document{}
		p := d.Page(595, 842)
		capital := func(n float64) { p.Text(90, 102+100*n, 28, "Courier", "T") }
		for n := range 4 {
			if first {
				capital(float64(n))
			}
		}
		for n := range 4 {
			y := 90 + 100*float64(n)
			if !first {
				capital(float64(n))
			}
			p.Text(108, y, 10, "Courier", "he ships left the harbour at dawn,")
			p.Text(108, y+12, 10, "Courier", "and nobody on the quay believed")
			p.Text(90, y+24, 10, "Courier", "that they would come back.")
		}
		if got := body(read(t, d.Bytes())); strings.Count(got, want) != 4 {
			t.Errorf("drawn first: %t\n%s", first, got)
		}
	}
}

// TestNarrowColumns reads three columns whose lines are as short as the cells of a table.
func TestNarrowColumns(t *testing.T) {
	d := &write.Document{}
	p := d.Page(595, 842)
	for x := range 3 {
		y := 90.
		for range 3 {
			y = column(p, 70+160*float64(x), y, 22, lorem+dolor) + 14
		}
	}
	if got := body(read(t, d.Bytes())); strings.Contains(got, "<table") || strings.Count(got, strings.TrimSpace(lorem+dolor)) != 9 {
		t.Error(got)
	}
}

func TestInline(t *testing.T) {
	doc := &write.Document{}
	p := doc.Page(595, 842)
	y := 100.0
	parts := func(texts ...string) { // the fonts of a line alternate
		x := 72.0
		for i, text := range texts {
			p.Text(x, y, 10, [...]string{"Courier", "Courier-Bold", "Courier-Oblique"}[i%3], text)
			x += 6 * float64(len(text)+1)
		}
		y += 12
	}
	parts("The ships", "left the harbour", "at dawn")
	parts("in the", "morning", "and")
	parts("went to", "a", "sea")
	y += 12
	p.Text(72, y, 10, "Courier-Bold", "A line of bold words that is long")
	y += 12
	parts("", "enough", "", "for two lines of which one ends so.")
	p.Link(72, 92, 130, 102, "https://example.org/a")
	p.Link(133, 92, 160, 102, "https://example.org/a")
	p.Link(72, 128, 130, 138, "javascript:alert(1)")
	p.Text(72, 60, 20, "Times-Bold", "A linked heading")
	p.Link(72, 45, 300, 62, "https://example.org/b?c&d")
	html := body(read(t, doc.Bytes()))
	for _, want := range []string{
		`<h1><a href="https://example.org/b?c&amp;d">A linked heading</a></h1>`,
		`<p><a href="https://example.org/a">The ships <strong>left</strong></a> <strong>the harbour</strong> <em>at dawn</em> in the <strong>morning</strong> <em>and</em> went to a <em>sea</em></p>`,
		`<p><strong>A line of bold words that is long enough</strong> for two lines`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	if strings.Contains(html, "javascript") {
		t.Errorf("a link to a script: %s", html)
	}
}

// TestTurned reads a page that is shown turned, and text beside the page's text.
// TestMirrored draws brackets and quotes in text from right to left. PDFium mirrors some of them.
func TestMirrored(t *testing.T) {
	const seen = `.(WMP ‘םולש‘) םילשורי „םולש“ ,(AMs) םולש` // from left to right
	const want = `שלום (AMs), “שלום„ ירושלים (‘שלום‘ WMP).`
	var codes []byte
	runes := map[byte]rune{}
	for _, r := range seen {
		code := byte(r)
		if r >= 0x80 {
			code = byte(0xA1 + len(runes))
			runes[code] = r
		}
		codes = append(codes, code)
	}
	d := &write.Document{Lang: "he", Unicode: func(code byte) rune { return cmp.Or(runes[code], rune(code)) }}
	p := d.Page(595, 842)
	text := []rune(nil)
	for _, c := range codes {
		text = append(text, rune(c))
	}
	for y := range 12 {
		p.Text(90, 90+14*float64(y), 11, "Courier", string(text))
	}
	if got := read(t, d.Bytes()).HTML; strings.Count(got, want) != 12 {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestTurned(t *testing.T) {
	doc := &write.Document{}
	p := doc.Page(595, 842)
	p.Rotate(90)
	for i := range 4 {
		p.Turned(100+14*float64(i), 700, 10, 3, "Courier", "a line of a table that is wider than the page")
	}
	doc.Page(595, 842).Turned(30, 300, 20, 1, "Times-Roman", "arXiv 1234")
	last := doc.Page(595, 842)
	last.Turned(30, 300, 20, 1, "Times-Roman", "arXiv 1234")
	column(last, 72, 100, 60, lorem)
	html := body(read(t, doc.Bytes()))
	for _, want := range []string{"a line of a table that is wider than the page a line", "<aside>arXiv 1234</aside>", "<p>" + strings.TrimSpace(lorem) + "</p>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

// TestTurnedBox reads a line at the same position on pages whose text has other directions.
func TestTurnedBox(t *testing.T) {
	testkit.Slow(t)
	for quarters, box := range []string{"1 100 92 190 102", "1 98 100 108 190", "1 10 98 100 108", "1 92 10 102 100"} {
		for most := range 4 {
			if most == quarters {
				continue
			}
			doc := &write.Document{}
			p := doc.Page(595, 842)
			p.Turned(400, 400, 10, most, "Courier", "the other text of the page")
			p.Turned(100, 100, 10, quarters, "Courier", "one line, alone")
			if html := read(t, doc.Bytes()).HTML; !strings.Contains(html, `<aside data-box="`+box+`">one line, alone</aside>`) {
				t.Errorf("%d quarters on a page of %d: no box %s in\n%s", quarters, most, box, html)
			}
		}
	}
}

func TestCutFile(t *testing.T) {
	testkit.Slow(t)
	raw := book(8).Bytes()
	whole := body(read(t, raw))
	i := bytes.LastIndex(raw, []byte("endstream")) // of the characters' Unicode values, images or fonts
	d := read(t, raw[:i])
	if d.Cut != page.Truncated || d.Drop != page.None {
		t.Fatalf("cut %v, drop %v", d.Cut, d.Drop)
	}
	if got := body(d); strings.Count(got, "harbour at dawn") < strings.Count(whole, "harbour at dawn")/2 {
		t.Errorf("text of the cut file: %s", got)
	}
	if d := read(t, raw[:200]); d.Drop != page.Damaged {
		t.Errorf("200 bytes: %v", d.Drop)
	}
}

func TestDrop(t *testing.T) {
	testkit.Slow(t)
	scan := &write.Document{}
	scan.Page(595, 842).Image(0, 0, 595, 842)
	private := &write.Document{Unicode: func(c byte) rune { return 0xE000 + rune(c) }}
	column(private.Page(595, 842), 72, 72, 60, lorem)
	cipher := &write.Document{Unicode: func(c byte) rune {
		if strings.ContainsRune("aeiou", rune(c)) {
			return 'x'
		}
		return rune(c)
	}}
	column(cipher.Page(595, 842), 72, 72, 60, strings.Repeat(lorem, 4))
	blank := &write.Document{}
	blank.Page(595, 842)
	locked := book(1)
	key := strings.Repeat("ab", 32)
	locked.Trailer = "/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -44/O<" + key + ">/U<" + key + ">>>"
	for name, c := range map[string]struct {
		raw  []byte
		want page.Reason
	}{
		"scan": {scan.Bytes(), page.NeedsOCR}, "private use": {private.Bytes(), page.NeedsOCR}, "wrong letters": {cipher.Bytes(), page.NeedsOCR},
		"blank": {blank.Bytes(), page.NoText}, "locked": {locked.Bytes(), page.Encrypted}, "no PDF": {[]byte("%PDF-1.4\nnothing"), page.Damaged},
	} {
		if d := read(t, c.raw); d.Drop != c.want || d.HTML != "" {
			t.Errorf("%s: %v, want %v", name, d.Drop, c.want)
		}
	}
}

// TestLargePage reads a page with more characters than are read of a page.
func TestLargePage(t *testing.T) {
	testkit.Slow(t)
	doc := &write.Document{}
	p := doc.Page(595, 842)
	for i := range 300 {
		p.Text(72, 40+2.5*float64(i), 2, "Courier", strings.Repeat("harbour ", 100))
	}
	d := read(t, doc.Bytes())
	if d.Cut != page.TooLarge || !strings.Contains(d.HTML, "harbour") {
		t.Errorf("cut %v, drop %v, %d bytes", d.Cut, d.Drop, len(d.HTML))
	}
}

// TestClose closes a reader in several goroutines at once, and uses it again.
func TestClose(t *testing.T) {
	r := &pdf.Reader{Workers: 4}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(r.Close)
	}
	wg.Wait()
	d := must.Get(r.Read(context.Background(), book(1).Bytes(), document.Limits{}))(t)
	if r.Close(); d.Drop != page.None {
		t.Errorf("drop %v", d.Drop)
	}
}

// TestTrap reads a page that unpacks to more than the memory of a worker, and the pages after it.
func TestTrap(t *testing.T) {
	testkit.Slow(t)
	doc := book(1)
	doc.Page(595, 842).Content(strings.Repeat(" ", 300<<20))
	column(doc.Page(595, 842), 72, 72, 60, dolor)
	r := &pdf.Reader{Workers: 1, PageTime: time.Minute}
	defer r.Close()
	d, err := r.Read(context.Background(), doc.Bytes(), document.Limits{})
	must.Succeed(t, err)
	html := body(d)
	if !strings.Contains(html, "Ships and Harbours") || !strings.Contains(html, "timber and a few passengers") {
		t.Errorf("drop %v: %s", d.Drop, html)
	}
	if d, err = r.Read(context.Background(), book(1).Bytes(), document.Limits{}); err != nil || d.Drop != page.None {
		t.Errorf("next document: %v, error %v", d.Drop, err)
	}
}

func TestTimeLimit(t *testing.T) {
	r := &pdf.Reader{Workers: 1, PageTime: time.Nanosecond}
	defer r.Close()
	d, err := r.Read(context.Background(), book(9).Bytes(), document.Limits{})
	if err != nil || d.Drop != page.TooSlow && d.Cut != page.TooSlow {
		t.Errorf("drop %v, cut %v, error %v", d.Drop, d.Cut, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&pdf.Reader{}).Read(ctx, book(1).Bytes(), document.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestRender(t *testing.T) {
	r := &pdf.Reader{Workers: 1, Rules: true}
	defer r.Close()
	b := must.Get(r.Render(context.Background(), book(2).Bytes(), 2, 300))(t)
	img := must.Get(png.Decode(bytes.NewReader(b)))(t)
	dark := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0xA000 {
				dark++
			}
		}
	}
	if img.Bounds().Dx() != 300 || img.Bounds().Dy() != 424 || dark < 50 {
		t.Errorf("image of %v with %d dark pixels", img.Bounds(), dark)
	}
	if _, err := r.Render(context.Background(), book(2).Bytes(), 3, 300); err == nil {
		t.Error("page 3 of 2 was drawn")
	}
}
