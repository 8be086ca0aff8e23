package document

import (
	"archive/zip"
	"bytes"
	"cmp"
	"strings"
	"testing"
)

// pack returns a zip archive of empty files, the first with the given content.
func pack(content string, names ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range names {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if i == 0 {
			w.Write([]byte(content))
		}
	}
	z.Close()
	return b.String()
}

// TestOfNames wants the format by the first of two names that has one.
func TestOfNames(t *testing.T) {
	heads := []string{"", "text", "%PDF-1.7", "<!doctype html>", "<p>x", "<FictionBook>", "From: a\nDate: b\nSubject: c\n", "WEBVTT", "# Title\n\n## Part\n", "= Title\n\n== Part\n", ole}
	media := []string{"", "text/plain", "text/html", "application/zip", "text/markdown", "message/rfc822", "application/epub+zip"}
	names := []string{"", "a.txt", "a.md", "a.html", "a.docx", "a.eml", "a.wiki.gz"}
	for _, head := range heads {
		for _, m := range media {
			for _, a := range names {
				for _, b := range names {
					if got, want := Of([]byte(head), m, a, b), cmp.Or(Of([]byte(head), m, a), Of([]byte(head), m, b)); got != want {
						t.Errorf("%q, %q, %q and %q: %q, want %q", head, m, a, b, got, want)
					}
				}
			}
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct{ raw, media, name, want string }{
		{"%PDF-1.7\n", "text/html", "", "pdf"},
		{"junk\n%PDF-1.4\n", "", "", "pdf"},
		{"<p>%PDF-1.4", "", "", ""},
		{`{\rtf1 x}`, "", "", "rtf"},
		{pack("application/epub+zip", "mimetype", "META-INF/container.xml"), "", "", "epub"},
		{pack("application/vnd.oasis.opendocument.text", "mimetype", "content.xml"), "", "", "odt"},
		{pack("application/vnd.oasis.opendocument.spreadsheet", "mimetype", "content.xml"), "", "", ""},
		{pack("", "[Content_Types].xml", "word/document.xml"), "", "", "docx"},
		{pack("", "_rels/.rels", "ppt/presentation.xml"), "", "", "pptx"},
		{pack("", "xl/workbook.xml"), "", "", ""},
		{pack("", "a.html", "word/document.xml"), "", "a.zip", ""},
		{pack("", "content.xml", "mimetype"), "", "a.odt", "odt"},
		{pack("", "content.xml", "mimetype"), "application/epub+zip", "", "epub"},
		{ole, "", "a.docx", "docx"},
		{ole, "", "a.doc", ""},
		{"<?xml version=\"1.0\"?>\n<FictionBook xmlns=\"x\">", "", "", "fb2"},
		{"<?xml version=\"1.0\"?><office:document office:mimetype=\"application/vnd.oasis.opendocument.text\">", "", "", "odt"},
		{"\ufeffWEBVTT\n\n", "", "", "vtt"},
		{"1\r\n00:00:01,000 --> 00:00:02,000\r\nHi\r\n", "text/plain", "", "srt"},
		{"1\n00:00:01,000 --> 00:00:02,000\nHi\n", "Text/Plain; charset=utf-8", "", "srt"},
		{"{}", "application/x-tex ;v=1", "", "latex"},
		{"1\r00:00:01,000 --> 00:00:02,000\rHi\r", "", "", "srt"},
		{"\xff\xfe" + strings.Join(strings.Split("1\n00:00:01,000 --> 00:00:02,000\nHi\n", ""), "\x00") + "\x00", "", "", "srt"},
		{"\xfe\xff\x00W\x00E\x00B\x00V\x00T\x00T\x00\n", "", "", "vtt"},
		{"1\nthe first line\n", "text/plain", "", ""},
		{"Return-Path: <a@example.org>\nReceived: x\n\ty\nFrom: A <a@example.org>\nSubject: s\n\nHi\n", "", "", "eml"},
		{"From: here\nthe text goes on\n", "text/plain", "", ""},
		{"Subject: s\n\nHi\n", "", "a.eml", "eml"},
		{"Hi\n", "", "a.eml", ""},
		{"Subject: s\nFrom: a@example.org\nDate: now\n\n= T\n", "", "a.adoc", "asciidoc"},
		{"= T\nAnn\n:x: y\n", "text/plain", "", "asciidoc"},
		{"= T\n\nText.\n", "text/plain", "", ""},
		{"Title\n=====\n\n.. note:: x\n", "text/plain", "a.txt", "rst"},
		{"Title\n=====\n\nText.\n", "text/plain", "", ""},
		{"% a\n\\documentclass[12pt]{article}\n", "text/plain", "", "latex"},
		{"\\section{x}\n", "application/x-tex", "", "latex"},
		{"\\section{x}\n", "", "", ""},
		{"# Title\n", "application/json", "README.md", ""},
		{"Title\n", "text/plain", "README.md", "markdown"},
		{"Title\n", "", "README.MD.gz", "markdown"},
		{"Title\n", "text/markdown", "", "markdown"},
		{"<!DOCTYPE html>", "", "README.md", ""},
		{"---\nlayout: post\ntitle: x\n---\n", "", "", "markdown"},
		{"# Title\n\nText, [a link](https://example.org/).\n", "text/plain", "a.txt", "markdown"},
		{"# Title\n\nText.\n", "text/plain", "", ""},
		{"# a comment\n\n## another\n", "text/plain", "a.py", ""},
		{"# a comment\n\n## another\n", "text/css", "", ""},
		{"text", "text/plain", "a.txt", ""},
		{"", "", "", ""},
	} {
		if got := Of([]byte(c.raw), c.media, c.name); got != c.want {
			t.Errorf("%.40q %s %s: %q, want %q", c.raw, c.media, c.name, got, c.want)
		}
	}
	for _, f := range Formats() {
		if MediaType(f) == "" {
			t.Errorf("%s has no media type", f)
		}
	}
}
