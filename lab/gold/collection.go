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
	// Page is the page divided into blocks; its Raw is nil.
	Page *page.Page
	// Site is the site of the page, "" if unknown.
	Site string
	// Near lists the indexes of the other items of the collection with nearly the same gold; see
	// [NearDuplicates].
	Near []int
}

// Collection holds the pages of one or several sets, divided into blocks once for all uses.
type Collection struct {
	Sets []*Set
	// Items holds the items in the order of the sets and of their pages.
	Items []*Item
}

// CollectConfig configures [Collect].
type CollectConfig struct {
	// PageLang uses the language that each page declares. Default: the language in the set (lang in
	// meta.jsonl), if present.
	PageLang bool
	// Workers is the number of pages processed concurrently. Default: one per core.
	Workers int
	// Site returns the site of a page, such as origin.Site of package lab/gold/origin. Default:
	// sites are unknown. It is called from several goroutines.
	Site func(*Page, *page.Page) string
	// Progress, if not nil, is called with the numbers of finished pages and of all pages, from one
	// goroutine at a time.
	Progress func(done, total int)
}

// Collect reads all pages of the sets and runs cut on each, which sets its blocks (extract,
// language). cut is called from several goroutines. Pages on which cut fails have no blocks; the
// errors are returned by item.
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

// Annotate sets the roles of the pages from a table; see [ReadRolePages]. It returns the number of
// pages of the table in the collection. A page whose bytes differ from the annotated page is an
// error.
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

// reading is the state of a Collect call.
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
