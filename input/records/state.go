package records

// writerState is the state that a Writer needs to continue an output.
type writerState struct {
	Format Format `json:"format,omitempty"`
	File   string `json:"file,omitempty"`
	Last   string `json:"last,omitempty"`
	Open   bool   `json:"open,omitempty"`
}

// state returns the state of w. Call it after Flush.
func (w *Writer) state() writerState {
	return writerState{w.cfg.Format, w.file, string(w.last[:]), w.open}
}

// resume sets the state of a new Writer to s, the state of another Writer with the same
// configuration.
func (w *Writer) resume(s writerState) {
	w.cfg.Format, w.file, w.open = s.Format, s.File, s.Open
	copy(w.last[:], s.Last)
}
