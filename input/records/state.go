package records

// WriterState is what a Writer must know of the bytes before to go on behind
// them.
type WriterState struct {
	Format Format `json:"format,omitempty"`
	File   string `json:"file,omitempty"`
	Last   string `json:"last,omitempty"`
	Open   bool   `json:"open,omitempty"`
}

// State returns the state of w, to be taken after a Flush.
func (w *Writer) State() WriterState {
	return WriterState{w.cfg.Format, w.file, string(w.last[:]), w.open}
}

// Continue lets a new Writer go on where another one, with the same
// configuration, had the state s.
func (w *Writer) Continue(s WriterState) {
	w.cfg.Format, w.file, w.open = s.Format, s.File, s.Open
	copy(w.last[:], s.Last)
}
