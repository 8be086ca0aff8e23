package wordtable

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestView finds words on several goroutines while words are added: each word gets one number.
func TestView(t *testing.T) {
	const goroutines, words = 4, 20_000
	var w Words
	var mu sync.Mutex
	var view atomic.Pointer[View]
	view.Store(w.View())
	numbers := make([][]int, goroutines)
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			var f Finder
			buf := make([]byte, 0, 64)
			for i := range 3 * words {
				k := (i*7919 + g*words/goroutines) % words
				word := fmt.Appendf(buf, "%d", k*k)
				if k%3 == 0 {
					word = fmt.Appendf(buf, "a longer word %d", k)
				}
				n := f.Find(view.Load(), word)
				if n < 0 {
					mu.Lock()
					n = w.Add(word)
					if !view.Load().Covers(&w) {
						view.Store(w.View())
					}
					mu.Unlock()
				}
				numbers[g] = append(numbers[g], n)
			}
		})
	}
	group.Wait()
	var f Finder
	for g := range goroutines {
		for i, n := range numbers[g] {
			k := (i*7919 + g*words/goroutines) % words
			word := fmt.Sprint(k * k)
			if k%3 == 0 {
				word = fmt.Sprintf("a longer word %d", k)
			}
			if string(w.Word(n)) != word || f.Find(w.View(), []byte(word)) != n {
				t.Fatalf("%q has number %d of %q", word, n, w.Word(n))
			}
		}
	}
	if w.Len() != words {
		t.Errorf("%d words, want %d", w.Len(), words)
	}
	if n := f.Find(new(Words).View(), []byte("word")); n >= 0 {
		t.Errorf("number %d in an empty view", n)
	}
}
