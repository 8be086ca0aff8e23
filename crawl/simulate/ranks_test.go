package simulate

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// crawlRanks crawls a finite web with n ranks.
func crawlRanks(t *testing.T, n int, change func(*WebConfig, *RanksConfig)) (*RanksResult, []Request) {
	t.Helper()
	disk.Lazy()
	web := DefaultWeb
	web.Hosts, web.Shares = 150, [Spam]float64{Good: .4, Thin: .3, Worthless: .3}
	cfg := RanksConfig{Ranks: n, Store: store.Folder(t.TempDir()), Epoch: 20 * time.Minute}
	cfg.Config = Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 10, Rate: 10}
	cfg.Schedule.Policy = schedule.BreadthFirst
	cfg.Schedule.MaxDepth = schedule.MaxDepth
	var list []Request
	cfg.OnRequest = func(r Request) { list = append(list, r) }
	if change != nil {
		change(&web, &cfg)
	}
	w := NewWeb(web)
	for i := range w.hosts {
		w.hosts[i].pages = min(w.hosts[i].pages, 400)
	}
	res := must.Get(RunRanks(context.Background(), w, cfg))(t)
	return res, list
}

// checkOwners fails if a host is requested earlier than the delay after its last response.
func checkOwners(t *testing.T, list []Request) {
	t.Helper()
	slices.SortStableFunc(list, func(a, b Request) int { return int(a.From - b.From) })
	last := map[string]Request{}
	for _, r := range list {
		if was, ok := last[r.Task.Origin]; ok && r.From < was.To+schedule.Default.Delay {
			t.Fatalf("%s: %s until %v, %s from %v", r.Task.Origin, was.Rank, was.To, r.Rank, r.From)
		}
		last[r.Task.Origin] = r
	}
}

func checkSame(t *testing.T, got, want map[string]int) {
	t.Helper()
	missing, more, twice := 0, 0, 0
	for url := range want {
		if got[url] == 0 {
			missing++
		}
	}
	for url, n := range got {
		if want[url] == 0 {
			more++
		}
		if n > 1 {
			twice++
		}
	}
	if missing+more+twice > 0 {
		t.Errorf("of %d pages, %d are missing, %d are others, %d were fetched twice", len(want), missing, more, twice)
	}
}

// TestRanksSamePages fails if the pages of a complete crawl depend on the number of ranks.
func TestRanksSamePages(t *testing.T) {
	testkit.Slow(t)
	one, _ := crawlRanks(t, 1, nil)
	t.Logf("1 rank: %d pages in %v, %d epochs", len(one.Fetched), one.Time, len(one.Seals))
	checkSame(t, one.Fetched, one.Fetched)
	if len(one.Fetched) < 1000 {
		t.Fatalf("%d pages", len(one.Fetched))
	}
	for _, n := range []int{4, 16} {
		var shared store.Store
		many, list := crawlRanks(t, n, func(_ *WebConfig, c *RanksConfig) { shared = c.Store })
		objects, bytes, links := 0, int64(0), int64(0)
		for o, err := range shared.List(t.Context(), "epochs/") {
			must.Succeed(t, err)
			objects, bytes = objects+1, bytes+o.Size
		}
		for _, seal := range many.Seals {
			for _, r := range seal.Bundles {
				links += r.Links
			}
		}
		t.Logf("%d ranks: %d objects, %.1f bytes of links and seals per page, %d links", n, objects, float64(bytes)/float64(len(many.Fetched)), links)
		if most := (n+1)*len(many.Seals) + 1; objects > most {
			t.Errorf("%d ranks: %d objects, wanted at most %d", n, objects, most)
		}
		t.Logf("%d ranks: %d pages in %v, %d epochs", n, len(many.Fetched), many.Time, len(many.Seals))
		checkSame(t, many.Fetched, one.Fetched)
		checkOwners(t, list)
	}
}

