package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/crawl"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/simulate"
	"chaffinch/internal/disk"
	"chaffinch/internal/table"
	"chaffinch/lab/eval/stats"
)

var crawlVars = kong.Vars{
	"crawlPolicies":    policyNames(),
	"crawlDelay":       crawl.Default.Schedule.Delay.String(),
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
	Points   int           `range:"[1,)" default:"5" placeholder:"N" help:"Lines for each policy. Default: ${default}."`
}

// Help is the long text of --help.
func (crawlSimulateCmd) Help() string {
	return `Crawls a simulated web in virtual time, without the network, with the scheduler of a real crawl. The web has good, thin and worthless hosts, and traps. Yield is the share of clean text in the bytes of all pages.

Examples:
  chaffinch crawl simulate --pages 20000 --policy best-first,breadth-first
  chaffinch crawl simulate --pages 500000 --seed 1,2,3,4,5 --local 0.3 --policy best-first,breadth-first,oracle

Exit code: 0 completed; 2 failed.`
}

// Run crawls the web with each policy.
func (c *crawlSimulateCmd) Run(ctx context.Context, con *console) error {
	policies := c.Policies
	if len(policies) == 0 {
		policies = append(strings.Split(policyNames(), ", "), "oracle")
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
				res, err := c.crawl(ctx, w, p)
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
	show := func(values []float64, digits int) string {
		low, high := stats.MeanInterval(values, .95)
		return fmt.Sprintf("%.*f ± %.*f", digits, stats.Mean(values), digits, (high-low)/2)
	}
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
				t.Add(name, fmt.Sprint(pages), show(yield, 2), show(clean, 0), show(ratio, 2))
			}
		}
	}
	return t
}

func (c *crawlSimulateCmd) crawl(ctx context.Context, w *simulate.Web, p schedule.Policy) (*simulate.Result, error) {
	dir, err := disk.MkdirTemp(os.TempDir(), "chaffinch-crawl-")
	if err != nil {
		return nil, err
	}
	defer disk.RemoveAll(dir)
	cfg := simulate.Config{Dir: dir, Schedule: schedule.Default, Seeds: 100, Pages: c.Pages, Rate: c.Rate, Points: c.Points}
	cfg.Schedule.Policy, cfg.Schedule.Delay = p, c.Delay
	cfg.Schedule.MaxDelay = max(cfg.Schedule.MaxDelay, c.Delay)
	return simulate.Run(ctx, w, cfg)
}
