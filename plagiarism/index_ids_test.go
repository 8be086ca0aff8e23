package plagiarism

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestIDSet compares the set with a map, with hashes in memory and on disk.
func TestIDSet(t *testing.T) {
	for _, limit := range []int{1, 3, 100, idBlock, 3000, 1 << 20} {
		s, want := newIDSet(t.TempDir(), 0), map[uint64]bool{}
		s.limit = limit
		x := uint64(limit)
		for range min(40*limit, 6000) {
			x = x*6364136223846793005 + 1442695040888963407
			key := x >> 52
			if x&7 == 0 {
				key = ^uint64(0) - key // also the largest
			}
			got := must.Get(s.add(key))(t)
			if got == want[key] {
				t.Fatalf("limit %d: %d of %d is new: %v", limit, key, len(want), got)
			}
			want[key] = true
		}
		if len(s.recent) > limit || len(s.recent)+int(s.n) != len(want) {
			t.Errorf("limit %d: %d recent, %d on disk, want %d", limit, len(s.recent), s.n, len(want))
		}
		must.Succeed(t, s.close())
	}
}

// TestIDSetFullDisk fails if hashes are lost when they cannot be written.
func TestIDSetFullDisk(t *testing.T) {
	s := newIDSet(t.TempDir(), 0)
	s.limit = idBlock + 1
	defer s.close()
	broken := errors.New("disk full")
	add := func(key uint64) (isNew bool) {
		isNew, err := s.add(key)
		if err != nil {
			must.Is(t, err, broken)
		}
		return isNew
	}
	for key := range uint64(s.limit) {
		add(key)
	}
	stop := disk.Watch(func(op disk.Op, _ string) error {
		if op == disk.OpWrite {
			return broken
		}
		return nil
	})
	defer stop()
	for key := range uint64(2 * s.limit) {
		add(key)
	}
	for key := range uint64(2 * s.limit) {
		if add(key) {
			t.Fatalf("%d is lost", key)
		}
	}
}

// TestIndexManyDocuments builds the same index on disk as in memory, from more documents than an
// idSet and the spools hold.
func TestIndexManyDocuments(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	var found [2][]byte
	for i, at := range []string{"", dir} {
		b := must.Get(NewIndexBuilder(at, DefaultIndex, 1<<20, ""))(t)
		texts, twice := madeTexts(50, 30), 0
		long := strings.Repeat("word of the sample ", sampleBytes/100)
		for n := range 2*leastIDs + 100 {
			text := texts[n%len(texts)]
			if n < 6 {
				text = long
			}
			err := b.Add(fmt.Sprint("document ", n-n%1000/999*(n/2)), text)
			if errors.As(err, new(*DuplicateError)) {
				twice++
				continue
			}
			must.Succeed(t, err)
		}
		if twice != 2*leastIDs/1000 || b.Docs() != 2*leastIDs+100-twice {
			t.Errorf("%d documents, %d ids twice", b.Docs(), twice)
		}
		if at != "" {
			if b.seen.file == nil || b.ends.file == nil || b.ids.file == nil || b.secs.file == nil {
				t.Error("everything is in memory")
			}
			must.Succeed(t, b.Close(t.Context()))
			found[i] = must.Read(t, filepath.Join(dir, indexFile))
			continue
		}
		must.Succeed(t, b.finish(t.Context()))
		found[i] = must.Get(b.w.Bytes())(t)
	}
	if !bytes.Equal(found[0], found[1]) {
		t.Error("the indexes differ")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}
