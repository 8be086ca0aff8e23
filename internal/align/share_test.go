package align

import (
	"slices"
	"testing"
)

func TestShares(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		gold   string
		want   []Share
		reach  float32
	}{
		{[]string{"Home | News", "The Frost came early.", "© 2019"}, "the frost came early", []Share{{2, 0}, {4, 4}, {1, 0}}, 1},
		{[]string{"Frost", "News", "Frost", "It came."}, "Frost\nIt came.", []Share{{1, 1}, {1, 0}, {1, 0}, {2, 2}}, 1},
		{[]string{"one two", ""}, "two three four five", []Share{{2, 1}, {0, 0}}, .25},
		{[]string{"首页", "湖面结冰了。"}, "湖面结冰了", []Share{{2, 0}, {5, 5}}, 1},
		{[]string{"a"}, "", []Share{{1, 0}}, 0},
	} {
		got, reach := Shares(c.pieces, c.gold)
		if !slices.Equal(got, c.want) || reach != c.reach {
			t.Errorf("Shares(%q, %q) = %v, %v; want %v, %v", c.pieces, c.gold, got, reach, c.want, c.reach)
		}
	}
}
