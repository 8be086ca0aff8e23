package token

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{" - ", 0},
		{"one", 1},
		{"The well-kept dog's bone, 3.", 5},
		{"l’été de 1999", 3},
		{"Добрый день", 2},
		{"日本語です", 5},
		{"a\tb\nc", 3},
		{"Go言語 runs", 4},
		{"\xff\xfe", 0},
	} {
		if got := Count(c.text); got != c.want {
			t.Errorf("Count(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	const text = "The quick brown fox jumps over the lazy dog, and nobody knows why it did. "
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Count(text)
	}
}
