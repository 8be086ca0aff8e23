package recipe

import (
	"encoding/json"
	"fmt"

	"chaffinch/input"
)

// source makes a [pipeline.Source] and [pipeline.Marker] of an [input.Reader].
type source struct{ *input.Reader }

// Mark returns the position of the reader as JSON.
func (in source) Mark() ([]byte, error) { return json.Marshal(in.Position()) }

// Goto moves the reader to a mark; nil is the beginning.
func (in source) Goto(mark []byte) error {
	if mark == nil {
		return nil
	}
	var p input.Position
	if err := json.Unmarshal(mark, &p); err != nil {
		return fmt.Errorf("mark of the checkpoint: %w", err)
	}
	return in.Seek(p)
}
