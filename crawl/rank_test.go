package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/epochs"
	"chaffinch/internal/disk"
	"chaffinch/internal/periodic"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// failing is a store that fails when the rank is cut off. patience is the time until it reports that,
// since stores retry; slow is the time that it takes to store outputs. epoch is the duration of an
// epoch; a minute if it is 0.
type failing struct {
	store.Store
	off                   *atomic.Bool
	patience, slow, epoch time.Duration
}

func (f failing) Put(ctx context.Context, name, file string, replace bool) error {
	if f.off.Load() {
		if err := periodic.Pause(ctx, f.patience); err != nil {
			return err
		}
		return errors.New("no route to the store")
	}
	if strings.HasPrefix(name, "pages/") {
		if err := periodic.Pause(ctx, f.slow); err != nil {
			return err
		}
	}
	return f.Store.Put(ctx, name, file, replace)
}

// runRanks crawls the small web with n ranks. If cut is set, the rank 0 loses the store then.
func runRanks(t *testing.T, n int, cut time.Duration) (*smallNet, *epochs.Seal, store.Store) {
	t.Helper()
	return runRanksWith(t, n, cut, failing{})
}

func runRanksWith(t *testing.T, n int, cut time.Duration, f failing) (*smallNet, *epochs.Seal, store.Store) {
	t.Helper()
	dir := t.TempDir()
	net, s := newSmallNet(), store.Folder(filepath.Join(dir, "store"))
	f.Store = s
	return net, runRanksIn(t, dir, n, cut, net, f, nil), s
}

// runRanksIn crawls with n ranks in a folder and returns the last seal.
func runRanksIn(t *testing.T, dir string, n int, cut time.Duration, net *smallNet, f failing, change func(*Config)) (seal *epochs.Seal) {
	t.Helper()
	disk.Lazy()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Hour)
		defer cancel()
		var wait sync.WaitGroup
		var mu sync.Mutex
		for i := range n {
			wait.Go(func() {
				time.Sleep(time.Duration(min(i, 1)) * time.Second) // rank 0 is the first, and owns all hosts
				var off atomic.Bool
				f := f
				f.off = &off
				if i == 0 && cut > 0 {
					time.AfterFunc(cut, func() { off.Store(true) }) // in virtual time
				}
				name := fmt.Sprintf("rank-%d", i)
				cfg := testConfig(filepath.Join(dir, name), net)
				cfg.Seeds = cfg.Seeds[:1]
				if change != nil {
					change(&cfg)
				}
				got, err := RunRank(ctx, cfg, Rank{Store: f, Name: name, Epoch: cmp.Or(f.epoch, time.Minute), Lease: 20 * time.Second})
				switch {
				case i == 0 && cut > 0:
					if err == nil || !strings.Contains(err.Error(), "no route") && !strings.Contains(err.Error(), "another rank may take the hosts") {
						t.Errorf("%s ended with %v", name, err)
					}
				case err != nil:
					t.Errorf("%s: %v", name, err)
				default:
					mu.Lock()
					seal = got
					mu.Unlock()
				}
			})
		}
		wait.Wait()
	})
	return seal
}

// pagesOf returns the requested pages, and how many were requested more than once.
func pagesOf(net *smallNet) (pages []string, again int) {
	for url, n := range net.asked {
		if strings.HasSuffix(url, "/robots.txt") || strings.HasSuffix(url, "/tdmrep.json") || strings.HasSuffix(url, "/map.xml") {
			continue
		}
		if pages = append(pages, url); n > 1 {
			again++
		}
	}
	slices.Sort(pages)
	return pages, again
}

// TestRanks fails if ranks fetch other pages than one process, or a page twice.
func TestRanks(t *testing.T) {
	alone := newSmallNet()
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(t.TempDir(), alone)
		cfg.Seeds = cfg.Seeds[:1]
		must.Err(Run(t.Context(), cfg))
	})
	want, _ := pagesOf(alone)
	for _, n := range []int{1, 3} {
		net, seal, s := runRanks(t, n, 0)
		if t.Failed() {
			return
		}
		got, again := pagesOf(net)
		if !slices.Equal(got, want) || again > 0 {
			t.Errorf("%d ranks: %d pages, %d of them again, wanted %d\n%q\n%q", n, len(got), again, len(want), got, want)
		}
		if net.gap < Default.Schedule.Delay {
			t.Errorf("%d ranks: %v between requests to a host", n, net.gap)
		}
		t.Logf("%d ranks: %d pages, %d epochs", n, len(got), seal.Epoch)
		checkOutputs(t, s)
	}
}

// TestRanksMaxPages fails if ranks fetch more or fewer pages than the limit, also of a resumed crawl.
func TestRanksMaxPages(t *testing.T) {
	testkit.Slow(t)
	for _, n := range []int{1, 3} {
		dir := t.TempDir()
		net, s := newSmallNet(), store.Folder(filepath.Join(dir, "store"))
		for _, limit := range []int64{20, 31} {
			seal := runRanksIn(t, dir, n, 0, net, failing{Store: s}, func(cfg *Config) { cfg.MaxPages = limit })
			if t.Failed() {
				return
			}
			requests := 0
			for url, n := range net.asked {
				if !strings.HasSuffix(url, "/robots.txt") && !strings.HasSuffix(url, "/tdmrep.json") {
					requests += n
				}
			}
			if int64(requests) != limit || seal.Pages != limit {
				t.Errorf("%d ranks: %d requests for pages, the seal has %d, wanted %d", n, requests, seal.Pages, limit)
			}
			checkOutputs(t, s)
		}
	}
}

