package input

import (
	"errors"
	"io"

	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// archiveForm reads the pages in the files of an archive, as if it were a folder.
type archiveForm struct {
	o       opener
	members archive.Members
	kind    archive.Kind
	titles  map[string]string // titles of the pages of a WACZ file, by address
	place   archive.Place     // place of the current file
	offset  int64
	in      *packed.Reader
	inner   form
	refused bool // the file at place could not be opened, and was not read to its end
}

func (f *archiveForm) next() (*page.Page, error) {
	for {
		if f.inner == nil {
			if err := f.open(); err != nil {
				return nil, err
			}
		}
		p, err := f.inner.next()
		if err == io.EOF {
			f.drop()
			continue
		}
		if p != nil && p.Source.Record == "" {
			p.Source.Offset = f.offset
		}
		if p != nil && f.kind == archive.WACZ && p.Meta.Title == "" {
			p.Meta.Title = f.titles[p.URL]
		}
		return p, err
	}
}

// open opens the next file of the archive.
func (f *archiveForm) open() error {
	f.refused = false
	m, err := f.members.Next()
	for err == nil && m.Extra {
		f.o.skipped["files"]++
		m, err = f.members.Next()
	}
	var bad *archive.Error
	switch {
	case errors.As(err, &bad):
		e := &page.Error{File: f.o.name, Offset: bad.Offset, Err: bad.Err}
		if bad.Name != "" {
			e.File += "/" + bad.Name
		}
		return e
	case err == io.EOF:
		return err
	case err != nil:
		return f.o.fail(err)
	}
	f.place, f.offset = m.Place, m.Offset
	o := opener{name: f.o.name + "/" + m.Name, inside: true, cfg: f.o.cfg, skipped: f.o.skipped, spare: f.o.spare}
	if f.kind == archive.WACZ {
		o.form = formWARC
	}
	f.in, f.inner, err = o.open(struct{ io.Reader }{m.Reader})
	if err != nil {
		f.drop()
		f.refused = true
	}
	return err
}

// drop closes the current file.
func (f *archiveForm) drop() {
	if f.inner != nil {
		f.inner.close()
	}
	if f.in != nil {
		f.in.Close()
	}
	f.in, f.inner = nil, nil
}

func (f *archiveForm) pos(p *Position) {
	at := f.place
	switch {
	case f.inner != nil:
		p.Member = new(Position)
		f.inner.pos(p.Member)
	case f.refused: // the rest of the file would be searched for the next page
		p.Given = true
	default:
		at = f.members.Place()
	}
	p.Offset, p.Skip = at.Member, at.Skip
}

func (f *archiveForm) seek(p Position) error {
	f.drop()
	f.refused = false
	if err := f.members.Seek(archive.Place{Member: p.Offset, Skip: p.Skip}); err != nil || p.Member == nil {
		return err
	}
	if err := f.open(); err != nil {
		return err
	}
	return f.inner.seek(*p.Member)
}

func (f *archiveForm) close() { f.drop() }
