package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"chaffinch/internal/packed"
	"chaffinch/internal/testkit/must"
)

// partsOf returns a zip archive with the files.
func partsOf(t testing.TB, method uint16, nameAndText ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(nameAndText); i += 2 {
		w := must.Get(z.CreateHeader(&zip.FileHeader{Name: nameAndText[i], Method: method}))(t)
		w.Write([]byte(nameAndText[i+1]))
	}
	z.Close()
	return b.Bytes()
}

func TestParts(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		raw := partsOf(t, method, "a.xml", strings.Repeat("one two ", 100), `b\c d.xml`, "2")
		for _, cut := range []int{0, 40} { // 40 bytes are in the table of contents
			p := must.Get(OpenParts(raw[:len(raw)-cut], 1<<20))(t)
			a, err := p.Read("a.xml")
			if err != nil || string(a) != strings.Repeat("one two ", 100) || p.Recovered != (cut > 0) {
				t.Errorf("method %d, cut %d: %.20q, error %v, recovered %t", method, cut, a, err, p.Recovered)
			}
			name, ok := p.Find("B/C%20d.xml")
			if ok {
				t.Errorf("found %q", name)
			}
			if name, ok = p.Find("b/c%20d.xml"); !ok || name != "b/c d.xml" {
				t.Errorf("found %q", name)
			}
			if name, ok = p.Find("A.XML"); !ok || name != "a.xml" {
				t.Errorf("found %q", name)
			}
			if _, err := p.Read("none"); err != errNoPart {
				t.Errorf("error %v", err)
			}
		}
	}
	if _, err := OpenParts([]byte("text"), 100); err == nil {
		t.Error("text is opened")
	}
}

func TestPartsLimits(t *testing.T) {
	raw := partsOf(t, zip.Deflate, "a", strings.Repeat("x", 20<<20), "b", strings.Repeat("y", 1000))
	p := must.Get(OpenParts(raw, 1<<30))(t)
	if b, err := p.Read("a"); !errors.Is(err, packed.ErrTooCompressed) || len(b) != 16<<20 {
		t.Errorf("%d bytes, error %v", len(b), err)
	}
	p = must.Get(OpenParts(raw, 500))(t)
	if b, err := p.Read("b"); !errors.Is(err, packed.ErrTooCompressed) || len(b) != 500 {
		t.Errorf("%d bytes, error %v", len(b), err)
	}
	cut := partsOf(t, zip.Deflate, "a", strings.Repeat("one two three ", 1000))
	p = must.Get(OpenParts(cut[:60], 1<<20))(t)
	if b, err := p.Read("a"); err == nil || !strings.HasPrefix("one two three one", string(b[:min(len(b), 8)])) {
		t.Errorf("%q, error %v", b, err)
	}
}
