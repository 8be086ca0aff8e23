package archive

import (
	"archive/zip"
	"io"
	"path"
	"strings"
)

// Kind is the kind of package that a zip archive contains.
type Kind uint8

// The kinds of zip archives.
const (
	// Files is an archive of independent files.
	Files Kind = iota
	// WACZ is a web archive collection (WACZ 1.1.1): WARC files below archive/,
	// lists of pages below pages/, and indexes.
	WACZ
)

// Package is implemented by the [Members] of a zip archive.
type Package interface {
	// Kind returns the kind of the archive.
	Kind() Kind
	// Lists calls fn for each list of pages of a WACZ file that can be opened.
	Lists(fn func(r io.Reader))
}

// recognise returns the kind of an archive with these files, and the files in reading order: the
// content of a package first. content is the number of content files.
func recognise(files []*zip.File) (kind Kind, order []*zip.File, content int) {
	var archives, rest []*zip.File
	described := false
	for _, f := range files {
		if strings.HasPrefix(f.Name, "archive/") && f.Mode().IsRegular() {
			archives = append(archives, f)
			continue
		}
		rest = append(rest, f)
		switch f.Name {
		case "datapackage.json", "webarchive.yaml", "pages/pages.jsonl":
			described = true
		}
	}
	if !described || len(archives) == 0 {
		return Files, files, len(files)
	}
	return WACZ, append(archives, rest...), len(archives)
}

// Kind implements [Package].
func (r *zipFiles) Kind() Kind { return r.kind }

// Lists implements [Package].
func (r *zipFiles) Lists(fn func(r io.Reader)) {
	if r.kind != WACZ {
		return
	}
	for _, f := range r.files[r.content:] {
		if !strings.HasPrefix(f.Name, "pages/") || path.Ext(f.Name) != ".jsonl" {
			continue
		}
		if in, err := f.Open(); err == nil {
			fn(r.limit(f, in))
			in.Close()
		}
	}
}
