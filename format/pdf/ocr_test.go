package pdf_test

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"chaffinch/format/document"
	"chaffinch/format/pdf"
	"chaffinch/format/pdf/internal/write"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// ocrEnv makes the test program a program of OCR, which prints a text or fails.
const ocrEnv = "CHAFFINCH_TEST_OCR"

// fakeOCR reads a picture of a page and prints text for it.
func fakeOCR(mode string) {
	img, err := png.Decode(os.Stdin)
	if err != nil || img.Bounds().Dx() != 2479 {
		mode = "no picture"
	}
	switch mode {
	case "text":
		io.WriteString(os.Stdout, "Ships of the Harbour\n\n"+strings.ReplaceAll(lorem, " nobody", "\nno-\nbody")+"\n\n1. grain\n2. wool\n")
	case "hocr":
		io.WriteString(os.Stdout, hocr())
	case "rtl":
		io.WriteString(os.Stdout, "שלום לכל האנשים של CNN NEWS בעולם הזה\nוגם לשאר\n")
	case "noise":
		io.WriteString(os.Stdout, strings.Repeat("xkcd qwrt zzXzXq ", 30))
	case "slow":
		time.Sleep(time.Hour)
	default:
		io.WriteString(os.Stderr, "no language data\n")
		os.Exit(3)
	}
}

// hocr returns two columns of a page of 2479 pixels, line by line.
func hocr() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><div class="ocr_page" title="bbox 0 0 2479 3508">`)
	column := func(x int, text string) {
		words := strings.Fields(text)
		for y := 600; len(words) > 0; y += 50 {
			line := words[:min(len(words), 6)]
			words = words[len(line):]
			size := 40 + y%7
			fmt.Fprintf(&b, "<span class='ocr_line' title='bbox %d %d %d %d; baseline 0 -8; x_size %d'>", x, y, x+900, y+42, size)
			for i, w := range line {
				fmt.Fprintf(&b, "<span class='ocrx_word' title='bbox %d %d %d %d; x_wconf 90'>%s</span> ", x+150*i, y, x+150*i+130, y+42, "<strong>"+w+"</strong>")
			}
			b.WriteString("</span>\n")
		}
	}
	column(200, strings.Repeat(lorem, 2))
	column(1400, strings.Repeat(dolor, 2))
	b.WriteString("</div></body></html>")
	return b.String()
}

func TestOCR(t *testing.T) {
	testkit.Slow(t)
	doc := &write.Document{}
	column(doc.Page(595, 842), 72, 72, 60, dolor)
	doc.Page(595, 842).Image(0, 0, 595, 842)
	raw := doc.Bytes()
	r := &pdf.Reader{Workers: 1}
	t.Cleanup(r.Close)
	exe := must.Get(os.Executable())(t)
	recognise := func(mode string) (document.Document, error) {
		t.Setenv(ocrEnv, mode)
		return r.ReadOCR(context.Background(), raw, document.Limits{}, &pdf.OCR{Args: []string{exe}})
	}
	for mode, want := range map[string][]string{
		"text": {`<p class="ocr">` + strings.TrimSpace(lorem) + `</p>`, `<ol><li class="ocr">1. grain</li>`, `<p>` + strings.TrimSpace(dolor) + `</p>`},
		"hocr": {`<p class="ocr">` + strings.TrimSpace(strings.Repeat(lorem, 2)) + `</p>`, `<p class="ocr">` + strings.TrimSpace(strings.Repeat(dolor, 2)) + `</p>`},
		"rtl":  {`<p class="ocr">שלום לכל האנשים של CNN NEWS בעולם הזה וגם לשאר</p>`},
	} {
		d := must.Get(recognise(mode))(t)
		for _, w := range want {
			if html := body(d); !strings.Contains(html, w) {
				t.Errorf("%s: no %s in\n%s", mode, w, html)
			}
		}
		if n := note(d, "ocr"); n != 1 || note(d, "needs-ocr") != 0 {
			t.Errorf("%s: notes %v", mode, d.Notes)
		}
	}
	if d, err := recognise("noise"); err != nil || note(d, "needs-ocr") != 1 || strings.Contains(d.HTML, "xkcd") {
		t.Errorf("text that is no words: notes %v, error %v", d.Notes, err)
	}
	var exit *exec.ExitError
	if _, err := recognise("bad"); !errors.As(err, &exit) || !strings.Contains(err.Error(), "OCR of page 2") || !strings.Contains(err.Error(), "no language data") {
		t.Errorf("a program that fails: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	t.Setenv(ocrEnv, "slow")
	if _, err := r.ReadOCR(ctx, raw, document.Limits{}, &pdf.OCR{Args: []string{exe}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a slow program: %v", err)
	}
	if d, err := r.Read(context.Background(), raw, document.Limits{}); err != nil || note(d, "needs-ocr") != 1 {
		t.Errorf("without OCR: notes %v, error %v", d.Notes, err)
	}
}

// note returns the value of a note.
func note(d document.Document, what string) float64 {
	for _, n := range d.Notes {
		if n.What == what {
			return n.Value
		}
	}
	return 0
}

func TestParseOCR(t *testing.T) {
	o := must.Get(pdf.ParseOCR(`tesseract stdin stdout -l "deu"`))(t)
	if strings.Join(o.Args, "|") != "tesseract|stdin|stdout|-l|deu" {
		t.Errorf("%q", o.Args)
	}
	if _, err := pdf.ParseOCR(" "); err == nil {
		t.Error("no error of an empty command")
	}
}
