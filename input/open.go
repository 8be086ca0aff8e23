package input

import (
	"cmp"
	"errors"
	"io"
	"os"

	"chaffinch/format/document"
	"chaffinch/format/plain"
	"chaffinch/format/sniff"
	"chaffinch/format/warc"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/parallel"
	"chaffinch/page"
)

// opener opens a file or a file in an archive, and detects its form.
type opener struct {
	name    string
	named   bool   // the user named the file, not its folder or archive
	inside  bool   // the file is in an archive
	form    string // form of the file, "" for cfg.Form
	cfg     *Config
	skipped map[string]int
	spare   *buffers
	file    *os.File // nil for standard input and in archives
	arrival Arrival  // of file; nil if it is there
}

func (o *opener) fail(err error) error { return &page.Error{File: o.name, Offset: -1, Err: err} }

// wants names the accepted formats, for messages.
const wants = "pages: HTML, text, JSON lines, WARC, WET, ARC, mbox, MediaWiki, Parquet, tar or zip"

var (
	errNested  = errors.New("an archive in an archive: unpack it first")
	errAddress = errors.New("its pages have addresses: leave the url out, which is for a file that is one page")
)

// ErrParquet is returned for a Parquet file if Config.Parquet is nil.
var ErrParquet = errors.New("a Parquet file: this program was built without their reader")

// open returns the decompressor of in and the form of the content.
func (o *opener) open(in io.Reader) (*packed.Reader, form, error) {
	kind := cmp.Or(o.form, o.cfg.Form)
	p, err := packed.NewReader(in, packed.Config{MaxRatio: o.cfg.MaxRatio, Accept: accept(&kind), Workers: parallel.Workers(o.cfg.Workers)})
	if err != nil {
		return nil, nil, &page.Error{File: o.name, Err: files.Cause(err)}
	}
	head, err := p.Peek(sniff.Bytes)
	if len(head) == 0 {
		if err == io.EOF {
			return p, nil, o.fail(page.ErrEmpty)
		}
		return p, nil, &page.Error{File: o.name, Err: files.Cause(err)}
	}
	found := detect(head, o.name)
	if o.cfg.Kept {
		f, err := o.cleaned(found, head, p)
		if f != nil || err != nil {
			return p, f, err
		}
	}
	if kind == "" || holds(found) && !o.inside {
		kind = recognise(found)
	}
	f, err := o.read(kind, found, p)
	return p, f, err
}

// read returns the reader of a file of the given kind. found is the detected form.
func (o *opener) read(kind string, found sniff.Form, p *packed.Reader) (form, error) {
	if o.cfg.URL != "" && (o.inside || kind != "" && kind != formHTML && kind != formText) {
		return nil, o.fail(errAddress)
	}
	switch kind {
	case formArchive:
		return o.archive(p)
	case formParquet:
		return o.parquet(p)
	case formWARC:
		r, err := warc.NewReader(p, warc.Config{})
		return &warcForm{name: o.name, cfg: *o.cfg, r: r, skipped: o.skipped, spare: o.spare}, err
	case formJSONL:
		return newJSONL(o.name, *o.cfg, p)
	case formMbox, formWiki:
		return newBundle(o, p, kind), nil
	case formForeign:
		return nil, o.fail(&sniff.Error{Form: found, Want: wants})
	}
	return &plainForm{name: o.name, named: o.named, cfg: *o.cfg, in: p, kind: kind}, nil
}

func (o *opener) archive(p *packed.Reader) (form, error) {
	if o.inside {
		return nil, o.fail(errNested)
	}
	if err := o.arrive(); err != nil {
		return nil, o.fail(err)
	}
	members, err := archive.Open(p, o.file, packed.Config{MaxRatio: o.cfg.MaxRatio, GraceBytes: packed.Default.GraceBytes})
	if err != nil {
		return nil, o.fail(err)
	}
	f := &archiveForm{o: *o, members: members}
	if pack, ok := members.(archive.Package); ok {
		if f.kind = pack.Kind(); f.kind == archive.WACZ {
			f.titles = titles(pack)
		}
	}
	return f, nil
}

func (o *opener) parquet(p *packed.Reader) (form, error) {
	if o.inside {
		return nil, o.fail(errNested)
	}
	if err := o.arrive(); err != nil {
		return nil, o.fail(err)
	}
	size, err := archive.Table(p, o.file)
	if err == nil && o.cfg.Parquet == nil {
		err = ErrParquet
	}
	if err != nil {
		return nil, o.fail(err)
	}
	rows, err := o.cfg.Parquet(o.file, size, o.cfg.columns()...)
	if err != nil {
		return nil, o.fail(err)
	}
	return newParquet(o.name, *o.cfg, rows), nil
}

// recognise returns the form of pages for the detected form of a file. It returns "" for a file
// with one page, whose type is detected from its content.
func recognise(found sniff.Form) string {
	switch found {
	case sniff.WARC:
		return formWARC
	case sniff.JSONLines:
		return formJSONL
	case sniff.JSONArray:
		return formJSONL
	case sniff.Tar, sniff.Zip:
		return formArchive
	case sniff.Parquet:
		return formParquet
	case sniff.Mbox:
		return formMbox
	case sniff.Wiki:
		return formWiki
	case sniff.Vertical, sniff.Prevertical:
		return formForeign
	}
	return ""
}

// detect returns the form of a file by its first bytes and its name.
func detect(head []byte, name string) sniff.Form {
	found := sniff.Of(head, "doc")
	if found == sniff.Zip && document.Of(head, "", name) != "" {
		return sniff.Document
	}
	return found
}

// holds reports whether a file of a form is a container of pages, in files or rows. A
// configured form then applies to the content.
func holds(found sniff.Form) bool { return found.Container() || found == sniff.Parquet }

// accept returns a function that reports whether a member starts validly, to resynchronize after
// damage. In a web archive it must be the start of a record.
func accept(kind *string) func([]byte) bool {
	return func(head []byte) bool {
		if *kind == formWARC {
			return warc.Looks(head)
		}
		return len(head) > 0
	}
}

// foreign returns the error for a file that the user named and that is not a page.
func foreign(name string, head []byte) error {
	found := sniff.Of(head, "doc")
	if found == sniff.Text || found == sniff.HTML {
		found = sniff.Binary
	}
	return &page.Error{File: name, Offset: -1, Err: &sniff.Error{Form: found, Want: wants, Advice: media(found, head)}}
}

// media describes a binary file by its first bytes, for errors.
func media(found sniff.Form, head []byte) string {
	if found != sniff.Binary {
		return ""
	}
	return "it looks like " + plain.Sniff(head)
}
