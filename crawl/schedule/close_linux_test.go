package schedule

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"chaffinch/crawl/frontier"
	"chaffinch/internal/testkit/must"
)

// TestClose fails if schedulers keep memory after Close: 200 would keep 800 MiB that are opened, and as much that are loaded.
func TestClose(t *testing.T) {
	f := Frontier{Dir: t.TempDir(), Sieve: frontier.SieveConfig{Pending: 16, Recent: 16}, Queue: frontier.DefaultQueue}
	before := addressSpace(t)
	for range 200 {
		s := must.Get(Open(Default, f, allowed))(t)
		var checkpoint bytes.Buffer
		must.Succeed(t, s.Save(0, &checkpoint))
		must.Succeed(t, s.Close())
		text := bytes.Clone(checkpoint.Bytes())
		s = must.Get(Load(Default, f, allowed, &checkpoint))(t)
		must.Succeed(t, s.Close())
		must.Succeed(t, must.Err(ReadWeights(Default, bytes.NewReader(text))))
		if _, err := Load(Default, f, allowed, bytes.NewReader(text[:len(text)-1])); err == nil {
			t.Fatal("loaded a checkpoint without its end")
		}
	}
	if grown := addressSpace(t) - before; grown > 400<<20 {
		t.Errorf("the address space of the process grew by %d MiB", grown>>20)
	}
}

// addressSpace returns the bytes of the address space of the process.
func addressSpace(t *testing.T) (pages int64) {
	if _, err := fmt.Sscan(string(must.Read(t, "/proc/self/statm")), &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
