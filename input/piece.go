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

// Piece is a file, or the records of a web archive that begin in a part of it.
// Pieces of a file that lie side by side give the pages of the file.
type Piece struct {
	// Name is what pages and errors call the file.
	Name string `json:"name"`
	// At is where its bytes lie, "" for Name: the part that is read at the same place
	// as in the file, with the first bytes of the file, by which it is recognised.
	At string `json:"at,omitempty"`
	// Named tells that the user named the file, not a folder that holds it.
	Named bool `json:"named,omitempty"`
	// Size is the number of bytes of the file.
	Size int64 `json:"size"`
	// From and To are the places at which the first record of the piece begins, and
	// the first one behind it, as [Cut] finds them; To is 0 for the end of the file.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Problem is why the file cannot be read, "" for none.
	Problem string `json:"problem,omitempty"`
}

// Bytes is how much of the file belongs to the piece.
func (p *Piece) Bytes() int64 { return cmp.Or(p.To, p.Size) - p.From }

// Path is where the bytes of the file lie.
func (p *Piece) Path() string { return cmp.Or(p.At, p.Name) }

// List returns the files that paths name, each as one piece; of the folder of a crawl
// those are its archives.
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

// OpenPieces is [Open] for pieces of files.
func OpenPieces(pieces []Piece, cfg Config) (*Reader, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	var list []files.File
	for _, p := range pieces {
		f := files.File{Name: p.Name, At: p.At, Named: p.Named, Size: p.Size, From: p.From, To: p.To}
		if p.Problem != "" {
			f.Err = errors.New(p.Problem)
		}
		list = append(list, f)
	}
	return newReader(list, cfg)
}

// ErrCut ends the reading of a piece that does not end where a record begins.
var ErrCut = errors.New("no record of the file begins there, so that it cannot be cut there: cut it elsewhere, or read it whole")

// bound makes the open file a piece.
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

// past tells whether what Next of the archive returned lies behind the piece, and with
// which error the piece ends there.
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
