package simulate

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/epochs"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestNight crawls with 16 ranks for a night in virtual time and kills some of them. It fails if a
// delay is not kept or a page counts twice, and logs how evenly the ranks work. A quick run takes two
// hours of 600 hosts; CHAFFINCH_NIGHT sets another duration, CHAFFINCH_HOSTS another number of
// hosts.
func TestNight(t *testing.T) {
	testkit.Slow(t)
	night, hosts := 2*time.Hour, 600
	if s := os.Getenv("CHAFFINCH_NIGHT"); s != "" {
		night = must.Get(time.ParseDuration(s))(t)
	}
	if s := os.Getenv("CHAFFINCH_HOSTS"); s != "" {
		hosts = must.Get(strconv.Atoi(s))(t)
	}
	const ranks, rate = 16, 2
	rng := rand.New(rand.NewPCG(16, 8))
	kills := 0
	last := map[string]time.Duration{} // end of the last response of each host
	requests, violations := 0, 0
	perRank := map[string]int{}
	var shared store.Store
	began := time.Now()
	res, _ := crawlRanks(t, ranks, func(w *WebConfig, c *RanksConfig) {
		w.Hosts, w.Shares = hosts, DefaultWeb.Shares
		c.Seeds, c.Rate, c.Epoch = max(hosts/50, 10), rate, 10*time.Minute
		c.Epochs = int(night / c.Epoch)
		c.Schedule.Policy = schedule.BestFirst
		shared = c.Store
		c.Kill = func(epoch, rank int) time.Duration {
			if epoch < 2 || rank == 0 || rng.IntN(200) > 0 {
				return -1
			}
			kills++
			return time.Duration(rng.Int64N(int64(c.Epoch)))
		}
		c.OnRequest = func(r Request) {
			requests++
			perRank[r.Rank]++
			if to, ok := last[r.Task.Origin]; ok && r.From < to+schedule.Default.Delay {
				violations++
			}
			last[r.Task.Origin] = max(last[r.Task.Origin], r.To)
		}
	})
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var sum epochs.Report
	for _, seal := range res.Seals {
		for _, r := range seal.Bundles {
			sum.Add(r)
		}
	}
	objects, size := 0, int64(0)
	for o, err := range shared.List(t.Context(), "epochs/") {
		must.Succeed(t, err)
		objects, size = objects+1, size+o.Size
	}
	least, most := requests, 0
	for name, n := range perRank {
		if name < "rank-016" { // not a replacement
			least, most = min(least, n), max(most, n)
		}
	}
	t.Logf("%v of virtual time in %v: %d ranks, %d epochs, %d kills; %d requests to %d hosts (%.1f/s), %d violations; %d pages, %d fetched again, yield %.2f %%; %d to %d requests of a rank; %d objects, %.1f bytes per page; %d MB of the system",
		res.Time.Round(time.Second), time.Since(began).Round(time.Second), ranks, len(res.Seals), kills, requests, len(last), float64(requests)/res.Time.Seconds(), violations,
		sum.Pages, res.Lost, 100*float64(sum.Clean)/max(float64(sum.Bytes), 1), least, most, objects, float64(size)/max(float64(sum.Pages), 1), memory.Sys>>20)
	twice := 0
	for _, n := range res.Fetched {
		if n > 1 {
			twice++
		}
	}
	if violations > 0 || twice > 0 || int64(len(res.Fetched)) != sum.Pages {
		t.Errorf("%d violations, %d pages count twice, %d pages, the reports count %d", violations, twice, len(res.Fetched), sum.Pages)
	}
	if sum.Pages == 0 || len(res.Seals) < int(night/(10*time.Minute)) && !res.Seals[len(res.Seals)-1].Done() {
		t.Errorf("%d pages, %d epochs", sum.Pages, len(res.Seals))
	}
}
