package tag_test

import (
	"fmt"
	"slices"
	"testing"

	"chaffinch/text/tag"
)

// TestCache tags more forms than a cache holds, among frequent ones, and compares the result with
// taggers with empty caches.
func TestCache(t *testing.T) {
	m := train(t)
	var words []string
	for _, s := range read(t, treebank(20, 5)) {
		for _, w := range s.Words {
			words = append(words, w.Form)
		}
	}
	all := tag.NewTagger(m)
	for i := range 2500 {
		var sentence []string
		for k := range 10 {
			sentence = append(sentence, fmt.Sprintf("%s%d", words[(i+k)%len(words)], 10*i+k), words[(i*7+k)%len(words)])
		}
		got := all.Tag(nil, sentence)
		if i%25 > 0 {
			continue
		}
		if want := tag.NewTagger(m).Tag(nil, sentence); !slices.Equal(got, want) {
			t.Fatalf("sentence %d: %v, want %v", i, got, want)
		}
	}
}
