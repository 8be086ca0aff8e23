package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/format/pdf/internal/write"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// drawn returns characters from left to right, each half as wide as its size.
func drawn(text string) []wire.Char {
	var out []wire.Char
	x := float32(100)
	for _, r := range text {
		if r != ' ' {
			out = append(out, wire.Char{Rune: r, Box: wire.Box{X0: x, X1: x + 5, Y0: 90, Y1: 102}, Base: 100, Size: 10, Tag: -1})
		}
		x += 5
	}
	return out
}

func pageOf(chars []wire.Char) *wire.Page {
	return &wire.Page{Width: 595, Height: 842, Fonts: []wire.Font{{}}, Chars: chars}
}

// TestDirections draws text as it is seen, from left to right, and reads it in logical order.
func TestDirections(t *testing.T) {
	for seen, want := range map[string]string{
		"three words here":   "three words here",
		"םולש":               "שלום",
		"CNN 20 םולש":        "שלום 20 CNN",
		"ABC DEF םולש םולש":  "שלום שלום ABC DEF",
		".(םולש) 12.5":       "12.5 (שלום).",
		"0-1 ةجيتنب":         "بنتيجة 1-0",
		"5-4 12.5% םולש":     "שלום 12.5% 5-4",
		"19–18 $12 םולש":     "שלום $12 18–19",
		".)AMs( ,(םולש(":     "(שלום), (AMs).",
		"say םולש to all of": "say שלום to all of",
	} {
		lines := linesOf(pageOf(drawn(seen)), 0)
		if len(lines) != 1 || lines[0].text != want {
			t.Errorf("%q: %q, want %q", seen, lines[0].text, want)
		}
	}
}

// TestLinesOfTwoColumns does not join lines of columns, but parts of a justified line.
func TestLinesOfTwoColumns(t *testing.T) {
	var chars []wire.Char
	add := func(x, y float32, text string) {
		for i, c := range drawn(text) {
			c.X0, c.X1, c.Base = x+5*float32(i), x+5*float32(i)+5, y
			chars = append(chars, c)
		}
	}
	for i := range 3 {
		add(100, 100+12*float32(i), "aaaaaaaaaaaaaaaaaaaa") // to 200
		add(212, 100+12*float32(i), "bbbbbbbbbb")
	}
	add(100, 136, "ccccc")
	add(150, 136, "dddddddddd")
	var got []string
	for _, l := range linesOf(pageOf(chars), 0) {
		got = append(got, l.text)
	}
	want := "aaaaaaaaaaaaaaaaaaaa|bbbbbbbbbb|aaaaaaaaaaaaaaaaaaaa|bbbbbbbbbb|aaaaaaaaaaaaaaaaaaaa|bbbbbbbbbb|ccccc dddddddddd"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}

