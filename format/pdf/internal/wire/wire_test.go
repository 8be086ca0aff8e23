package wire

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestPage(t *testing.T) {
	p := &Page{
		Width: 595, Height: 842, Fonts: []Font{{Name: "Times", Bold: true}}, Tags: []Tag{{Type: "P", Parent: -1}},
		Images: []Box{{1, 2, 3, 4}},
		Chars:  []Char{{Box: Box{1, 2.5, 3, 4}, Rune: '𝒳', Base: 3.5, Size: 11, Angle: -90, Tag: -1, Flags: Artifact}, {Rune: 'b'}},
	}
	b := must.Get(p.Encode())(t)
	got := must.Get(DecodePage(b))(t)
	if !reflect.DeepEqual(got, p) {
		t.Errorf("got  %+v\nwant %+v", got, p)
	}
	for i := range b {
		if q, err := DecodePage(b[:i]); err == nil && len(q.Chars) == len(p.Chars) {
			t.Errorf("%d of %d bytes are a page", i, len(b))
		}
	}
}

func TestMessages(t *testing.T) {
	var b bytes.Buffer
	must.Succeed(t, WriteRequest(&b, Read, 7, []byte("abc")))
	must.Succeed(t, WriteResponse(&b, Damaged, []byte("no")))
	op, number, payload, err := ReadRequest(&b)
	if err != nil || op != Read || number != 7 || string(payload) != "abc" {
		t.Errorf("request %c %d %q, error %v", op, number, payload, err)
	}
	status, payload, err := ReadResponse(&b)
	if err != nil || status != Damaged || string(payload) != "no" {
		t.Errorf("response %d %q, error %v", status, payload, err)
	}
	if _, _, _, err := ReadRequest(&b); err != io.EOF {
		t.Errorf("end: %v", err)
	}
	if _, _, err := ReadResponse(bytes.NewReader([]byte{0, 255, 255, 255, 255})); err == nil {
		t.Error("a response of 4 GiB was read")
	}
}

func FuzzPage(f *testing.F) {
	b := must.Get((&Page{Fonts: []Font{{}}, Chars: []Char{{Rune: 'a'}}}).Encode())(f)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := DecodePage(b)
		if err != nil {
			return
		}
		for _, c := range p.Chars {
			if int(c.Font) >= len(p.Fonts) || int(c.Tag) >= len(p.Tags) {
				t.Errorf("character %+v", c)
			}
		}
	})
}
