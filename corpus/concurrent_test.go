package corpus

import (
	"sync"
	"testing"
)

// TestConcurrent evaluates one query in several goroutines at once.
func TestConcurrent(t *testing.T) {
	c := buildWith(t, zipf(2000), zipfConfig())
	q, err := c.Query(`1:[tag="A"] []{0,2} 2:[lc="w.*"] within (<s/> containing [tag="B"]) & 1.word != 2.word`)
	if err != nil {
		t.Fatal(err)
	}
	want, err := q.Count(t.Context())
	if err != nil || want < 100 {
		t.Fatalf("%d matches, %v", want, err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if n, err := q.Count(t.Context()); err != nil || n != want {
				t.Errorf("%d matches, %v, wanted %d", n, err, want)
			}
		})
	}
	wg.Wait()
}
