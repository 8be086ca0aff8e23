package recipe

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// watching is a stage that records the site data of each page.
type watching struct {
	mu   *sync.Mutex
	seen map[string]string
}

func (watching) Name() string { return "watching" }

func (w watching) Do(_ context.Context, p *page.Page) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := fmt.Sprint(p.SitePages)
	for i := range p.Blocks {
		s += fmt.Sprintf(" %q %v", p.Blocks[i].Text, p.Blocks[i].Repeats)
	}
	w.seen[filepath.Base(p.ID)] = s
	return nil
}

// TestSites: a run with sites reads its inputs twice, and knows in the second
// reading what repeats, whatever their order and the number of workers.
func TestSites(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	for i, text := range []string{"The first page of three.", "A second page of theirs.", "One more and the last."} {
		name := filepath.Join(dir, fmt.Sprintf("%d.html", i))
		must.Write(t, name, "<ul class=menu><li>Home</ul><p>"+text)
		inputs = append(inputs, name)
	}
	other := filepath.Join(dir, "other.html")
	must.Write(t, other, "<link rel=canonical href=https://example.org/><ul class=menu><li>Home</ul>")
	inputs = append(inputs, other)
	r := Clean(CleanOptions{Options: stage.Options{Method: "keep", Sites: true}})
	seen := func(inputs []string, workers int) map[string]string {
		at := runOf("", filepath.Join(t.TempDir(), "out.txt"))
		at.Inputs, at.Workers = inputs, workers
		run := must.Get(Open(r, at))(t)
		w := watching{new(sync.Mutex), map[string]string{}}
		run.chain.Stages = append(run.chain.Stages, w)
		rep, err := run.Do(context.Background())
		if err != nil || rep.Pages != 4 {
			t.Fatal(rep, err)
		}
		must.Succeed(t, run.Close())
		return w.seen
	}
	got := seen(inputs, 1)
	if want := `2 "Home" {2 2 2} "A second page of theirs." {0 2 0}`; got["1.html"] != want {
		t.Errorf("the second page: %s, wanted %s", got["1.html"], want)
	}
	if want := `0 "Home" {0 0 0}`; got["other.html"] != want {
		t.Errorf("the page of another site: %s, wanted %s", got["other.html"], want)
	}
	slices.Reverse(inputs)
	if again := seen(inputs, 4); !reflect.DeepEqual(got, again) {
		t.Errorf("in another order, with 4 workers: %v, wanted %v", again, got)
	}
}

// TestSitesOnce: what can be read only once is an error before anything is read.
func TestSitesOnce(t *testing.T) {
	r := Clean(CleanOptions{Options: stage.Options{Sites: true}})
	at := runOf("-", "")
	at.Stdin, at.Stdout = strings.NewReader("<p>x"), new(strings.Builder)
	_, err := Open(r, at)
	if err == nil || !strings.Contains(err.Error(), "sites: input - can be read only once") {
		t.Errorf("standard input: %v", err)
	}
	if _, _, err := r.Build(); err != nil {
		t.Error(err)
	}
	if _, err := (stage.Options{Sites: true}).Build(); err == nil || !strings.Contains(err.Error(), "run a recipe") {
		t.Errorf("one page: %v", err)
	}
}
