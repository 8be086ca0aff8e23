package cluster

import (
	"context"

	"chaffinch/build/store"
	"chaffinch/input"
)

// Bring returns the files of inputs, for a single process that reads them all. It fetches
// addresses to a folder.
func Bring(ctx context.Context, inputs []string, open store.Opener, dir string) ([]input.Piece, error) {
	w := Work{Inputs: inputs, Open: open}
	all, err := w.list(ctx)
	if err != nil {
		return nil, err
	}
	list, f, err := w.bring(ctx, all, dir)
	if err != nil {
		return nil, err
	}
	defer f.end()
	if err := f.wait(); err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Arrival = nil
	}
	return list, nil
}
