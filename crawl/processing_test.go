package crawl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// Variables of a process that crawls the small web and dies on the way.
const (
	dieIn    = "CHAFFINCH_TEST_DIR"
	diePage  = "CHAFFINCH_TEST_PAGE"  // dies while it processes this page
	dieAfter = "CHAFFINCH_TEST_AFTER" // dies at this change of the disk
)

// died is the status of the process then.
const died = 3

// TestMain crawls and dies if the variables say so.
func TestMain(m *testing.M) {
	if os.Getenv(dieIn) == "" {
		os.Exit(m.Run())
	}
	disk.Lazy()
	whileProcessing = func(url string) {
		if url == os.Getenv(diePage) {
			os.Exit(died)
		}
	}
	var left atomic.Int64
	n, _ := strconv.Atoi(os.Getenv(dieAfter))
	left.Store(int64(n))
	if n > 0 {
		disk.Watch(func(disk.Op, string) error {
			if left.Add(-1) == 0 {
				os.Exit(died)
			}
			return nil
		})
	}
	os.Args = append(os.Args[:1], "-test.run=^TestCrawlAndDie$")
	os.Exit(m.Run())
}

// TestCrawlAndDie is the crawl of such a process.
func TestCrawlAndDie(t *testing.T) {
	dir := os.Getenv(dieIn)
	if dir == "" {
		return // no such process
	}
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(dir, newSmallNet())
		cfg.Workers, cfg.CheckpointEvents = 3, 60
		cfg.OnError = func(e *page.Error) { fmt.Println("error:", e) }
		if report, err := Run(t.Context(), cfg); err != nil || report.Reason != Exhausted {
			t.Errorf("%+v, %v", report, err)
		}
	})
}

// crawlAndDie runs such a process and reports whether it died.
func crawlAndDie(t *testing.T, dir, variable, value string) (dead bool, output string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), dieIn+"="+dir, variable+"="+value)
	b, err := c.CombinedOutput()
	var exit *exec.ExitError
	if dead = errors.As(err, &exit) && exit.ExitCode() == died; !dead && err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return dead, string(b)
}

// TestDeadlyPage wants a page on which the process dies each time to be given up, and all
// others to be crawled.
func TestDeadlyPage(t *testing.T) {
	testkit.Slow(t)
	const deadlyPage = "http://h1.example/p4"
	dir := t.TempDir()
	deaths, output := 0, ""
	for dead := true; dead; {
		if dead, output = crawlAndDie(t, dir, diePage, deadlyPage); dead {
			if deaths++; deaths > 10 {
				t.Fatal("the process dies each time")
			}
		}
	}
	if deaths != 1+deadly {
		t.Errorf("%d processes died, wanted %d", deaths, 1+deadly)
	}
	if want := "error: document " + deadlyPage; !strings.Contains(output, want) || !strings.Contains(output, "the program ended 2 times while processing only this page") {
		t.Errorf("no %q in %q", want, output)
	}
	h := must.Get(ReadHistory(t.Context(), dir, nil))(t)
	if s := h.Snapshot(); s.Reasons["failed"] != 1 || s.Langs["en"] != netHosts*(netPages+1)-1 {
		t.Errorf("%+v", s)
	}
	if dead, _ := crawlAndDie(t, dir, diePage, deadlyPage); dead {
		t.Error("the page is tried again")
	}
}

// TestManyDeaths lets processes die at 30 random changes of the disk and wants no page to be
// lost.
func TestManyDeaths(t *testing.T) {
	testkit.Slow(t)
	dir, rng := t.TempDir(), rand.New(rand.NewPCG(30, 30))
	for deaths := 0; deaths < 30; deaths++ {
		if dead, _ := crawlAndDie(t, dir, dieAfter, strconv.Itoa(10+rng.IntN(40))); !dead {
			t.Logf("all is crawled after %d deaths", deaths)
			break
		}
	}
	for dead := true; dead; {
		dead, _ = crawlAndDie(t, dir, diePage, "none")
	}
	checkCrawl(t, dir, newSmallNet(), 1)
	h, err := ReadHistory(t.Context(), dir, nil)
	if err != nil || h.Snapshot().Reasons["failed"] != 0 {
		t.Errorf("%+v, %v", h.Snapshot(), err)
	}
}

// TestSuspects wants a suspect to be processed while nothing else is, and to be one no longer
// afterwards.
func TestSuspects(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	open := func() *processing {
		return must.Get(openProcessing(dir, 2))(t)
	}
	begin := func(ctx context.Context, p *processing, url string) func() error {
		done, ok, err := p.begin(ctx, url)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", url, ok, err)
		}
		return done
	}
	end := func(done func() error) {
		must.Succeed(t, done())
	}
	p := open()
	begin(t.Context(), p, "a")
	end(begin(t.Context(), p, "b"))
	begin(t.Context(), p, "c")
	p.close() // as if the process had died
	p = open()
	if len(p.suspects) != 2 {
		t.Fatalf("%d suspects", len(p.suspects))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := begin(ctx, p, "a")
	if len(p.free) > 0 {
		t.Error("others may be processed beside a suspect")
	}
	cancel() // an interruption
	end(done)
	if _, ok, err := p.begin(ctx, "c"); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	end(begin(t.Context(), p, "d"))
	end(begin(t.Context(), p, "c"))
	end(begin(t.Context(), p, "c"))
	for range deadly {
		p.close()
		p = open()
		if len(p.suspects) != 1 || p.checkGivenUp("a") != nil {
			t.Fatalf("%d suspects, %v", len(p.suspects), p.checkGivenUp("a"))
		}
		begin(t.Context(), p, "a")
	}
	p.close()
	if p = open(); p.checkGivenUp("a") == nil || p.checkGivenUp("b") != nil {
		t.Errorf("%v, %v", p.checkGivenUp("a"), p.checkGivenUp("b"))
	}
	p.close()
}
