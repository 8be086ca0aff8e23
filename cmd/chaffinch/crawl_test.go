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

// TestPrivateSeeds wants seeds that may not be asked refused before a folder is made.
func TestPrivateSeeds(t *testing.T) {
	for _, c := range []struct {
		cmd     crawlCmd
		seed    string
		refused bool
	}{
		{crawlCmd{}, "http://127.0.0.1:8080/a.txt", true},
		{crawlCmd{}, "http://[::1]/", true},
		{crawlCmd{}, "http://192.168.1.1/", true},
		{crawlCmd{}, "example.org", false},
		{crawlCmd{}, "http://8.8.8.8/", false},
		{crawlCmd{AllowPrivate: true}, "http://127.0.0.1/", false},
		{crawlCmd{Proxy: "http://proxy.example"}, "http://127.0.0.1/", false},
	} {
		seeds, err := readSeeds([]string{c.seed}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.cmd.checkPrivate(seeds); c.refused != (err != nil) {
			t.Errorf("%s with %+v: %v", c.seed, c.cmd, err)
		}
	}
}
