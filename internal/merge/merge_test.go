package merge

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

type part struct {
	N     int64
	Share float64
	Most  int `merge:"max"`
	Own   int `merge:"-"`
	By    map[string]int64
	Deep  map[string]*part
	One   *part
	Names []string
	What  string
}

func TestAdd(t *testing.T) {
	a := part{N: 1, Share: .5, Most: 7, Own: 1, By: map[string]int64{"x": 1}, Deep: map[string]*part{"p": {N: 1}}, Names: []string{"a"}, What: "kept"}
	b := part{N: 2, Share: .25, Most: 3, Own: 2, By: map[string]int64{"x": 2, "y": 5}, Deep: map[string]*part{"p": {N: 2}, "q": {Most: 4}}, One: &part{N: 9}, Names: []string{"b"}, What: "lost"}
	var sum part
	Add(&sum, &a)
	Add(&sum, &b)
	want := part{N: 3, Share: .75, Most: 7, By: map[string]int64{"x": 3, "y": 5}, Deep: map[string]*part{"p": {N: 3}, "q": {Most: 4}}, One: &part{N: 9}, Names: []string{"a", "b"}, What: "kept"}
	must.Same(t, sum, want)
	if a.Deep["p"].N != 1 || b.Deep["p"].N != 2 || b.One.N != 9 {
		t.Error("a part has changed")
	}
}
