package input

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"chaffinch/internal/files"
	"chaffinch/internal/readers"
	"chaffinch/page"
)

// form reads the pages of one open file.
type form interface {
	// next returns the next page, io.EOF at the end. It may return a page together with an
	// *Error.
	next() (*page.Page, error)
	// pos sets the position of the next page, and seek moves to such a position.
	pos(p *Position)
	seek(p Position) error
	close()
}

const (
	formHTML  = "html"
	formText  = "text"
	formJSONL = "jsonl"
	formWARC  = "warc"

	formArchive = "archive"
	formParquet = "parquet"
	formForeign = "foreign"
	formMbox    = "mbox"
	formWiki    = "wiki"
)

// Reader reads the pages of all inputs in order. It is not safe for concurrent use, except for
// Progress.
type Reader struct {
	cfg        Config
	files      *files.Queue
	form       form
	pendingErr error    // error that belongs to the last page
	before     Position // position of that page
	skipped    map[string]int
	spare      buffers
}

// Open lists the files of paths. For the folder of a crawl or of an unpacked WACZ file, it
// lists only the archives of the folder. Open returns an error only if there is nothing to
// read, such as a folder without files, or if cfg is invalid. Next returns the errors of files
// that cannot be read.
func Open(paths []string, cfg Config) (*Reader, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no input: name files or folders, or - for standard input")
	}
	list := files.List(archivesOf(paths))
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no files in it", paths[0])
	}
	return newReader(list, cfg)
}

// newReader returns a reader of the files of a list.
func newReader(list []files.File, cfg Config) (*Reader, error) {
	if tell := cfg.OnHTML; tell != nil {
		told := map[string]bool{}
		cfg.OnHTML = func(field string) {
			if !told[field] {
				tell(field)
			}
			told[field] = true
		}
	}
	r := &Reader{cfg: cfg, files: files.NewQueue(list), skipped: map[string]int{}}
	if cfg.URL != "" && len(r.files.List) != 1 {
		return nil, fmt.Errorf("url %s is the address of one page, but there are %d files: leave it out, or give one file", cfg.URL, len(r.files.List))
	}
	return r, nil
}

// archivesOf returns paths with each folder of a crawl or of an unpacked WACZ file replaced by
// its archives.
func archivesOf(paths []string) []string {
	paths = slices.Clone(paths)
	for i, p := range paths {
		for _, f := range [...]struct{ settings, archives string }{
			{"crawl.json", "warc"}, {"datapackage.json", "archive"}, {"pages/pages.jsonl", "archive"},
		} {
			archives := filepath.Join(p, f.archives)
			settings, err := os.Stat(filepath.Join(p, f.settings))
			if folder, err2 := os.Stat(archives); err == nil && err2 == nil && settings.Mode().IsRegular() && folder.IsDir() {
				paths[i] = archives
				break
			}
		}
	}
	return paths
}

// All returns an iterator over the pages and errors of [Reader.Next]. The iteration continues
// after an [*Error] and ends after any other error.
func (r *Reader) All() iter.Seq2[*page.Page, error] { return readers.All(r.Next, isBadPiece) }

// Next returns the next page, io.EOF at the end. An [*Error] concerns a bad piece of input;
// Next can be called again. A page truncated by damage is returned before the error of the
// damage. The page belongs to the caller.
func (r *Reader) Next() (*page.Page, error) {
	if err := r.pendingErr; err != nil {
		r.pendingErr = nil
		return nil, err
	}
	for {
		if r.form == nil {
			if r.files.Ended() {
				return nil, io.EOF
			}
			if err := r.openFile(); err != nil {
				r.closeFile()
				return nil, err
			}
		}
		r.before = r.Position()
		p, err := r.form.next()
		switch {
		case err == io.EOF:
			r.closeFile()
		case err != nil && p != nil:
			r.pendingErr = err
			return p, nil
		default:
			return p, err
		}
	}
}

// HasFields reports whether the last page comes from a format whose records may have
// any fields: JSON lines, Parquet, or a format of clean text.
func (r *Reader) HasFields() bool {
	f := r.form
	if a, ok := f.(*archiveForm); ok {
		f = a.inner
	}
	switch f.(type) {
	case *plainForm, *warcForm, *bundleForm:
		return false
	}
	return true
}

// Position returns the position where the next page begins.
func (r *Reader) Position() Position {
	if r.pendingErr != nil {
		p := r.before
		p.Given = true
		return p
	}
	p := Position{Place: Place{File: r.files.At, Name: r.files.Current().Name}}
	if r.form != nil {
		r.form.pos(&p)
	}
	return p
}

// Seek moves to a position that a Reader of the same inputs returned. Standard input is read
// again up to the position, so it must be supplied again.
func (r *Reader) Seek(p Position) error {
	if err := r.files.Seek(p.File, p.Name); err != nil {
		return err
	}
	r.dropForm()
	r.pendingErr = nil
	if p.Offset == 0 && p.Skip == 0 && !p.Given && p.Record == 0 && p.Member == nil {
		return nil
	}
	if err := r.openFile(); err != nil {
		return err
	}
	if err := r.seekForm(p); err != nil {
		return err
	}
	if p.Given {
		if _, err := r.Next(); err != nil && !isBadPiece(err) {
			return err
		}
	}
	return nil
}

// seekForm moves to a position in the open file.
func (r *Reader) seekForm(p Position) error {
	if err := r.form.seek(p); err != nil {
		return &page.Error{File: r.files.Current().Name, Offset: p.Offset, Err: err}
	}
	return nil
}

// Progress returns the number of bytes read from the input files and their total, -1 if it is
// unknown. It may be called at any time.
func (r *Reader) Progress() (done, total int64) {
	return r.files.Progress()
}

// Skipped returns the number of skipped parts without a page, by kind: WARC records by type,
// and files of archives as "files".
func (r *Reader) Skipped() map[string]int { return r.skipped }

// Close closes the open file.
func (r *Reader) Close() error {
	r.dropForm()
	r.files.Close()
	return nil
}

func (r *Reader) dropForm() {
	if r.form != nil {
		r.form.close()
	}
	r.form = nil
}

// closeFile closes the file and advances to the next.
func (r *Reader) closeFile() {
	r.dropForm()
	r.files.Pass()
}

// openFile opens the current file and detects its form.
func (r *Reader) openFile() error {
	f := r.files.Current()
	fail := func(err error) error { return &page.Error{File: f.Name, Offset: -1, Err: err} }
	if f.Err != nil {
		return fail(f.Err)
	}
	in := r.cfg.Stdin
	if f.Name != "-" {
		if err := r.files.Open(); err != nil {
			return fail(err)
		}
		file := r.files.File
		var seek io.ReadSeeker = file
		if f.Arrival != nil {
			seek = &arrivingFile{file: file, arrival: f.Arrival}
		}
		in = seek
		if form := r.readWhole(seek, f.Size, f.Name, f.Named); form != nil {
			r.form = form
			return nil
		}
		if f.Size >= 0 {
			if _, err := seek.Seek(0, io.SeekStart); err != nil {
				return fail(files.Cause(err))
			}
		}
	}
	o := opener{name: f.Name, named: f.Named, cfg: &r.cfg, skipped: r.skipped, spare: &r.spare, file: r.files.File, arrival: f.Arrival}
	p, form, err := o.open(in)
	if p != nil {
		r.files.Read(p)
	}
	r.form = form
	if err != nil || f.From == 0 && f.To == 0 {
		return err
	}
	return r.bound(f)
}

// isBadPiece reports whether reading can continue after err.
func isBadPiece(err error) bool {
	var bad *page.Error
	return errors.As(err, &bad)
}
