package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"chaffinch/lab/eval/ir"
	"chaffinch/lab/eval/ir/web"
	"chaffinch/lab/eval/texts"
)

// pagesFlags holds the flags that turn judged documents into web pages.
type pagesFlags struct {
	Pages     string   `enum:",wrapped,known" default:"" placeholder:"HOW" help:"Measure the effect of cleaning on the search of web pages: wrapped (documents of the collections in page templates of --set) or known (topics with one page of --set as the result)."`
	Set       []string `placeholder:"NAME" help:"With --pages: sets of pages with gold text, as for eval clean; all for every set. Default: dragnet, google-trends-2017, l3s-gn1, canola; for known also daniel."`
	Gold      string   `name:"gold" default:"../shared/data" placeholder:"DIR" help:"With --pages: the data folder; sets are in its folder eval."`
	Query     string   `default:"title" enum:"title,sentence,words" help:"With --pages known: query: title of the page, sentence of its gold text, or five words of it. Default: ${default}."`
	Sample    int      `default:"500" placeholder:"N" help:"With --pages known: number of topics, 0 for one per page. Default: ${default}."`
	Seed      uint64   `default:"1" placeholder:"N" help:"With --pages: seed of the choice of templates and topics. Default: ${default}."`
	SavePages string   `placeholder:"DIR" help:"With --pages wrapped: write the pages as sets, DIR/wrapped-COLLECTION, for other programs."`
	systemFlags
}

// wrappedSets and knownSets are the sets of --pages without --set: pages in English,
// and pages of several languages.
var (
	wrappedSets = []string{"dragnet", "google-trends-2017", "l3s-gn1", "canola"}
	knownSets   = append(slices.Clone(wrappedSets), "daniel")
)

// check returns an error for flags that have no effect without --pages, or with the other
// kind of --pages.
func (c *pagesFlags) check() error {
	if c.Pages == "known" && c.SavePages != "" {
		return errors.New("--save-pages needs --pages wrapped: pages of --pages known are the unchanged pages of the sets")
	}
	if c.Pages != "" {
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--set", len(c.Set) > 0}, {"--save-pages", c.SavePages != ""}, {"--method", len(c.Method) > 0}, {"--predictions", len(c.Predictions) > 0},
		{"--perfect", c.Perfect}, {"--title", c.Title}, {"--no-raw", c.NoRaw},
	} {
		if flag.given {
			return fmt.Errorf("%s needs --pages wrapped or --pages known", flag.name)
		}
	}
	return nil
}

// onPages compares systems on web pages.
func (c *evalIRCmd) onPages(ctx context.Context, con *console) error {
	cfg, models, err := c.config()
	if err != nil {
		return err
	}
	if len(models) != 1 || len(c.Run_) > 0 || c.Topics != "" {
		return errors.New("--pages needs one --rank, without --run and --topics")
	}
	names := c.Set
	if len(names) == 0 {
		names = map[string][]string{"wrapped": wrappedSets, "known": knownSets}[c.Pages]
	}
	sets, err := openSets(names, c.Gold)
	if err != nil {
		return err
	}
	if c.Pages == "known" {
		pages := texts.FromSets(sets)
		if len(pages.Pages) == 0 {
			return fmt.Errorf("%s: no page with gold text", pages.Name)
		}
		if c.Query == "title" {
			if err := pages.FindTitles(ctx, c.Jobs); err != nil {
				return err
			}
		}
		topics, qrels, err := web.Known(pages, web.KnownConfig{Query: c.Query, Topics: c.Sample, Seed: c.Seed})
		if err != nil {
			return err
		}
		scores, err := c.systemsOn(ctx, pages, "known by "+c.Query, topics, qrels, cfg, models[0])
		if err != nil {
			return err
		}
		return c.compareScores(web.FloorName("known by "+c.Query, sets), web.Fingerprint(nil, sets), scores)
	}
	templates, err := web.Templates(ctx, sets, web.DefaultTemplate)
	if err != nil {
		return err
	}
	sites := map[string]bool{}
	for _, t := range templates {
		sites[t.Site] = true
	}
	fmt.Fprintf(con.err, "%s of %s\n", count(int64(len(templates)), "template"), count(int64(len(sites)), "site"))
	collections, err := ir.Collections(c.Data, c.Collection)
	if err != nil {
		return err
	}
	for _, col := range collections {
		w, err := web.Wrap(col, templates, c.Seed)
		if err != nil {
			return err
		}
		w.Name = "wrapped-" + col.Name
		if c.SavePages != "" {
			if err := savePages(filepath.Join(c.SavePages, w.Name), w.Pages); err != nil {
				return err
			}
			continue
		}
		scores, err := c.systemsOn(ctx, w.Pages, w.Name, col.Topics, col.Qrels, cfg, models[0])
		if err != nil {
			return fmt.Errorf("collection %s: %w", col.Name, err)
		}
		if err := c.compareScores(web.FloorName(col.Name, sets), web.Fingerprint(col, sets), scores); err != nil {
			return err
		}
	}
	return nil
}

// systemsOn indexes what each system leaves of the pages, and scores the rankings.
func (c *evalIRCmd) systemsOn(ctx context.Context, p *texts.Pages, data string, topics []ir.Topic, qrels ir.Qrels, cfg ir.Config, m namedModel) ([]*ir.Scores, error) {
	systems, err := c.systems(ctx, p, c.Jobs)
	if err != nil {
		return nil, err
	}
	var runs []*ir.Run
	var costs []ir.Cost
	var names []string
	for _, s := range systems {
		docs := make([]ir.Text, len(s.Texts))
		for i, t := range s.Texts {
			docs[i] = ir.Text{ID: p.Pages[i].ID, Text: t}
		}
		run, cost, err := c.rank(ctx, s.Name, docs, topics, cfg, m)
		if err != nil {
			return nil, err
		}
		cost.Clean = s.Time
		runs, costs, names = append(runs, run), append(costs, cost), append(names, s.Name)
	}
	if err := c.save(data, runs, qrels); err != nil {
		return nil, err
	}
	scores := c.score(data, runs, qrels)
	if c.Queries > 0 {
		c.tables = append(c.tables, costTable(data, names, costs, ir.Energy{Watts: c.Watts, Carbon: c.Carbon}))
	}
	return scores, nil
}

// rank indexes texts and asks the topics.
func (c *evalIRCmd) rank(ctx context.Context, name string, docs []ir.Text, topics []ir.Topic, cfg ir.Config, m namedModel) (*ir.Run, ir.Cost, error) {
	x, err := ir.Build(ctx, docs, cfg)
	if err != nil {
		return nil, ir.Cost{}, err
	}
	defer x.Close()
	run, err := x.Rank(ctx, name, topics, m.Model, cfg)
	return run, x.Cost, err
}
