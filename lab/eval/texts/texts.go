// Package texts provides the texts for evaluations of downstream tasks: the output of each method
// of this project for the same pages ([Pages.Clean]), the output of other programs ([Pages.Read]),
// the complete text of the pages ([Pages.Raw]), and the gold text.
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

	_ "chaffinch/model/data/languages"

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
	// Lang is the language of the page, "" to detect it.
	Lang string
	// Gold is the gold text of the page, "" if unknown.
	Gold string
	// Near holds the numbers of the pages with nearly the same gold text.
	Near []int
	// Title is the title that the page states, "" before [Pages.FindTitles] was called.
	Title string
	// Site is the site of the page from [origin.Site]. If it is only in the HTML, Site is "" before
	// [Pages.FindSites] was called.
	Site string
}

// Pages is a list of pages with access to their bytes.
type Pages struct {
	Name  string
	Pages []Page
	// Plain is set for plain text instead of HTML.
	Plain bool
	// Data identifies the bytes of the sets.
	Data floors.Fingerprint
	// Each calls fn with the number and the bytes of each page in any order. fn may keep the bytes.
	Each func(fn func(i int, html []byte) error) error
}

// InMemory returns an Each function for pages in memory.
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

// FromSets combines sets of pages with gold text. Pages whose gold does not belong to them are
// omitted.
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

// System holds the output of a program for the pages.
type System struct {
	Name string
	// Texts holds the texts in the order of the pages.
	Texts []string
	// Time is the processor time, untimed if unknown.
	Time time.Duration
	// Missing is the number of pages without output, which have empty texts.
	Missing int
}

// untimed is the Time of a system without measurement.
const untimed time.Duration = -1

// Bytes returns the total size of the texts.
func (s *System) Bytes() (n int64) {
	for _, t := range s.Texts {
		n += int64(len(t))
	}
	return n
}

// Gold returns the system with the gold texts.
func (p *Pages) Gold() *System {
	s := &System{Name: "gold text"}
	for _, g := range p.Pages {
		s.Texts = append(s.Texts, g.Gold)
	}
	return s
}

// Raw returns the system with the complete text of the pages without markup, including hidden text
// and titles: the baseline of the PyPlexity paper.
func (p *Pages) Raw(ctx context.Context, workers int) (*System, error) {
	stages, err := stage.Options{Method: "keep", KeepHidden: true, Lang: "und", NoMetadata: true}.Build()
	if err != nil {
		return nil, err
	}
	return p.clean(ctx, "raw", stages, workers, true)
}

// Perfect returns the system that keeps the blocks with at least half of their words in the gold
// text: an upper bound for labels of whole blocks.
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

// PerfectStages returns the stages of [Pages.Perfect] for gold texts by the IDs of pages.
func PerfectStages(golds map[string]string) ([]pipeline.Stage, error) {
	stages, err := keepStages()
	if err != nil {
		return nil, err
	}
	stages[len(stages)-1] = evalclean.OracleOf(golds)
	return stages, nil
}

// keepStages returns stages that keep every visible block.
func keepStages() ([]pipeline.Stage, error) {
	return stage.Options{Method: "keep", Lang: "und", NoMetadata: true}.Build()
}

// Clean runs the stages on the pages. workers is the number of workers, 0 for one per core. A page
// on which a stage fails has an empty text.
func (p *Pages) Clean(ctx context.Context, name string, stages []pipeline.Stage, workers int) (*System, error) {
	return p.clean(ctx, name, stages, workers, false)
}

// clean is Clean. If title is set, the stated title precedes the text.
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

// statedTitle returns the title that a page states, on one line.
func statedTitle(pg *page.Page) string { return pytext.Collapse(html.UnescapeString(pg.Stated.Title)) }

// FindTitles sets the titles that the pages state.
func (p *Pages) FindTitles(ctx context.Context, workers int) error {
	stages, err := keepStages()
	if err != nil {
		return err
	}
	_, err = p.run(ctx, stages, workers, func(i int, pg *page.Page) { p.Pages[i].Title = statedTitle(pg) })
	return err
}

// FindSites sets the sites that are stated in the pages.
func (p *Pages) FindSites(ctx context.Context, workers int) error {
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

// run runs the stages on the pages with several workers, calls fn with each resulting page, and
// returns the number of pages on which a stage failed.
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

// Read reads the output of another program for the pages, DIR/ID.txt, and its processor time, cpu_s
// in DIR.json, if present. lab/compare/run.sh writes both.
func (p *Pages) Read(dir, name string) (*System, error) {
	s := &System{Name: name, Texts: make([]string, len(p.Pages)), Time: untimed}
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
