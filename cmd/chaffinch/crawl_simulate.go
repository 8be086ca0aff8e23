package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/crawl"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/simulate"
	"chaffinch/filter"
	"chaffinch/filter/job"
	"chaffinch/format/document"
	"chaffinch/input/records"
	"chaffinch/internal/disk"
	"chaffinch/internal/parallel"
	"chaffinch/internal/table"
	"chaffinch/lab/eval/stats"
	"chaffinch/pipeline"
)

var crawlVars = kong.Vars{
	"crawlPolicies":    policyNames(),
	"documentFormats":  strings.Join(document.Formats(), ", "),
	"crawlDelay":       crawl.Default.Schedule.Delay.String(),
	"crawlDepth":       fmt.Sprint(crawl.Default.Schedule.MaxDepth),
	"crawlConnections": fmt.Sprint(crawl.Default.Connections),
}

func policyNames() string {
	var names []string
	for _, p := range schedule.Policies {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

type crawlSimulateCmd struct {
	Pages    int64         `range:"[1,)" default:"100000" placeholder:"N" help:"Pages to fetch. Default: ${default}."`
	Hosts    int           `range:"[10,)" default:"20000" placeholder:"N" help:"Hosts of the web. Default: ${default}."`
	Local    float64       `range:"[0,1]" default:"0.6" placeholder:"X" help:"Share of links between hosts of the same kind, in excess of chance. Default: ${default}."`
	Policies []string      `name:"policy" placeholder:"NAME" help:"Crawl orders to compare: ${crawlPolicies}, and oracle, which knows all yields. Default: all."`
	Delay    time.Duration `default:"20s" placeholder:"TIME" help:"Minimum time between two requests to a host. Default: ${default}."`
	Rate     int           `range:"[1,)" default:"100" placeholder:"N" help:"Requests per second. Default: ${default}."`
	Seed     []uint64      `default:"1" placeholder:"N" help:"Seeds of the simulated webs. With several, means and intervals are shown (Student's t, 95 %). Default: ${default}."`
	Spam     int           `range:"[0,)" placeholder:"N" help:"Spam hosts among --hosts: endless pages of stuffed keywords in English, with as much text as good hosts. Default: ${default}." default:"0"`
	Filter   []string      `placeholder:"NAME|FILE" help:"Rules as in crawl run. Compare a crawl in which only text that passes them counts as yield."`
	Texts    []string      `placeholder:"FILE" help:"Texts for --filter: collections, or archives of text files. Each file is a topic, and each host that is not a spam host has one topic. Default: all text of these hosts passes."`
	Churn    int           `range:"[0,)" placeholder:"N" help:"Compare rules for repeated visits instead, on a web of N pages that appear, change and disappear: a daily crawl for 18 months, with one visit per page in 30 days. The last 12 months count. Default: ${default}." default:"0"`
	Points   int           `range:"[1,)" default:"5" placeholder:"N" help:"Lines for each policy. Default: ${default}."`
}

// Help is the long text of --help.
func (crawlSimulateCmd) Help() string {
	return `Crawls a simulated web in virtual time, without the network, with the scheduler of a real crawl. The web has good, thin and worthless hosts, and traps. With --spam or --filter, a table compares crawls with and without them: good text passes --filter and is not of spam hosts, kept text is not of spam hosts. Yield is the share of clean text in the bytes of all pages.

Examples:
  chaffinch crawl simulate --pages 20000 --policy best-first,breadth-first
  chaffinch crawl simulate --hosts 300 --spam 25 --filter nontext --texts news.jsonl --pages 10000 --rate 2
  chaffinch crawl simulate --churn 2000 --seed 1,2,3
  chaffinch crawl simulate --pages 500000 --seed 1,2,3,4,5 --local 0.3 --policy best-first,breadth-first,oracle

Exit code: 0 completed; 2 failed.`
}

// Run crawls the web with each policy.
func (c *crawlSimulateCmd) Run(ctx context.Context, con *console) error {
	if c.Churn > 0 {
		return c.compareVisits(con)
	}
	policies := c.Policies
	if len(policies) == 0 {
		policies = append(strings.Split(policyNames(), ", "), "oracle")
	}
	if c.Spam > 0 || len(c.Filter) > 0 {
		return c.compareFilter(ctx, con)
	}
	curves, err := c.curves(ctx, policies)
	if err != nil {
		return err
	}
	if len(c.Seed) > 1 {
		return c.means(policies, curves).Write(con.out, "")
	}
	t := table.New("policy", ">pages", ">hours", ">yield %", ">clean MB", ">hosts")
	for i, name := range policies {
		for _, at := range curves[i][0] {
			t.Add(name, fmt.Sprint(at.Pages), fmt.Sprintf("%.2f", at.Time.Hours()), fmt.Sprintf("%.2f", 100*at.Yield()),
				fmt.Sprintf("%.1f", float64(at.Clean)/1e6), fmt.Sprint(at.Hosts))
		}
	}
	return t.Write(con.out, "")
}

// curves crawls the web of each seed with each policy.
func (c *crawlSimulateCmd) curves(ctx context.Context, policies []string) ([][][]simulate.Point, error) {
	curves := make([][][]simulate.Point, len(policies))
	for i, name := range policies {
		if _, err := simulate.PolicyOf(nil, name); err != nil {
			return nil, fmt.Errorf("--policy: %w", err)
		}
		curves[i] = make([][]simulate.Point, len(c.Seed))
	}
	var group sync.WaitGroup
	errs := make([]error, len(policies)*len(c.Seed))
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for n, seed := range c.Seed {
		web := simulate.DefaultWeb
		web.Seed, web.Hosts, web.Local = seed, c.Hosts, c.Local
		w := simulate.NewWeb(web)
		for i, name := range policies {
			p, err := simulate.PolicyOf(w, name)
			if err != nil {
				return nil, err
			}
			group.Go(func() {
				room <- struct{}{}
				defer func() { <-room }()
				res, err := c.crawl(ctx, w, p, nil, false)
				if err != nil {
					errs[i*len(c.Seed)+n] = err
					return
				}
				curves[i][n] = res.Curve
			})
		}
	}
	group.Wait()
	return curves, errors.Join(errs...)
}

// means shows the curves of several seeds, each policy beside the first one.
func (c *crawlSimulateCmd) means(policies []string, curves [][][]simulate.Point) *table.Table {
	t := table.New("policy", ">pages", ">yield %", ">clean MB", ">yield of "+policies[0]+" to this")
	for i, name := range policies {
		for k := range c.Points {
			var yield, clean, ratio []float64
			pages := int64(0)
			for n := range c.Seed {
				if k >= len(curves[i][n]) || k >= len(curves[0][n]) {
					continue // the web was at its end before
				}
				at := curves[i][n][k]
				pages = at.Pages
				yield = append(yield, 100*at.Yield())
				clean = append(clean, float64(at.Clean)/1e6)
				ratio = append(ratio, curves[0][n][k].Yield()/at.Yield())
			}
			if len(yield) == len(c.Seed) {
				t.Add(name, fmt.Sprint(pages), meanInterval(yield, 2), meanInterval(clean, 0), meanInterval(ratio, 2))
			}
		}
	}
	return t
}

// compareVisits compares rules for repeated visits.
func (c *crawlSimulateCmd) compareVisits(con *console) error {
	rules := simulate.VisitRules()
	results := make([]simulate.ChurnResult, len(rules)*len(c.Seed))
	parallel.Each(runtime.GOMAXPROCS(0), len(results), func(i int) {
		cfg := simulate.DefaultChurn
		cfg.Pages, cfg.Seed = c.Churn, c.Seed[i%len(c.Seed)]
		results[i] = simulate.RunChurn(cfg, rules[i/len(c.Seed)])
	})
	t := table.New("visits", ">up to date %", ">with a new text %", ">appeared", ">found %")
	for i, rule := range rules {
		var fresh, news, appeared, found []float64
		for _, r := range results[i*len(c.Seed):][:len(c.Seed)] {
			fresh, news = append(fresh, 100*r.Fresh), append(news, 100*float64(r.New)/float64(max(r.Visits, 1)))
			appeared, found = append(appeared, float64(r.Appeared)), append(found, 100*float64(r.Found)/float64(max(r.Appeared, 1)))
		}
		t.Add(rule.String(), meanInterval(fresh, 1), meanInterval(news, 1), meanInterval(appeared, 0), meanInterval(found, 1))
	}
	return t.Write(con.out, "")
}

// compareFilter crawls webs without spam hosts, with them, and with a filter.
func (c *crawlSimulateCmd) compareFilter(ctx context.Context, con *console) error {
	if c.Spam >= c.Hosts {
		return fmt.Errorf("--spam: %d of %d hosts, wanted fewer", c.Spam, c.Hosts)
	}
	if len(c.Policies) == 0 {
		c.Policies = []string{schedule.BestFirst.Name}
	}
	if len(c.Policies) > 1 {
		return errors.New("--spam and --filter compare crawls of one --policy")
	}
	topics, err := c.topics(ctx)
	if err != nil {
		return err
	}
	rows := []*simulatedRow{{name: "without a filter", spam: c.Spam}}
	if c.Spam > 0 {
		rows = slices.Insert(rows, 0, &simulatedRow{name: "no spam hosts"})
	}
	var rules *filter.Set
	if len(c.Filter) > 0 {
		if rules, err = readRules("--filter", c.Filter, nil, nil, nil); err != nil {
			return err
		}
		rows = append(rows, &simulatedRow{name: "with the filter", spam: c.Spam, filter: true})
	}
	for _, seed := range c.Seed {
		for _, row := range rows {
			web := simulate.DefaultWeb
			web.Seed, web.Hosts, web.Local, web.Topics = seed, c.Hosts-c.Spam+row.spam, c.Local, topics
			web.Spam = row.spam
			w := simulate.NewWeb(web)
			p, err := simulate.PolicyOf(w, c.Policies[0])
			if err != nil {
				return fmt.Errorf("--policy: %w", err)
			}
			res, err := c.crawl(ctx, w, p, rules, row.filter)
			if err != nil {
				return err
			}
			if len(res.Curve) == 0 {
				return errors.New("--pages: fewer pages in the web, wanted a lower number")
			}
			row.add(res.Curve[len(res.Curve)-1], rows[0])
		}
	}
	t := table.New("crawl", ">pages", ">of spam hosts %", ">with good text %", ">good MB", ">to first row", ">kept MB", ">to first row")
	for _, r := range rows {
		t.Add(r.name, fmt.Sprint(r.pages), meanInterval(r.spamPages, 1), meanInterval(r.goodPages, 1), meanInterval(r.good, 1), meanInterval(r.goodRatio, 3), meanInterval(r.kept, 1), meanInterval(r.keptRatio, 3))
	}
	return t.Write(con.out, "")
}

// simulatedRow holds the figures of a crawl for each seed. Sizes are in MB, shares in percent.
type simulatedRow struct {
	name                                                   string
	spam                                                   int
	filter                                                 bool
	pages                                                  int64
	spamPages, goodPages, good, goodRatio, kept, keptRatio []float64
}

// add adds the figures of a seed. first is the row to compare with.
func (r *simulatedRow) add(p simulate.Point, first *simulatedRow) {
	i := len(r.good)
	r.pages = p.Pages
	r.spamPages = append(r.spamPages, 100*float64(p.SpamPages)/float64(p.Pages))
	r.goodPages = append(r.goodPages, 100*float64(p.GoodPages)/float64(p.Pages))
	r.good = append(r.good, float64(p.Good)/1e6)
	r.goodRatio = append(r.goodRatio, r.good[i]/first.good[i])
	r.kept = append(r.kept, float64(p.Kept)/1e6)
	r.keptRatio = append(r.keptRatio, r.kept[i]/first.kept[i])
}

// topics reads the texts of each topic.
func (c *crawlSimulateCmd) topics(ctx context.Context) (topics [][]simulate.Text, err error) {
	for _, name := range c.Texts {
		var texts []simulate.Text
		cfg := job.Config{Job: pipeline.Job{Inputs: []string{name}}, Input: records.Default}
		err := job.EachText(ctx, cfg, true, func(t job.NamedText) error {
			texts = append(texts, simulate.Text{Lang: t.Lang, Text: t.Whole})
			return nil
		})
		if err == nil && len(texts) == 0 {
			err = fmt.Errorf("%s: no texts", name)
		}
		if err != nil {
			return nil, fmt.Errorf("--texts: %w", err)
		}
		topics = append(topics, texts)
	}
	return topics, nil
}

// meanInterval formats the mean of values and, of several values, Student's t interval of 95 %.
func meanInterval(values []float64, digits int) string {
	if len(values) == 1 {
		return fmt.Sprintf("%.*f", digits, values[0])
	}
	low, high := stats.MeanInterval(values, .95)
	return fmt.Sprintf("%.*f ± %.*f", digits, stats.Mean(values), digits, (high-low)/2)
}

func (c *crawlSimulateCmd) crawl(ctx context.Context, w *simulate.Web, p schedule.Policy, rules *filter.Set, filtered bool) (*simulate.Result, error) {
	dir, err := disk.MkdirTemp(os.TempDir(), "chaffinch-crawl-")
	if err != nil {
		return nil, err
	}
	defer disk.RemoveAll(dir)
	cfg := simulate.Config{Dir: dir, Schedule: schedule.Default, Seeds: max(c.Hosts/200, 10), Pages: c.Pages, Rate: c.Rate, Points: c.Points, Rules: rules, Filter: filtered}
	cfg.Schedule.Policy, cfg.Schedule.Delay = p, c.Delay
	cfg.Schedule.MaxDelay = max(cfg.Schedule.MaxDelay, c.Delay)
	return simulate.Run(ctx, w, cfg)
}
