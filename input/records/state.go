package records

// writerState is what a Writer must know of the bytes before it to continue.
type writerState struct {
	Format Format `json:"format,omitempty"`
	File   string `json:"file,omitempty"`
	Last   string `json:"last,omitempty"`
	Open   bool   `json:"open,omitempty"`
}

// state returns the state of w, to be taken after a Flush.
func (w *Writer) state() writerState {
	return writerState{w.cfg.Format, w.file, string(w.last[:]), w.open}
}

// resume lets a new Writer continue where another one, with the same configuration, had the
// state s.
func (w *Writer) resume(s writerState) {
	w.cfg.Format, w.file, w.open = s.Format, s.File, s.Open
	copy(w.last[:], s.Last)
}
