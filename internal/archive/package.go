package archive

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
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
	// EPUB is a book (EPUB 3.3): its package document names the documents of the
	// book in reading order.
	EPUB
)

// Package is implemented by the [Members] of a zip archive.
type Package interface {
	// Kind returns the kind of the archive.
	Kind() Kind
	// Lists calls fn for each list of pages of a WACZ file that can be opened.
	Lists(fn func(r io.Reader))
}

// container is the file of an EPUB that names the package document.
const container = "META-INF/container.xml"

// Limits of the files that describe an EPUB.
const (
	maxContainer = 1 << 20
	maxOPF       = 16 << 20
)

// recognise returns the kind of an archive with these files, and the files in reading order: the
// content of a package first. content is the number of content files.
func recognise(files []*zip.File) (kind Kind, order []*zip.File, content int) {
	var archives []*zip.File
	described, book := false, false
	for _, f := range files {
		switch f.Name {
		case "datapackage.json", "webarchive.yaml", "pages/pages.jsonl":
			described = true
		case container:
			book = true
		default:
			if strings.HasPrefix(f.Name, "archive/") && f.Mode().IsRegular() {
				archives = append(archives, f)
			}
		}
	}
	if described && len(archives) > 0 {
		kind, order = WACZ, archives
	} else if book {
		kind, order = EPUB, spine(files)
		if len(order) == 0 {
			order = documents(files)
		}
	}
	if len(order) == 0 {
		return Files, files, len(files)
	}
	content = len(order)
	inside := make(map[*zip.File]bool, content)
	for _, f := range order {
		inside[f] = true
	}
	for _, f := range files {
		if !inside[f] {
			order = append(order, f)
		}
	}
	return kind, order, content
}

// spine returns the documents of an EPUB in reading order, nil if its package document
// cannot be read.
func spine(files []*zip.File) (order []*zip.File) {
	at := make(map[string]*zip.File, len(files))
	for _, f := range files {
		at[f.Name] = f
	}
	opf := ""
	if err := elements(at[container], maxContainer, func(e xml.StartElement) {
		if e.Name.Local == "rootfile" && opf == "" {
			opf = attribute(e, "full-path")
		}
	}); err != nil {
		return nil
	}
	items := map[string]string{} // files by the id in the manifest
	seen := map[*zip.File]bool{}
	if err := elements(at[opf], maxOPF, func(e xml.StartElement) {
		switch e.Name.Local {
		case "item":
			items[attribute(e, "id")] = attribute(e, "href")
		case "itemref":
			href, err := url.PathUnescape(items[attribute(e, "idref")])
			if f := at[path.Join(path.Dir(opf), href)]; err == nil && f != nil && !seen[f] {
				seen[f] = true
				order = append(order, f)
			}
		}
	}); err != nil {
		return nil
	}
	return order
}

// documents returns the files of HTML by their names, in the order of the archive.
func documents(files []*zip.File) (order []*zip.File) {
	for _, f := range files {
		switch strings.ToLower(path.Ext(f.Name)) {
		case ".xhtml", ".html", ".htm":
			order = append(order, f)
		}
	}
	return order
}

// elements calls fn for each start tag of the XML file f. A file of more than most bytes is an
// error.
func elements(f *zip.File, most int64, fn func(xml.StartElement)) error {
	if f == nil || f.UncompressedSize64 > uint64(most) {
		return errors.New("missing or too long")
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return err
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // names are in ASCII
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			fn(e)
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
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
