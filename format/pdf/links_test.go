package pdf

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/format/pdf/internal/wire"
)

// firstLink returns the index of the first link at a point, -1 if there is none.
func firstLink(links []wire.Link, x, y float32) int {
	return slices.IndexFunc(links, func(l wire.Link) bool {
		return x >= l.Box.X0 && x <= l.Box.X1 && y >= l.Box.Y0 && y <= l.Box.Y1
	})
}

// TestLinkTree compares the tree with a search through all links.
func TestLinkTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	nan := float32(math.NaN())
	for n := range 60 {
		var links []wire.Link
		for range n {
			x, y := float32(rng.IntN(100)), float32(rng.IntN(100))
			box := wire.Box{X0: x, Y0: y, X1: x + float32(rng.IntN(30)-3), Y1: y + float32(rng.IntN(30)-3)}
			if rng.IntN(10) == 0 {
				box.X1 = nan
			}
			links = append(links, wire.Link{Box: box, URL: string(rune('a' + rng.IntN(5)))})
		}
		tree := newLinkTree(links)
		for range 500 {
			x, y := float32(rng.IntN(130)), float32(rng.IntN(130))
			got, want := tree.find(x, y), firstLink(links, x, y)
			if got != want {
				t.Fatalf("%d links, %v, %v: link %d, want %d", n, x, y, got, want)
			}
			if got >= 0 {
				want := slices.IndexFunc(links, func(l wire.Link) bool { return l.URL == links[got].URL })
				if s := tree.sameLink(linkUnit*style(got+1) | bold); s != linkUnit*style(want+1)|bold {
					t.Fatalf("link %d: style %d, want link %d", got, s, want)
				}
			}
		}
	}
	if tree := newLinkTree(nil); tree.find(nan, 0) != -1 || tree.sameLink(bold) != bold {
		t.Error("a link without links")
	}
}

// BenchmarkLinks finds the links of the characters of a page with the most of both, in a tree and in a list.
func BenchmarkLinks(b *testing.B) {
	var links []wire.Link
	for i := range 5000 {
		links = append(links, wire.Link{Box: wire.Box{X0: float32(i), X1: float32(i) + .5, Y1: 800}, URL: "https://example.org/"})
	}
	for name, find := range map[string]func(x, y float32) int{
		"tree": newLinkTree(links).find,
		"list": func(x, y float32) int { return firstLink(links, x, y) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for i := range 200_000 {
					find(float32(i%5000)+.7, 400)
				}
			}
		})
	}
}
