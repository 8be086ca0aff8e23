// Package texts makes the texts that an evaluation of what cleaning is good for
// starts from: what each method of ours leaves of the same pages, what other
// programs left, everything that the pages hold, and the gold text.
package texts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"chaffinch/build/stage"
	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/internal/panics"
	"chaffinch/internal/pytext"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/gold"
	"chaffinch/lab/gold/origin"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Page is a page without its bytes.
type Page struct {
	ID string
	// Lang is the language of the page, "" if it is to be identified.
	Lang string
	// Gold is what should be left of the page, "" if nobody knows.
	Gold string
	// Near are the numbers of the pages with nearly the same gold text.
	Near []int
	// Title is what the page states as its title, "" until [Pages.Stated] was called.
	Title string
	// Site is the site of the page, by [origin.Site]. If only the HTML names it, Site is ""
	// until [Pages.Located] was called.
	Site string
}

// Pages are pages with a way to their bytes.
type Pages struct {
	Name  string
	Pages []Page
	// Plain tells that they are plain text and no HTML.
	Plain bool
	// Data identifies the bytes of sets.
	Data floors.Fingerprint
	// Each calls fn with the number and the bytes of each page, in any order; the bytes
	// are fn's to keep.
	Each func(fn func(i int, html []byte) error) error
}

// InMemory is an Each over pages that are in memory.
func InMemory(pages [][]byte) func(fn func(i int, html []byte) error) error {
	return func(fn func(i int, html []byte) error) error {
		for i, p := range pages {
			if err := fn(i, p); err != nil {
				return err
			}
		}
		return nil
	}
}