// TestRanksKilled fails if killed ranks lose pages, or pages count twice.
func TestRanksKilled(t *testing.T) {
	testkit.Slow(t)
	one, _ := crawlRanks(t, 1, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	kills := 0
	some, list := crawlRanks(t, 4, func(_ *WebConfig, c *RanksConfig) {
		c.Epoch = 5 * time.Minute
		c.Kill = func(epoch, rank int) time.Duration {
			if epoch > 12 || rank > 2 || rng.IntN(3) > 0 { // the last rank is replaced
				return -1
			}
			kills++
			return time.Duration(rng.Int64N(int64(c.Epoch)))
		}
	})
	t.Logf("%d kills, %d pages fetched again, %v, %d epochs", kills, some.Lost, some.Time, len(some.Seals))
	if kills < 5 || some.Lost == 0 {
		t.Errorf("%d kills, %d pages of killed ranks", kills, some.Lost)
	}
	checkSame(t, some.Fetched, one.Fetched)
	checkOwners(t, list)
	requests := map[string]int{}
	for _, r := range list {
		if r.Task.Kind == schedule.Page {
			requests[r.Task.Origin+r.Task.Path]++
		}
	}
	repeated := 0
	for n := range maps.Values(requests) {
		repeated += n - 1
	}
	if repeated > some.Lost {
		t.Errorf("%d pages were requested again, wanted at most the %d of killed ranks", repeated, some.Lost)
	}
}

// TestRanksLimit fails if ranks fetch more or fewer pages than the limit, or if their number depends on
// chance.
func TestRanksLimit(t *testing.T) {
	testkit.Slow(t)
	for _, n := range []int{1, 4, 16} {
		for _, limit := range []int64{7, 700} {
			var first []int
			for range min(n, 2) {
				res, _ := crawlRanks(t, n, func(_ *WebConfig, c *RanksConfig) { c.Pages = limit })
				var epochs []int // pages of each
				for _, seal := range res.Seals {
					epochs = append(epochs, int(seal.Pages))
				}
				if len(res.Fetched) != int(limit) {
					t.Errorf("%d ranks: %d pages, wanted %d", n, len(res.Fetched), limit)
				}
				if first != nil && !slices.Equal(epochs, first) {
					t.Errorf("%d ranks, %d pages: %v pages in the epochs, then %v", n, limit, first, epochs)
				}
				first = epochs
			}
			t.Logf("%d ranks, %d pages: %v", n, limit, first)
		}
	}
}

// TestRanksLimitKilled fails if killed ranks change the number of pages that count.
func TestRanksLimitKilled(t *testing.T) {
	testkit.Slow(t)
	some, _ := crawlRanks(t, 4, func(_ *WebConfig, c *RanksConfig) {
		c.Epoch, c.Pages, c.Rate = 5*time.Minute, 1500, 1
		c.Kill = func(epoch, rank int) time.Duration {
			if epoch%2 > 0 || rank != 0 {
				return -1
			}
			return c.Epoch / 2
		}
	})
	t.Logf("%d pages fetched again, %d epochs", some.Lost, len(some.Seals))
	if len(some.Fetched) != 1500 || some.Lost == 0 {
		t.Errorf("%d pages, wanted 1500; %d pages of killed ranks", len(some.Fetched), some.Lost)
	}
}

// TestRanksThroughput fails if more ranks do not fetch more in the same time.
func TestRanksThroughput(t *testing.T) {
	testkit.Slow(t)
	rate := func(n int) float64 {
		res, list := crawlRanks(t, n, func(w *WebConfig, c *RanksConfig) {
			w.Hosts, c.Seeds, c.Rate, c.Epochs = 2000, 400, 2, 2
		})
		return float64(len(list)) / res.Time.Seconds()
	}
	one := rate(1)
	for _, n := range []int{4, 16} {
		r := rate(n)
		t.Logf("%d ranks: %.2f requests/s, %.2f times the rate of one", n, r, r/one)
		if r < .8*float64(n)*one {
			t.Errorf("%d ranks: %.2f requests/s, wanted at least .8 × %d × %.2f", n, r, n, one)
		}
	}
}
