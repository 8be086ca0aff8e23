package sniff

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit"
)

func TestOf(t *testing.T) {
	page := testkit.File{Name: "a.html", Data: []byte("<html>")}
	for _, c := range []struct {
		head string
		want Form
	}{
		{"", Empty},
		{"Some words of text.\n", Text},
		{string(testkit.Tar(page)), Tar},
		{string(testkit.Zip(page)), Zip},
		{string(testkit.Zip()), Zip},
		{"PAR1\x15\x04", Parquet},
		{"WARC/1.0\r\n", WARC},
		{"{\"text\":\"a\"}\n", JSONLines},
		{"\xef\xbb\xbf\n {\"text\"", JSONLines},
		{"{\n \"text\":\"a\"}", JSONDocument},
		{"[\n{\"text\":\"a\"}]", JSONArray},
		{"[see] a note", Text},
		{"{x} text", Text},
		{"<!DOCTYPE html><p>", HTML},
		{"<div><p>one</p><p>two</p></div>", HTML},
		{"<?xml version=\"1.0\"?>\n<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">", TEI},
		{"<?xml version=\"1.0\"?>\n<feed>", XML},
		{"<doc id=\"1\">\n<p>\nThe\nend\n", Vertical},
		{"<doc id=\"1\">\n<p>\nThe end of it.\n</p>\n", Prevertical},
		{"a\tDT\nb\tNN\n<doc>\n", Vertical},
		{"---\ntitle: \"x\"\n---\n", Markdown},
		{"---\ntitle: \"x\"\n---\n\n| one<br>two |\n|---|\n", Markdown},
		{"---\nid: \"a\"\n---\n\n<sub>2</sub> <b>\n", Markdown},
		{"---\nlayout: x\n---\n<div><p>one</p><br></div>\n", HTML},
		{"---\nlayout: x\n---\n\n{% include x %}\n<div><p>one</p><br></div>\n", HTML},
		{"# A heading\n\nText of it.\n", Markdown},
		{"# A heading\r\n\r\nText of it.\r\n", Markdown},
		{"---\r\ntitle: \"x\"\r\n---\r\n\r\n| one<br>two |\r\n|---|\r\n", Markdown},
		{"# 5 things\nto do\n", Text},
		{"# a.html\ngood\tparagraph\t0\t\tText.\n", Annotated},
		{"\xff\xfeA\x00 \x00w\x00o\x00r\x00d\x00\n\x00", UTF16},
		{"\xfe\xff\x00A\x00 \x00w\x00o\x00r\x00d\x00\n", UTF16},
		{"\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", HTML},
		{"%PDF-1.7", Document},
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00", Binary},
		{"\x00\x01\x02\x03\x04\x05", Binary},
	} {
		if got := Of([]byte(c.head)); got != c.want {
			t.Errorf("%.30q is %v, wanted %v", c.head, got, c.want)
		}
	}
}

// TestTagLines distinguishes verticals with structures of any name from pages.
func TestTagLines(t *testing.T) {
	for head, want := range map[string]bool{
		"<text>\na\n</text>\n": true, "<b>\n<b>\nx\n": true, "<text id=\"1\">\nThe\tDT\n<s>\n.\t.\n": true, "<text>\n<\nb\n</text>\n": true,
		"<html>\n<body>\nx\n</body>\n": false, "<div><p>one</p></div>\n": false, "<div>\nSome words of text.\nAnd more of them.\n</div>\n": false,
		"<div>\n  <p>\n": false, "<p>one</p>\n": false, "<text>\n</text>\n": false, "<!-- x -->\na\n": false, "": false,
	} {
		if got := TagLines([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// TestForms has a name for every form.
func TestForms(t *testing.T) {
	for f := Text; f <= Binary; f++ {
		e := &Error{Form: f, Want: "a vertical"}
		if f.String() == "" || !strings.Contains(e.Error(), "wanted a vertical") {
			t.Errorf("form %d: %v", f, e)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte("<doc>\n<p>\nx"))
	f.Fuzz(func(_ *testing.T, b []byte) { Of(b) })
}

// TestUTF8 checks that stray bytes do not make records legacy.
func TestUTF8(t *testing.T) {
	for text, want := range map[string]Form{"caf\xe9 au lait": Legacy, "{\"text\":\"caf\xe9\"}\n": JSONLines, "{\"text\":\"ferm\xe9, d\xe9j\xe0\"}\n": Legacy, "{\"text\":\"café\"}\n": JSONLines} {
		if got := UTF8([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
