package main

import (
	"fmt"
	"testing"
)

// TestShares reads wanted languages with and without shares.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		list []string
		want string
	}{
		{[]string{"gd", "ga:.9"}, "[{gd 0} {ga 0.9}] [] <nil>"},
		{[]string{"gd=2", "ga:.9=.5"}, "[{gd 0} {ga 0.9}] [2 0.5] <nil>"},
		{[]string{"gd=2", "ga"}, "[] [] gd=2,ga: give each language a share, or none"},
		{[]string{"gd=0"}, `[] [] "gd=0": share "0": wanted a number above 0, as in gd=2`},
		{[]string{"gd=x"}, `[] [] "gd=x": share "x": wanted a number above 0, as in gd=2`},
		{nil, "[] [] <nil>"},
	} {
		langs, shares, err := readShares(c.list)
		if got := fmt.Sprint(langs, shares, err); got != c.want {
			t.Errorf("%v: %s, want %s", c.list, got, c.want)
		}
	}
}
