package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
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
	"spamKinds":        strings.Join(simulate.SpamKindNames(), ", "),
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
	Pages     int64         `range:"[1,)" default:"100000" placeholder:"N" help:"Pages to fetch. Default: ${default}."`
	Hosts     int           `range:"[10,)" default:"20000" placeholder:"N" help:"Hosts of the web. Default: ${default}."`
	Local     float64       `range:"[0,1]" default:"0.6" placeholder:"X" help:"Share of links between hosts of the same kind, in excess of chance. Default: ${default}."`
	Policies  []string      `name:"policy" placeholder:"NAME" help:"Crawl orders to compare: ${crawlPolicies}, and oracle, which knows all yields. Default: all; best-first with --spam or --filter."`
	Delay     time.Duration `default:"20s" placeholder:"TIME" help:"Minimum time between two requests to a host. Default: ${default}."`
	Rate      int           `range:"[1,)" default:"100" placeholder:"N" help:"Requests per second. Default: ${default}."`
	Seed      []uint64      `default:"1" placeholder:"N" help:"Seeds of the simulated webs. With several, means and intervals are shown (Student's t, 95 %). Default: ${default}."`
	Spam      int           `range:"[0,)" placeholder:"N" help:"Spam hosts among --hosts: endless pages of stuffed keywords in English, with as much text as good hosts. Default: ${default}." default:"0"`
	SpamKinds []string      `placeholder:"NAME" help:"Kinds of the --spam hosts, in equal parts: all, or some of ${spamKinds}. Fixed shares of their text count as yield, and only good hosts sell links to them. Default: stuffed, with text for --filter and links from all hosts."`
	Filter    []string      `placeholder:"NAME|FILE" help:"Rules as in crawl run. Compare a crawl in which only text that passes them counts as yield."`
	Texts     []string      `placeholder:"FILE" help:"Texts for --filter: collections, or archives of text files. Each file is a topic, and each host that is not a spam host has one topic. Default: all text of these hosts passes."`
	Churn     int           `range:"[0,)" placeholder:"N" help:"Compare rules for repeated visits instead, on a web of N pages that appear, change and disappear: a daily crawl for 18 months, with one visit per page in 30 days. The last 12 months count. Default: ${default}." default:"0"`
	Points    int           `range:"[1,)" default:"5" placeholder:"N" help:"Lines for each policy. Default: ${default}."`
}

