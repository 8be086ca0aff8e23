package plain

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSniff(t *testing.T) {
	wide := func(s string) string { // UTF-16, little end first
		var b strings.Builder
		for _, c := range []byte(s) {
			b.WriteByte(c)
			b.WriteByte(0)
		}
		return b.String()
	}
	for in, want := range map[string]string{
		"":                                    Text,
		"Some words.":                         Text,
		"<!DOCTYPE html><p>x":                 HTML,
		"\xef\xbb\xbf \r\n<HTML>":             HTML,
		"<!-- x --><p>":                       HTML,
		"<text id=\"1\"><p>a page in a frame": HTML,
		"<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"x\"><html>": HTML,
		"<?xml version=\"1.0\"?><rss><channel>":                     "text/xml",
		"<rss version=\"2.0\">":                                     "text/xml",
		"<svg xmlns=\"x\">":                                         "text/xml",
		"Warning: bad thing in line 3 <br />\n<html><body>":         HTML,
		"one <p>two<p>three <b>four</b>":                            HTML,
		"if a < b and c <d then":                                    Text,
		"\xff\xfe" + wide("<html><p>x"):                             HTML,
		wide("<html><p>x and more text here"):                       HTML,
		"\xff\xfe" + wide("words"):                                  Text,
		"<html>\x00<p>a\x00b":                                       HTML,
		"words\x00 with one NUL byte between many others of them":   Text,
		"\x1b$)C\x0eGQ1[>n\x0f \x0eGQ1[>n\x0f.\n":                   Text, // ISO-2022-KR
		"\x0eGQ1[>n\x0f \x0eGQ1[>n\x0f.\n":                          "application/octet-stream",
		"caf\xe9 in Latin-1":                                        Text,
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR":                       "image/png",
		"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00":            "image/gif",
		"%PDF-1.4\nwords":                                           "application/pdf",
		"{\\rtf1 words}":                                            "application/rtf",
		"PK\x03\x04\x14\x00\x00\x00\x08\x00":                        "application/zip",
		"\x00\x01\x02\x03\x04\x05\x06\x07":                          "application/octet-stream",
		"{\n \"a\": 1}":                                             "application/json",
		"[{\"a\": 1}]":                                              "application/json",
		"{braces} in words":                                         Text,
	} {
		if got := Sniff([]byte(in)); got != want {
			t.Errorf("%.40q: %s, wanted %s", in, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	s := strings.Repeat("words ", 10000)
	if b, err := Read(iotest.HalfReader(strings.NewReader(s)), int64(len(s))); err != nil || string(b) != s {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err := Read(strings.NewReader(s), 100); !errors.Is(err, ErrTooLarge) || string(b) != s[:100] {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	broken := io.MultiReader(strings.NewReader("words"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if b, err := Read(broken, 100); err != io.ErrUnexpectedEOF || string(b) != "words" {
		t.Errorf("%q, %v", b, err)
	}
}
