package gold

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func collect(t *testing.T, cfg CollectConfig, sets ...*Set) *Collection {
	t.Helper()
	x := must.Get(extract.New(extract.Default))(t)
	cfg.Site = func(g *Page, _ *page.Page) string { // http://www.SITE.org/...
		address, _ := g.Meta["url"].(string)
		host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://www."), "/")
		return host
	}
	c, failed, err := Collect(t.Context(), sets, x.Do, cfg)
	if err != nil || len(failed) > 0 {
		t.Fatal(err, failed)
	}
	return c
}

// town makes a set of n pages, of sites that follow from their numbers.
func town(t *testing.T, name string, n, sites int) *Set {
	files := map[string]string{}
	var meta strings.Builder
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("House %d of %s stands at the river. ", i, name), 3)
		files[fmt.Sprintf("html/%02d.html", i)] = "<p>" + text
		files[fmt.Sprintf("gold/%02d.txt", i)] = text
		fmt.Fprintf(&meta, "{\"id\":\"%02d\",\"url\":\"http://www.site%d.example.org/%d\"}\n", i, i%sites, i)
	}
	files["meta.jsonl"] = strings.ReplaceAll(meta.String(), ".example.org", ".org")
	return write(t, name, files)
}

// TestFolds: pages of a site stay together, across sets too; folds are even;
// neither the order of the sets nor chance changes them for a set alone.
func TestFolds(t *testing.T) {
	a, b := town(t, "a", 40, 13), town(t, "b", 24, 4)
	c := collect(t, CollectConfig{}, a, b)
	folds := must.Get(c.Folds(4, "site"))(t)
	of := map[string]int{}
	count := map[string]int{}
	for i, it := range c.Items {
		if it.Site == "" {
			t.Fatalf("%s %s has no site", it.Set.Name, it.Gold.ID)
		}
		if f, ok := of[it.Site]; ok && f != folds[i] {
			t.Errorf("site %s in folds %d and %d", it.Site, f, folds[i])
		}
		of[it.Site] = folds[i]
		count[fmt.Sprint(it.Set.Name, folds[i])]++
	}
	for k, n := range count {
		if n < 3 {
			t.Errorf("only %d pages in %s: %v", n, k, count)
		}
	}
	again, err := collect(t, CollectConfig{Workers: 1}, a, b).Folds(4, "site")
	if err != nil || !slices.Equal(folds, again) {
		t.Errorf("folds differ from run to run: %v, %v", folds, again)
	}
	byPage := must.Get(c.Folds(4, "page"))(t)
	n := make([]int, 4)
	for _, f := range byPage {
		n[f]++
	}
	must.Same(t, n, []int{16, 16, 16, 16}, "folds by page")
	bySet := must.Get(c.Folds(2, "set"))(t)
	foldOf := map[*Set]int{}
	for i, f := range bySet {
		foldOf[c.Items[i].Set] += f
	}
	if x, y := foldOf[c.Sets[0]], foldOf[c.Sets[1]]; x != 0 || y != 24 {
		t.Errorf("folds by set: %d and %d pages in fold 1", x, y)
	}
	for _, bad := range []struct {
		k    int
		by   string
		want string
	}{{1, "page", "wanted 2 to 64"}, {65, "page", "wanted 2 to 64"}, {14, "site", "of 13 sites"}, {3, "set", "of 2 sets"}, {2, "moon", "take page, site or set"}} {
		must.Fail(t, must.Err(c.Folds(bad.k, bad.by)), bad.want)
	}
}

// TestSplits: a near-duplicate of a test page is on neither side, and what cannot
// be learned from is only measured with.
func TestSplits(t *testing.T) {
	long := strings.Repeat("The mill by the river has been still since the flood came over the hill. ", 2)
	files := map[string]string{"meta.jsonl": `{"id":"d","coverage":0.1}`}
	for id, text := range map[string]string{"a": long + "One.", "b": long + "Two.", "c": "Another text of a few words altogether.", "d": "A text that is not in its page."} {
		files["html/"+id+".html"] = "<p>" + text
		files["gold/"+id+".txt"] = text
	}
	c := collect(t, CollectConfig{}, write(t, "set", files))
	if got := [][]int{c.Items[0].Near, c.Items[1].Near, c.Items[2].Near}; !slices.Equal(got[0], []int{1}) || !slices.Equal(got[1], []int{0}) || len(got[2]) > 0 {
		t.Errorf("near-duplicates: %v", got)
	}
	must.Equal(t, c.Items[0].Set.Policy, Article, "policy")
	splits := c.Splits([]int{0, 1, 1, 1}, 2)
	if s := splits[0]; !slices.Equal(s.Test, []int{0}) || !slices.Equal(s.Train, []int{2}) || s.Copies != 1 {
		t.Errorf("fold 0: %+v", s)
	}
	if s := splits[1]; !slices.Equal(s.Test, []int{1, 2, 3}) || len(s.Train) != 0 || s.Copies != 1 {
		t.Errorf("fold 1: %+v", s)
	}
	if splits = c.Splits([]int{0, 0, 1, 1}, 2); splits[0].Copies != 0 {
		t.Errorf("copies in one fold: %+v", splits[0])
	}
}

// TestCollectFailures: pages that cannot be cut are told, not lost.
func TestCollectFailures(t *testing.T) {
	s := write(t, "set", map[string]string{"html/a.html": "<p>a", "gold/a.txt": "a", "gold/b.txt": "b", "html/c.html": "<p>c", "gold/c.txt": "c"})
	c, failed, err := Collect(t.Context(), []*Set{s}, func(_ context.Context, p *page.Page) error {
		if p.ID == "a" {
			return errors.New("no good")
		}
		p.Blocks = []page.Block{{Text: string(p.Raw)}}
		return nil
	}, CollectConfig{})
	must.Succeed(t, err)
	if len(failed) != 2 || failed[c.Items[0]] == nil || failed[c.Items[1]] == nil || len(c.Items[2].Page.Blocks) != 1 {
		t.Errorf("failed: %v", failed)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := Collect(ctx, []*Set{s}, func(context.Context, *page.Page) error { return nil }, CollectConfig{}); err == nil {
		t.Error("a run that was stopped is no error")
	}
}

// TestNearDuplicates compares with the plain way: all pairs of sets.
func TestNearDuplicates(t *testing.T) {
	texts := []string{"", "one", "One!", "one two", "one two three four five", "ONE two three four, five", "今天的天气很好我们去河边走走", "今天的天气很好我们去河边看看",
		strings.Repeat("a b c d e f g h ", 3), "a b c d e f g h", "b c d e f g h a", "x y z"}
	got := NearDuplicates(texts)
	for i := range texts {
		var want []int
		for j := range texts {
			a, b := shingleSet(texts[i]), shingleSet(texts[j])
			both := 0
			for _, s := range a {
				if slices.Contains(b, s) {
					both++
				}
			}
			if i != j && both > 0 && 2*both > len(a)+len(b)-both {
				want = append(want, j)
			}
		}
		if !slices.Equal(got[i], want) {
			t.Errorf("%q: near %v, want %v", texts[i], got[i], want)
		}
	}
	if len(got[4]) == 0 || len(got[6]) == 0 || len(got[0]) > 0 {
		t.Errorf("near: %v", got)
	}
}
