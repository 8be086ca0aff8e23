package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestShares reads wanted languages with and without shares.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		list []string
		want string
	}{
		{[]string{"gd", "ga:.9"}, "[{gd 0} {ga 0.9}] [] <nil>"},
		{[]string{"gd=2", "ga:.9=.5"}, "[{gd 0} {ga 0.9}] [2 0.5] <nil>"},
		{[]string{"gd=2", "ga"}, "[] [] --langs: gd=2,ga: give each language a share, or none"},
		{[]string{"gd=0"}, `[] [] --langs: "gd=0": share "0": wanted a number above 0, as in gd=2`},
		{[]string{"gd=x"}, `[] [] --langs: "gd=x": share "x": wanted a number above 0, as in gd=2`},
		{nil, "[] [] <nil>"},
	} {
		langs, shares, err := readShares(c.list)
		if got := fmt.Sprint(langs, shares, err); got != c.want {
			t.Errorf("%v: %s, want %s", c.list, got, c.want)
		}
	}
}

// TestPrivateSeeds wants seeds that may not be asked to be reported and left out.
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
		var out strings.Builder
		bad := seedErrors{con: &console{err: &out}}
		seeds := must.Get(readSeeds(t.Context(), []string{c.seed, "b.example"}, "", &bad))(t)
		used := c.cmd.usable(seeds, &bad)
		if c.refused != (len(used) == 1) || c.refused != (bad.n == 1) || c.refused != strings.Contains(out.String(), "is a private address") || used[len(used)-1] != "b.example" {
			t.Errorf("%s with %+v: %q are used; %s", c.seed, c.cmd, used, out.String())
		}
	}
}

// TestResumePrivate wants a crawl of private addresses to be resumed and repeated without the flag that
// allows them.
func TestResumePrivate(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<a href=/1>one</a><a href=/2>two</a>", strings.Repeat("<p>The heron stands in the shallow water of the lake and waits for a long time until a fish comes near enough.", 3))
	}))
	defer served.Close()
	out := filepath.Join(t.TempDir(), "crawl")
	runs(t, 0, "crawl", served.URL, "--allow-private", "--contact", "test@example.org", "--delay", "1ms", "--max-pages", "1", "-o", out)
	for _, args := range [][]string{{"-o", out}, {served.URL, "-o", out}, {"--again", out, "-o", out + "-2"}} {
		if _, errs := runs(t, 0, append([]string{"crawl"}, args...)...); !strings.Contains(errs, "3 pages") || strings.Contains(errs, "private-address") {
			t.Errorf("%q: %s", args, errs)
		}
	}
}
