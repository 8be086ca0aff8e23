package cluster_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/internal/testkit/must"
)

// eagerStore sends a range and noise after it.
type eagerStore struct{ store.Folder }

func (s eagerStore) Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error) {
	in, err := s.Folder.Open(ctx, name, from, n)
	return &eagerReader{io.MultiReader(in, strings.NewReader(strings.Repeat("#", 1<<20))), in}, err
}

type eagerReader struct {
	io.Reader
	io.Closer
}

// TestExcess wants the bytes of an object, although its server sends more than each range.
func TestExcess(t *testing.T) {
	dir := t.TempDir()
	want := strings.Repeat("All is well in the harbour.\n", 1<<16)
	must.Write(t, filepath.Join(dir, "a.txt"), []byte(want))
	open := func(address string) (store.Store, string, error) {
		return eagerStore{store.Folder(dir)}, strings.TrimPrefix(address, "s3://eager/"), nil
	}
	for range 5 {
		list := must.Get(cluster.Bring(t.Context(), []string{"s3://eager/a.txt"}, open, t.TempDir()))(t)
		got, err := os.ReadFile(list[0].At)
		if err != nil || string(got) != want {
			t.Fatalf("%d bytes, %v; wanted %d", len(got), err, len(want))
		}
	}
}
