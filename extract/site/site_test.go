package site

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// cut returns the page of some HTML, cut into blocks.
func cut(t testing.TB, html string) *page.Page {
	t.Helper()
	x := must.Get(extract.New(extract.Default))(t)
	p := &page.Page{Raw: []byte(html), MIME: "text/html"}
	must.Succeed(t, x.Do(context.Background(), p))
	return p
}

// made returns the n-th page of a generated site: a menu, a separate text, a footer with a
// number that changes.
func made(t testing.TB, n int) *page.Page {
	return cut(t, fmt.Sprintf(`<body class="page-%d"><ul class="menu"><li>Home</li></ul><div class="text"><p>Tale of the %s.</p></div><p>Read %d times</p>`, n, word(n), n))
}

func word(n int) string {
	return string([]byte{'a' + byte(n%26), 'a' + byte(n/26%26)})
}

// table returns the table of pages.
func table(t testing.TB, cfg Config, pages ...*page.Page) *Table {
	t.Helper()
	c := must.Get(NewCounter(cfg))(t)
	var wg sync.WaitGroup
	for _, p := range pages {
		wg.Go(func() {
			must.Succeed(t, c.Add("a", p))
		})
	}
	wg.Wait()
	tab := must.Get(c.Table())(t)
	t.Cleanup(func() { tab.Close() })
	return tab
}

// repeats returns the repeated text of a page according to a table.
func repeats(t testing.TB, tab *Table, p *page.Page) (pages int, all []page.Repeats) {
	t.Helper()
	must.Succeed(t, tab.Mark("a", p))
	for i := range p.Blocks {
		all = append(all, p.Blocks[i].Repeats)
	}
	return p.SitePages, all
}

// The frame is on the other pages, the text is not, though its elements are; the page itself
// does not count.
func TestMark(t *testing.T) {
	pages := []*page.Page{made(t, 0), made(t, 1), made(t, 12), made(t, 0)} // the last is a copy
	tab := table(t, Default, pages...)
	want := []page.Repeats{{Text: 2, Path: 2, Both: 2}, {Path: 2}, {Text: 2, Path: 2, Both: 2}}
	for i, p := range pages {
		if n, got := repeats(t, tab, p); n != 2 || !reflect.DeepEqual(got, want) {
			t.Errorf("page %d: %v of %d pages, wanted %v of 2", i, got, n, want)
		}
	}
	if n, got := repeats(t, tab, made(t, 99)); n != 3 || got[0].Text != 3 {
		t.Errorf("a page that was not counted: %v of %d pages, wanted the menu on all 3", got, n)
	}
	p := made(t, 1)
	p.SitePages, p.Blocks[0].Repeats.Text = 5, 5
	if err := tab.Mark("b", p); err != nil || p.SitePages != 0 || p.Blocks[0].Repeats.Text != 0 {
		t.Errorf("page of an unknown site: %v of %d pages, wanted none; error %v", p.Blocks[0].Repeats, p.SitePages, err)
	}
	for _, name := range []string{"a1", "a2"} {
		c := must.Get(NewCounter(Default))(t)
		for n := range 2 {
			must.Succeed(t, c.Add("a1", made(t, n)))
		}
		tab := must.Get(c.Table())(t)
		if err := tab.Mark(name, p); err != nil || (p.SitePages > 0) != (name == "a1") {
			t.Errorf("site %s: %d other pages; error %v", name, p.SitePages, err)
		}
		tab.Close()
	}
	must.Equal(t, tab.Sites(), 1, "sites")
	if n, _ := repeats(t, table(t, Default, made(t, 0)), made(t, 0)); n != 0 {
		t.Errorf("the only page of a site has %d others", n)
	}
}

// Order, workers and memory make no difference, on a site with more pages than
// count.
func TestSameInAnyOrder(t *testing.T) {
	var pages []*page.Page
	for n := range 2 * maxPages {
		pages = append(pages, made(t, n))
	}
	one := table(t, Default, pages...)
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	other := table(t, Config{Memory: 1, Dir: t.TempDir()}, pages...)
	counted := 0
	for _, p := range pages {
		n, a := repeats(t, one, p)
		m, b := repeats(t, other, p)
		if n != m || !reflect.DeepEqual(a, b) {
			t.Fatalf("%v of %d pages, in another order %v of %d", a, n, b, m)
		}
		if n == maxPages-1 {
			counted++
		} else if n != maxPages {
			t.Fatalf("%d other pages, wanted %d or one less", n, maxPages)
		}
	}
	if counted != maxPages {
		t.Errorf("%d pages count, wanted %d", counted, maxPages)
	}
}

func TestHash(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"12 Comments", "7 comments", true},
		{"Comments: 12", "comments 12", true},
		{"Comments", "12 comments", false},
		{"ÉTÉ", "été", true},
		{"one two", "onetwo", false},
		{"»", "«", false},
		{"»", "»", true},
		{"", "", true},
	} {
		if got := hash(c.a) == hash(c.b); got != c.same {
			t.Errorf("hash(%q) == hash(%q) is %v", c.a, c.b, got)
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		p    page.Page
		want string
	}{
		{page.Page{URL: "https://www.Example.org:8080/a"}, "example.org"},
		{page.Page{URL: "https://blog.example.org/a", Stated: page.Stated{Canonical: "https://example.com"}}, "blog.example.org"},
		{page.Page{Stated: page.Stated{Canonical: " https://example.com/x"}}, "example.com"},
		{page.Page{URL: "pages/a.html", Stated: page.Stated{Canonical: "/x"}}, ""},
		{page.Page{}, ""},
	} {
		if got := Of(&c.p); got != c.want {
			t.Errorf("site of %q, %q: %q, wanted %q", c.p.URL, c.p.Stated.Canonical, got, c.want)
		}
	}
}
