package blocks_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/lab/train/blocks"
)

// TestWriteRows writes the rows that the forest of the blocks learns from to the folder that
// CHAFFINCH_ROWS names, for every fourth page and all with annotated roles, for lab/compare/learners/run.sh.
func TestWriteRows(t *testing.T) {
	out := os.Getenv("CHAFFINCH_ROWS")
	if out == "" {
		t.Skip("CHAFFINCH_ROWS names no folder for the rows")
	}
	ctx := context.Background()
	var sets []*evalclean.Set
	for _, name := range []string{"cleaneval-en-dev", "wcxb-dev", "google-trends-2017", "canola"} {
		s := must.Get(evalclean.Open(filepath.Dir(filepath.Dir(testkit.Data(t, "eval/"+name+".tar.zst"))), name))(t)
		sets = append(sets, s)
	}
	pages, _, err := evalclean.Collect(ctx, sets, "", gold.CollectConfig{})
	must.Succeed(t, err)
	roles := must.Get(gold.ReadRolePages(filepath.Join("..", "..", "eval", "roles", "dev.tsv")))(t)
	must.Succeed(t, must.Err(pages.Annotate(roles)))
	var examples []*blocks.Example
	const every = 4 // of the pages without annotated roles
	for i, it := range pages.Items {
		if !it.Gold.Fits(it.Set.Name) || i%every > 0 && it.Gold.Roles == nil {
			continue
		}
		for _, g := range train.BlockGolds(it) {
			x := must.Get(blocks.NewExample(it.Page, g))(t)
			examples = append(examples, x)
		}
	}
	rows := must.Get(blocks.Compared(ctx, examples))(t)
	must.Succeed(t, rows.Write(filepath.Join(out, "blocks")))
}
