package extract

import "testing"

// TestAttributes reads attributes that a tag has several times.
func TestAttributes(t *testing.T) {
	l := lexer{src: `<a CLASS="" data-x=1 class=b Href='/c' class=d rel=tag Rel="" data-lazy-src=e>`}
	if l.next() != tokStart {
		t.Fatal("no start tag")
	}
	a := &l.attrs
	for _, c := range []struct {
		id                 attrID
		value, first, last string
		known              bool
	}{{attrClass, "", "b", "d", true}, {attrHref, "/c", "/c", "/c", true}, {attrRel, "tag", "tag", "tag", true}, {attrElementID, "", "", "", false}, {attrDataLazySrc, "e", "e", "e", true}} {
		value, ok := a.get(c.id)
		if first, last := a.filled(false).value(c.id), a.filled(true).value(c.id); value != c.value || ok != c.known || a.has(1<<c.id) != ok || first != c.first || last != c.last {
			t.Errorf("attribute %d: %q %v, filled %q and %q, wanted %q %v, %q and %q", c.id, value, ok, first, last, c.value, c.known, c.first, c.last)
		}
	}
	if v, ok := a.named("data-x"); v != "1" || !ok {
		t.Errorf("data-x: %q %v, wanted 1", v, ok)
	}
}