func TestJoined(t *testing.T) {
	m := &metrics{words: map[string]int{"well-known": 2, "harbour": 1, "nordsee": 1}}
	for _, c := range [][3]string{
		{"the", "end", "the end"}, {"har-", "bour", "harbour"}, {"well-", "known", "well-known"}, {"un\u0002", "known", "unknown"}, {"soft\u00ad", "ly", "softly"},
		{"Nord-", "See", "NordSee"}, {"Anglo-", "American", "Anglo-American"}, {"1990-", "1995", "1990-1995"}, {"1990\u0002", "1995", "1990\u00021995"}, {"1930er\u0002", "Jahren", "1930er\u0002Jahren"}, {"well\u0002", "known", "well\u0002known"}, {"日本", "語", "日本語"}, {"ไทย", "แลนด์", "ไทยแลนด์"}, {"a -", "b", "a - b"},
	} {
		if got := m.joined(c[0], c[1]) + c[1]; got != c[2] {
			t.Errorf("%q + %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{"e\ufb03cient": "efficient", "\ufef7\u0645": "لأم", "a\u0301": "á", "x²": "x²", "½": "½"} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestMarkers(t *testing.T) {
	for text, want := range map[string]string{"• grain": "•", "1. Ships": "1.", "(12) Ships": "(12)", "a) Ships": "a)", "iv) Ships": "iv)", "A. Smith": "", "etc. and": "", "1990. Ships": "", "•": "", " x": ""} {
		if got := marker(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"12": 12, "-12-": 12, "١٢": 12, "xii": -1, "12a": -1, "": -1} {
		if got := pageNumber(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if romanNumber("xiv") != 14 || romanNumber("mix") != 0 {
		t.Error("Roman numbers")
	}
}

func TestNoWorker(t *testing.T) {
	self.Store(false)
	defer self.Store(true)
	if _, err := new(Reader).Read(context.Background(), []byte("%PDF-1.4"), document.Limits{}); !errors.Is(err, errNoWorker) {
		t.Errorf("error %v", err)
	}
	r := &Reader{Command: []string{"/nowhere/worker"}, Workers: 1}
	for range 2 { // the slot is returned
		if _, err := r.Read(context.Background(), []byte("%PDF-1.4"), document.Limits{}); err == nil {
			t.Error("no error of a command that does not exist")
		}
	}
}

// TestRepairObjectStreams reads pages whose objects are in a stream, from a file without its end.
func TestRepairObjectStreams(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	const first = "<</Type/Page/Parent 9 0 R>>"
	fmt.Fprintf(w, "5 0 7 %d ", len(first))
	head := len(fmt.Sprintf("5 0 7 %d ", len(first)))
	fmt.Fprint(w, first, "<</Type/Page/Parent 9 0 R/Rotate 90>>")
	must.Succeed(t, w.Close())
	raw := fmt.Appendf(nil, "%%PDF-1.5\n3 0 obj\n<</Type/ObjStm/N 2/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n4 0 obj <</Open", head, z.Len(), z.Bytes())
	got := string(repair(raw))
	for _, want := range []string{"\n5 0 obj\n<</Type/Page/Parent 9 0 R>>\nendobj", "/Rotate 90", "/Count 2/Kids[5 0 R 7 0 R ]", "/Root 8 0 R"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "/Open") {
		t.Errorf("an object that is cut off: %q", got)
	}
}

func FuzzRepair(f *testing.F) {
	doc := &write.Document{}
	doc.Page(200, 200).Text(20, 20, 10, "Courier", "text")
	raw := doc.Bytes()
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Add([]byte("1 0 obj<</Type/ObjStm/N 9/First 8>>stream\n1 0 2 3 4 endstream endobj"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if out := repair(raw); out != nil && !bytes.HasSuffix(out, []byte("%%EOF\n")) {
			t.Errorf("%q", out)
		}
	})
}

// FuzzConvert converts pages with characters at any place.
func FuzzConvert(f *testing.F) {
	f.Add([]byte("some text with 12 numbers ..... 5 and so on"), uint8(3))
	f.Add([]byte("\x00\xff• a) 1. שלום (x) ﬁ"), uint8(200))
	f.Fuzz(func(t *testing.T, data []byte, seed uint8) {
		text := []rune(string(data))
		pages := []*wire.Page{pageOf(nil), nil, pageOf(nil)}
		x, y := float32(seed), float32(50)
		for i, r := range text {
			size := float32(6 + (int(seed)*i)%5)
			pages[i%2*2].Chars = append(pages[i%2*2].Chars, wire.Char{Rune: r, Base: y, Size: size, Angle: int16(90 * (i / 40 * int(seed) % 4)), Tag: -1,
				Box: wire.Box{X0: x, X1: x + size/2, Y0: y - size, Y1: y}, Flags: uint8(r) & seed & 31})
			if x += size * float32(seed%7) / 6; r < 'a' && i%9 == 0 {
				x, y = float32(int(r)*7%500), y+float32(seed%16)
				pages[0].Rules = append(pages[0].Rules, wire.Box{X0: x, Y0: y, X1: x + float32(r%2)*90, Y1: y + float32(seed%3)*20})
			}
		}
		d := convert(wire.Doc{Pages: 3}, pages, page.None, document.Default, nil)
		if d.Drop == page.None && !strings.HasSuffix(d.HTML, "</body></html>\n") {
			t.Errorf("%q", d.HTML)
		}
		if again := convert(wire.Doc{Pages: 3}, pages, page.None, document.Default, nil); again.HTML != d.HTML {
			t.Errorf("differs: %q, %q", d.HTML, again.HTML)
		}
	})
}

// TestOCRWidth wants images of pages with the resolution of OCR, or with as many pixels as allowed.
func TestOCRWidth(t *testing.T) {
	for _, p := range []wire.Page{{Width: 595, Height: 842}, {Width: 1684, Height: 2384}, {Width: 14400, Height: 300}} {
		width := float64(ocrWidth(&p))
		if pixels, dpi := width*width*float64(p.Height/p.Width), 72*width/float64(p.Width); pixels > ocrPixels+1 || dpi < ocrDPI-1 && pixels < .99*ocrPixels {
			t.Errorf("%g x %g points: %.0f pixels, %.0f per inch", p.Width, p.Height, pixels, dpi)
		}
	}
}

// TestHOCRLines reads lines of hOCR without words, whose text divides the box of the line.
func TestHOCRLines(t *testing.T) {
	const page = `<div class="ocr_page"><span class="ocr_line" title="bbox 100 100 1400 140">The <b>ships</b> left</span>
<span class="ocr_line" title="bbox 100 200 1000 240"><span class="ocrx_word" title="bbox 100 200 900 240">at</span> x</span>
<span class="ocr_line" title="bbox 100 300 800 340">שלום לכל</span><span class="ocr_line" title="bbox 100 400 800 440"></span></div>`
	lines, ok := hocrLines([]byte(page), .5)
	var got []string
	for _, l := range lines {
		for _, w := range l.words {
			got = append(got, fmt.Sprintf("%s %.0f-%.0f", w.text, w.X0, w.X1))
		}
	}
	if want := []string{"The 50-189", "ships 236-468", "left 514-700", "at 50-450", "שלום 225-400", "לכל 50-181"}; !ok || !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
