package input

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"chaffinch/format/warc"
	"chaffinch/internal/files"
	"chaffinch/page"
)

// Piece is a file, or the records of a web archive that begin in a part of it. Consecutive
// pieces of a file together yield the pages of the file.
type Piece struct {
	// Name is the name of the file in pages and errors.
	Name string `json:"name"`
	// At is the file that holds the bytes, "" for Name. The part to read is at the same
	// offset as in the original file. The first bytes of the file precede it and identify the
	// format.
	At string `json:"at,omitempty"`
	// Named reports whether the user named the file, not a folder that contains it.
	Named bool `json:"named,omitempty"`
	// Size is the size of the file in bytes.
	Size int64 `json:"size"`
	// From and To are the offsets of the first record of the piece and of the first record
	// after it, as returned by [Cut]. To is 0 for the end of the file.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Arrival, if not nil, reports how much of the file at At is there: the file is being fetched. Its
	// size is Size from the beginning.
	Arrival Arrival `json:"-"`
	// Problem is the reason why the file cannot be read, "" for none.
	Problem string `json:"problem,omitempty"`
}

// Arrival is the state of a file that is being fetched in the order of its bytes.
type Arrival interface {
	// Wait waits until the bytes of the piece before offset end are there. It returns the offset up
	// to which they are there, at least end or the size of the file. After an error the file is
	// incomplete.
	Wait(end int64) (int64, error)
}

// Bytes returns the number of bytes of the file that belong to the piece.
func (p *Piece) Bytes() int64 { return cmp.Or(p.To, p.Size) - p.From }

// Path returns the path of the file that holds the bytes.
func (p *Piece) Path() string { return cmp.Or(p.At, p.Name) }

// List returns the files of paths, each as one piece. For the folder of a crawl, it returns the
// archives of the folder.
func List(paths []string) []Piece {
	var list []Piece
	for _, f := range files.List(archivesOf(paths)) {
		p := Piece{Name: f.Name, Named: f.Named, Size: f.Size}
		if f.Err != nil {
			p.Problem = f.Err.Error()
		}
		list = append(list, p)
	}
	return list
}

// OpenPieces is like [Open] for pieces of files.
func OpenPieces(pieces []Piece, cfg Config) (*Reader, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	var list []files.File
	for _, p := range pieces {
		f := files.File{Name: p.Name, At: p.At, Named: p.Named, Size: p.Size, From: p.From, To: p.To, Arrival: p.Arrival}
		if p.Problem != "" {
			f.Err = errors.New(p.Problem)
		}
		list = append(list, f)
	}
	return newReader(list, cfg)
}

// ErrCut is returned for a piece that does not end where a record begins.
var ErrCut = errors.New("no record of the file begins there, so that it cannot be cut there: cut it elsewhere, or read it whole")

// bound restricts the open file to a piece.
func (r *Reader) bound(f files.File) error {
	w, ok := r.form.(*warcForm)
	if !ok {
		return &page.Error{File: f.Name, Offset: f.From, Err: errors.New("only web archives are read in pieces: the file has changed")}
	}
	w.to = f.To
	if f.From == 0 {
		return nil
	}
	return r.seekForm(Position{Place: Place{Offset: f.From}})
}

// past reports whether a record returned by the archive's Next lies after the piece. It also
// returns the error that ends the piece.
func (f *warcForm) past(rec *warc.Record, err error) (bool, error) {
	if f.to == 0 {
		return false, nil
	}
	at := int64(-1)
	var e *warc.Error
	switch {
	case err == nil:
		at = rec.Pos.Offset
	case errors.As(err, &e):
		at = e.Pos.Offset
	case err == io.EOF:
		at = f.to + 1
	}
	if at < f.to {
		return false, nil
	}
	if at > f.to || err == nil && rec.Pos.Skip > 0 {
		return true, fmt.Errorf("%s, byte %d: %w (the next one begins at byte %d)", f.name, f.to, ErrCut, at)
	}
	return true, io.EOF
}
