package gold

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"chaffinch/internal/panics"
	"chaffinch/page"
)

// Item is a page of a collection.
type Item struct {
	Set  *Set
	Gold *Page
	// Page is the page cut into blocks; its Raw is nil.
	Page *page.Page
	// Site is the site of the page, "" if unknown.
	Site string
	// Near lists the other items of the collection whose gold is nearly the
	// same, by index; see [NearDuplicates].
	Near []int
}

// Collection is the pages of one or several sets, cut into blocks once for all
// that is done with them.
type Collection struct {
	Sets []*Set
	// Items are in the order of the sets and of their pages.
	Items []*Item
}

// CollectConfig says how a collection is read.
type CollectConfig struct {
	// PageLang leaves the language of pages to what they declare; else it is
	// what the set says (lang in meta.jsonl), where it says one.
	PageLang bool
	// Workers is how many pages are cut at once, 0 for one for each core.
	Workers int
	// Site returns the site of a page, such as origin.Site of package lab/gold/origin; nil
	// leaves sites unknown. It is called from several goroutines.
	Site func(*Page, *page.Page) string
	// Progress is called with the number of pages done and of all pages, if it
	// is not nil; from one goroutine at a time.
	Progress func(done, total int)
}

// Collect reads all pages of the sets and runs cut on each, which fills its
// blocks (extract, language); cut is called from several goroutines. Pages on
// which cut fails have no blocks: the failures are returned, by item, beside
// the collection.
func Collect(ctx context.Context, sets []*Set, cut func(context.Context, *page.Page) error, cfg CollectConfig) (*Collection, map[*Item]error, error) {
	c := &Collection{Sets: sets}
	byPage := map[*Page]*Item{}
	for _, s := range sets {
		for _, g := range s.Pages {
			it := &Item{Set: s, Gold: g}
			c.Items = append(c.Items, it)
			byPage[g] = it
		}
	}
	r := reading{cut: cut, cfg: cfg, total: len(c.Items), failed: map[*Item]error{}, jobs: make(chan job)}
	workers := cfg.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range r.jobs {
				r.read(ctx, j)
			}
		})
	}
	var err error
	for _, s := range sets {
		if err == nil {
			err = s.EachPage(func(g *Page, html []byte) error {
				select {
				case r.jobs <- job{byPage[g], html}:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
		}
	}
	close(r.jobs)
	wg.Wait()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	for _, it := range c.Items {
		if it.Page == nil {
			r.failed[it] = errors.New("the set has no html/" + it.Gold.ID + ".html")
			it.Page = &page.Page{ID: it.Gold.ID}
		}
	}
	c.near()
	return c, r.failed, nil
}

// Annotate gives the pages of the collection the roles of a table; see
// [ReadRolePages]. It returns how many pages of the table the collection has. A page
// that is another than the annotated one is an error.
func (c *Collection) Annotate(roles []RolePage) (found int, err error) {
	by := make(map[string]*RolePage, len(roles))
	for i := range roles {
		by[roles[i].Key()] = &roles[i]
	}
	for _, it := range c.Items {
		p := by[it.Set.Name+"/"+it.Gold.ID]
		if p == nil {
			continue
		}
		if err := p.Check(it.Gold); err != nil {
			return found, err
		}
		it.Gold.Roles = p.Spans
		found++
	}
	return found, nil
}

// reading is a Collect under way.
type reading struct {
	cut   func(context.Context, *page.Page) error
	cfg   CollectConfig
	total int
	jobs  chan job

	mu     sync.Mutex
	done   int
	failed map[*Item]error
}

type job struct {
	item *Item
	html []byte
}

func (r *reading) read(ctx context.Context, j job) {
	it := j.item
	p := &page.Page{ID: it.Gold.ID, Raw: j.html, MIME: "text/html"}
	if lang, ok := it.Gold.Meta["lang"].(string); ok && !r.cfg.PageLang {
		p.Lang = lang
	}
	err := panics.Catch(func() error { return r.cut(ctx, p) })
	p.Raw = nil
	it.Page = p
	if r.cfg.Site != nil {
		it.Site = r.cfg.Site(it.Gold, p)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		p.Blocks = nil
		r.failed[it] = fmt.Errorf("%s: %s: %w", it.Set.Name, it.Gold.ID, err)
	}
	r.done++
	if r.cfg.Progress != nil {
		r.cfg.Progress(r.done, r.total)
	}
}

func (c *Collection) near() {
	texts := make([]string, len(c.Items))
	for i, it := range c.Items {
		texts[i] = it.Gold.Text
	}
	for i, near := range NearDuplicates(texts) {
		c.Items[i].Near = near
	}
}