// TestRanksAgain fails if ranks that repeat a crawl of ranks, or of one process, request unchanged pages
// without conditions or lack texts, or if one process cannot repeat a crawl of ranks.
func TestRanksAgain(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	first := store.Folder(filepath.Join(dir, "0"))
	runRanksIn(t, filepath.Join(dir, "work-0"), 3, 0, newSmallNet(), failing{Store: first}, nil)
	if t.Failed() {
		return
	}
	texts := countTexts(t, first)
	same := netHosts * (netPages - 5) // pages with validators; see TestAgain
	for i, n := range []int{2, 3} {   // a crawl, and the crawl that repeats it
		net, s := newSmallNet(), store.Folder(filepath.Join(dir, fmt.Sprint(i+1)))
		runRanksIn(t, filepath.Join(dir, fmt.Sprint("work-", i+1)), n, 0, net, failing{Store: s}, func(cfg *Config) {
			cfg.Again, cfg.Seeds = filepath.Join(dir, fmt.Sprint(i)), nil
		})
		if got := countTexts(t, s); net.same != same || got != texts {
			t.Errorf("%d ranks: %d answers that nothing has changed, wanted %d; %d texts, wanted %d", n, net.same, same, got, texts)
		}
	}
	net := newSmallNet()
	cfg := testConfig(filepath.Join(dir, "alone"), net)
	cfg.Again, cfg.Seeds = filepath.Join(dir, "2"), nil
	synctest.Test(t, func(t *testing.T) { must.Err(Run(t.Context(), cfg)) })
	if net.same != same {
		t.Errorf("one process: %d answers that nothing has changed, wanted %d", net.same, same)
	}
	net = newSmallNet()
	last := store.Folder(filepath.Join(dir, "last"))
	runRanksIn(t, filepath.Join(dir, "work-last"), 2, 0, net, failing{Store: last}, func(c *Config) { c.Again, c.Seeds = cfg.Dir, nil })
	if net.same != same {
		t.Errorf("ranks after one process: %d answers that nothing has changed, wanted %d", net.same, same)
	}
}

// countTexts returns the number of records in a store.
func countTexts(t *testing.T, s store.Store) (n int64) {
	t.Helper()
	seals := must.Get(epochs.Seals(t.Context(), s))(t)
	for _, seal := range seals {
		for _, r := range seal.Bundles {
			n += r.Langs["en"]
		}
	}
	return n
}

// checkOutputs fails if the objects do not hold a record for each page with text.
func checkOutputs(t *testing.T, s store.Store) {
	t.Helper()
	seals := must.Get(epochs.Seals(t.Context(), s))(t)
	var sum epochs.Report
	lines := 0
	for _, seal := range seals {
		for _, r := range seal.Bundles {
			sum.Add(r)
			for _, name := range r.Objects {
				text := must.Get(store.Read(t.Context(), s, name, 1<<30))(t)
				if strings.HasSuffix(name, ".jsonl") {
					lines += strings.Count(string(text), "\n")
				}
			}
		}
	}
	if lines == 0 || sum.Langs["en"] != int64(lines) {
		t.Errorf("%d records, the reports count %v", lines, sum.Langs)
	}
}

// TestRankCutOff fails if other ranks do not take over the hosts of a rank that lost the store, or if
// two ranks request a host.
func TestRankCutOff(t *testing.T) {
	testkit.Slow(t)
	alone, _, _ := runRanks(t, 1, 0)
	want, _ := pagesOf(alone)
	repeated := 0
	patient := failing{patience: 5 * time.Minute, epoch: 6 * time.Minute}
	for i, cut := range []time.Duration{30 * time.Second, 100 * time.Second, 130 * time.Second, 5 * time.Second} {
		net, seal, s := runRanksWith(t, 3, cut, []failing{{}, {}, {}, patient}[i])
		if seal == nil {
			t.Fatal("no seal")
		}
		got, again := pagesOf(net)
		repeated += again
		t.Logf("store lost after %v: %d pages, %d fetched again, %d epochs", cut, len(got), again, seal.Epoch)
		if !slices.Equal(got, want) {
			t.Errorf("store lost after %v: %d pages, wanted %d", cut, len(got), len(want))
		}
		if net.gap < Default.Schedule.Delay {
			t.Errorf("store lost after %v: %v between requests to a host", cut, net.gap)
		}
		checkOutputs(t, s)
	}
	if repeated == 0 {
		t.Error("the rank had no pages in an epoch that it did not end")
	}
}

// TestRankSlowStore fails if the pages of ranks that need more than a lease to publish them do not count.
func TestRankSlowStore(t *testing.T) {
	testkit.Slow(t)
	alone, _, _ := runRanks(t, 1, 0)
	want, _ := pagesOf(alone)
	net, seal, s := runRanksWith(t, 3, 0, failing{slow: 30 * time.Second})
	if seal == nil {
		t.Fatal("no seal")
	}
	if got, again := pagesOf(net); !slices.Equal(got, want) || again > 0 {
		t.Errorf("%d pages, %d of them again, wanted %d", len(got), again, len(want))
	}
	checkOutputs(t, s)
}