// Help is the long text of --help.
func (crawlSimulateCmd) Help() string {
	return `Crawls a simulated web in virtual time, without the network, with the scheduler of a real crawl. The web has good, thin and worthless hosts, and traps. With --spam or --filter, a table compares crawls with and without them in each order: good text passes --filter and is not of spam hosts, kept text is not of spam hosts. Yield is the share of clean text in the bytes of all pages.

Examples:
  chaffinch crawl simulate --pages 20000 --policy best-first,breadth-first
  chaffinch crawl simulate --hosts 300 --spam 25 --filter nontext --texts news.jsonl --pages 10000 --rate 2
  chaffinch crawl simulate --churn 2000 --seed 1,2,3
  chaffinch crawl simulate --hosts 2222 --spam 222 --spam-kinds all --pages 30000 --rate 30 --delay 5s --seed 1,2,3
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
	if c.Spam > 0 || len(c.SpamKinds) > 0 || len(c.Filter) > 0 {
		return c.compare(ctx, con)
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
	webs := make([]*simulate.Web, len(c.Seed))
	for n, seed := range c.Seed {
		web := simulate.DefaultWeb
		web.Seed, web.Hosts, web.Local = seed, c.Hosts, c.Local
		webs[n] = simulate.NewWeb(web)
	}
	return curves, c.eachWeb(len(policies), func(i, n int) error {
		p, err := simulate.PolicyOf(webs[n], policies[i])
		if err != nil {
			return err
		}
		res, err := c.crawl(ctx, webs[n], p, nil, false)
		if err == nil {
			curves[i][n] = res.Curve
		}
		return err
	})
}

// eachWeb calls fn concurrently for each crawl below crawls and the index of each seed.
func (c *crawlSimulateCmd) eachWeb(crawls int, fn func(crawl, seed int) error) error {
	errs := make([]error, crawls*len(c.Seed))
	parallel.Each(0, len(errs), func(k int) {
		i, n := k%crawls, k/crawls
		errs[i*len(c.Seed)+n] = fn(i, n)
	})
	return errors.Join(errs...)
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
	parallel.Each(0, len(results), func(i int) {
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

// compare crawls webs without spam hosts, with them, and with a filter, in each order.
func (c *crawlSimulateCmd) compare(ctx context.Context, con *console) error {
	if c.Spam >= c.Hosts {
		return fmt.Errorf("--spam: %d of %d hosts, wanted fewer", c.Spam, c.Hosts)
	}
	if len(c.SpamKinds) > 0 && c.Spam == 0 {
		return errors.New("--spam-kinds: no spam hosts, wanted --spam")
	}
	if len(c.Policies) == 0 {
		c.Policies = []string{schedule.BestFirst.Name}
	}
	base := simulate.DefaultWeb
	base.Local = c.Local
	var err error
	if base.SpamKinds, err = simulate.ParseSpamKinds(c.SpamKinds); err != nil {
		return fmt.Errorf("--spam-kinds: %w", err)
	}
	if base.Topics, err = c.topics(ctx); err != nil {
		return err
	}
	var rules *filter.Set
	if len(c.Filter) > 0 {
		if rules, err = readRules("--filter", c.Filter, nil, nil, nil); err != nil {
			return err
		}
	}
	var rows []*simulatedRow
	for _, order := range c.Policies {
		if _, err := simulate.PolicyOf(nil, order); err != nil {
			return fmt.Errorf("--policy: %w", err)
		}
		group := []*simulatedRow{{name: "without a filter", spam: c.Spam}}
		if c.Spam > 0 {
			group = slices.Insert(group, 0, &simulatedRow{name: "no spam hosts"})
		}
		if rules != nil {
			group = append(group, &simulatedRow{name: "with the filter", spam: c.Spam, filter: true})
		}
		for _, row := range group {
			row.order, row.points, row.first = order, make([]simulate.Point, len(c.Seed)), group[0]
		}
		rows = append(rows, group...)
	}
	err = c.eachWeb(len(rows), func(row, n int) error {
		r, web := rows[row], base
		web.Seed, web.Hosts, web.Spam = c.Seed[n], c.Hosts-c.Spam+r.spam, r.spam
		w := simulate.NewWeb(web)
		p, err := simulate.PolicyOf(w, r.order)
		if err != nil {
			return err
		}
		res, err := c.crawl(ctx, w, p, rules, r.filter)
		if err == nil && len(res.Curve) == 0 {
			err = errors.New("--pages: fewer pages in the web, wanted a lower number")
		}
		if err == nil {
			r.points[n] = res.Curve[len(res.Curve)-1]
		}
		return err
	})
	if err != nil {
		return err
	}
	t := table.New("order", "crawl", ">pages", ">of spam hosts %", ">with good text %", ">good MB", ">to first row", ">to first of order", ">kept MB", ">to first of order")
	for _, r := range rows {
		good, kept := func(p simulate.Point) int64 { return p.Good }, func(p simulate.Point) int64 { return p.Kept }
		t.Add(r.order, r.name, fmt.Sprint(r.points[0].Pages), meanInterval(r.percent(func(p simulate.Point) int64 { return p.SpamPages }), 1),
			meanInterval(r.percent(func(p simulate.Point) int64 { return p.GoodPages }), 1),
			meanInterval(r.megabytes(good), 1), meanInterval(r.ratios(rows[0], good), 3), meanInterval(r.ratios(r.first, good), 3),
			meanInterval(r.megabytes(kept), 1), meanInterval(r.ratios(r.first, kept), 3))
	}
	return t.Write(con.out, "")
}

// simulatedRow holds the last points of crawls, one for each seed.
type simulatedRow struct {
	order, name string
	spam        int
	filter      bool
	first       *simulatedRow // first row of the order
	points      []simulate.Point
}

// percent returns the share of pages that count returns, in percent.
func (r *simulatedRow) percent(count func(simulate.Point) int64) (values []float64) {
	for _, p := range r.points {
		values = append(values, 100*float64(count(p))/float64(p.Pages))
	}
	return values
}

// megabytes returns the sizes that size returns.
func (r *simulatedRow) megabytes(size func(simulate.Point) int64) (values []float64) {
	for _, p := range r.points {
		values = append(values, float64(size(p))/1e6)
	}
	return values
}

// ratios returns the ratios of sizes to another row.
func (r *simulatedRow) ratios(to *simulatedRow, size func(simulate.Point) int64) (values []float64) {
	for i, p := range r.points {
		values = append(values, float64(size(p))/float64(size(to.points[i])))
	}
	return values
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
