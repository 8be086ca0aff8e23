package pipeline

import (
	"encoding/json"
	"fmt"

	"chaffinch/input"
)

// Input makes a Source and Marker of an input.Reader.
type Input struct{ *input.Reader }

// Mark returns the position of the reader as JSON.
func (in Input) Mark() ([]byte, error) { return json.Marshal(in.Position()) }

// Goto moves the reader to a mark; nil is the beginning.
func (in Input) Goto(mark []byte) error {
	if mark == nil {
		return nil
	}
	var p input.Position
	if err := json.Unmarshal(mark, &p); err != nil {
		return fmt.Errorf("mark of the checkpoint: %w", err)
	}
	return in.Seek(p)
}