// FromSets puts sets of pages with gold text together. Pages whose gold does not
// belong to them are left out.
func FromSets(sets []*gold.Set) *Pages {
	p := &Pages{}
	var texts []string
	number := map[string]int{}
	for _, s := range sets {
		for _, g := range s.Pages {
			if !g.Fits(s.Name) || strings.TrimSpace(g.Text) == "" {
				continue
			}
			lang := g.Field("lang")
			if lang == "-" {
				lang = ""
			}
			number[s.Name+"/"+g.ID] = len(p.Pages)
			p.Pages = append(p.Pages, Page{ID: s.Name + "/" + g.ID, Lang: lang, Gold: g.Text, Site: origin.Site(g, &page.Page{})})
			texts = append(texts, g.Text)
		}
	}
	for i, near := range gold.NearDuplicates(texts) {
		p.Pages[i].Near = near
	}
	sum := sha256.New()
	for _, s := range sets {
		io.WriteString(sum, s.SHA256)
	}
	p.Data = floors.Fingerprint{SHA256: hex.EncodeToString(sum.Sum(nil)), Pages: len(p.Pages)}
	p.Name = strings.Join(SetNames(sets), ", ")
	p.Each = func(fn func(i int, html []byte) error) error {
		for _, s := range sets {
			err := s.EachPage(func(g *gold.Page, raw []byte) error {
				if i, ok := number[s.Name+"/"+g.ID]; ok {
					return fn(i, raw)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return p
}

// SetNames returns the names of sets.
func SetNames(sets []*gold.Set) (names []string) {
	for _, s := range sets {
		names = append(names, s.Name)
	}
	return names
}

// System is what one program left of the pages.
type System struct {
	Name string
	// Texts are in the order of the pages.
	Texts []string
	// Time is what it took in processor time, [Untimed] if nobody measured it.
	Time time.Duration
	// Missing counts pages without an output, which are empty.
	Missing int
}

// Untimed is the Time of a system that nobody measured.
const Untimed time.Duration = -1

// Bytes is the length of all texts.
func (s *System) Bytes() (n int64) {
	for _, t := range s.Texts {
		n += int64(len(t))
	}
	return n
}

// Gold is the system that leaves the gold text.
func (p *Pages) Gold() *System {
	s := &System{Name: "gold text"}
	for _, g := range p.Pages {
		s.Texts = append(s.Texts, g.Gold)
	}
	return s
}

// Raw is everything that the pages hold without their markup, hidden or not, title
// included: the baseline of the PyPlexity paper.
func (p *Pages) Raw(ctx context.Context, workers int) (*System, error) {
	stages, err := stage.Options{Method: "keep", KeepHidden: true, Lang: "und", NoMetadata: true}.Build()
	if err != nil {
		return nil, err
	}
	return p.clean(ctx, "raw", stages, workers, true)
}

// Perfect keeps the blocks of which at least half of the words occur in the gold
// text: what labels of whole blocks can reach.
func (p *Pages) Perfect(ctx context.Context, workers int) (*System, error) {
	golds := make(map[string]string, len(p.Pages))
	for _, g := range p.Pages {
		golds[g.ID] = g.Gold
	}
	stages, err := PerfectStages(golds)
	if err != nil {
		return nil, err
	}
	return p.Clean(ctx, "perfect labels", stages, workers)
}

// PerfectStages are the stages of [Pages.Perfect], by the gold texts of the IDs of
// pages.
func PerfectStages(golds map[string]string) ([]pipeline.Stage, error) {
	stages, err := keepStages()
	if err != nil {
		return nil, err
	}
	stages[len(stages)-1] = evalclean.OracleOf(golds)
	return stages, nil
}

// keepStages keep every block that a page shows.
func keepStages() ([]pipeline.Stage, error) {
	return stage.Options{Method: "keep", Lang: "und", NoMetadata: true}.Build()
}

// Clean takes the pages through stages on so many workers, 0 for one for each core.
// A page on which a stage fails is empty.
func (p *Pages) Clean(ctx context.Context, name string, stages []pipeline.Stage, workers int) (*System, error) {
	return p.clean(ctx, name, stages, workers, false)
}

// clean is Clean, with the stated title before the text if title is set.
func (p *Pages) clean(ctx context.Context, name string, stages []pipeline.Stage, workers int, title bool) (*System, error) {
	s := &System{Name: name, Texts: make([]string, len(p.Pages))}
	start := cputime.Used()
	missing, err := p.run(ctx, stages, workers, func(i int, pg *page.Page) {
		s.Texts[i] = evalclean.FromPage(pg).Text
		if t := statedTitle(pg); title && t != "" {
			s.Texts[i] = t + "\n" + s.Texts[i]
		}
	})
	s.Time, s.Missing = cputime.Used()-start, missing
	return s, err
}

// statedTitle is the title that a page states, in one line.
func statedTitle(pg *page.Page) string { return pytext.Collapse(html.UnescapeString(pg.Stated.Title)) }

// Stated fills in the titles that the pages state.
func (p *Pages) Stated(ctx context.Context, workers int) error {
	stages, err := keepStages()
	if err != nil {
		return err
	}
	_, err = p.run(ctx, stages, workers, func(i int, pg *page.Page) { p.Pages[i].Title = statedTitle(pg) })
	return err
}

// Located fills in the sites that the pages tell of themselves.
func (p *Pages) Located(ctx context.Context, workers int) error {
	stages, err := keepStages()
	if err != nil {
		return err
	}
	_, err = p.run(ctx, stages, workers, func(i int, pg *page.Page) {
		if p.Pages[i].Site == "" {
			p.Pages[i].Site = origin.Site(&gold.Page{}, pg)
		}
	})
	return err
}

// run takes the pages through stages on several workers, calls fn with each page
// behind them, and counts those on which one fails.
func (p *Pages) run(ctx context.Context, stages []pipeline.Stage, workers int, fn func(i int, pg *page.Page)) (failed int, err error) {
	mime := "text/html"
	if p.Plain {
		mime = "text/plain"
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	type job struct {
		i    int
		html []byte
	}
	jobs := make(chan job, workers)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				pg := &page.Page{ID: p.Pages[j.i].ID, Raw: j.html, MIME: mime, Lang: p.Pages[j.i].Lang}
				err := panics.Catch(func() error {
					if err := pipeline.Do(ctx, stages, pg, 0); err != nil {
						return err
					}
					fn(j.i, pg)
					return nil
				})
				if err != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			}
		})
	}
	err = p.Each(func(i int, raw []byte) error {
		select {
		case jobs <- job{i, raw}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(jobs)
	wg.Wait()
	return failed, errors.Join(err, ctx.Err())
}

// Read reads what another program left of the pages, DIR/ID.txt, and what it took,
// cpu_s in DIR.json, if that is there: lab/compare/run.sh writes both.
func (p *Pages) Read(dir, name string) (*System, error) {
	s := &System{Name: name, Texts: make([]string, len(p.Pages)), Time: Untimed}
	if b, err := archive.ReadFile(filepath.Clean(dir) + ".json"); err == nil {
		var took struct {
			Seconds *float64 `json:"cpu_s"`
		}
		if json.Unmarshal(b, &took) == nil && took.Seconds != nil {
			s.Time = time.Duration(*took.Seconds * float64(time.Second))
		}
	}
	for i, g := range p.Pages {
		b, err := archive.ReadFile(filepath.Join(dir, filepath.FromSlash(g.ID)+".txt"))
		if errors.Is(err, fs.ErrNotExist) {
			s.Missing++
			continue
		}
		if err != nil {
			return nil, err
		}
		s.Texts[i] = pytext.Decode(b)
	}
	if s.Missing == len(p.Pages) {
		return nil, fmt.Errorf("%s: no file for any page: wanted one for each, such as %s.txt", dir, p.Pages[0].ID)
	}
	return s, nil
}
