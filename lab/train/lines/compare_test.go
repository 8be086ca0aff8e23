package lines_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/lab/train/lines"
)

// TestWriteRows writes the rows that the forest and the networks learn from and score, a table
// for each of five folds, to the folder that CHAFFINCH_ROWS names, for
// lab/compare/learners/run.sh.
func TestWriteRows(t *testing.T) {
	out := os.Getenv("CHAFFINCH_ROWS")
	if out == "" {
		t.Skip("CHAFFINCH_ROWS names no folder for the rows")
	}
	docs := must.Get(gold.ReadLineDocs(context.Background(), testkit.Data(t, "lines/turku-lines.tar.zst")))(t)
	const folds = 5
	fold := must.Get(gold.LineFolds(docs, folds, 1))(t)
	for f := range folds {
		var learn, measure []*lines.Gold
		for i, d := range train.LineGolds(docs) {
			if fold[i] == f {
				measure = append(measure, d)
			} else {
				learn = append(learn, d)
			}
		}
		rows := must.Get(lines.Compared(learn, measure))(t)
		must.Succeed(t, rows.Write(filepath.Join(out, fmt.Sprintf("lines-%d", f))))
	}
}
