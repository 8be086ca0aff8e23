package schedule

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"chaffinch/internal/testkit/must"
)

// TestTargetWeight fails if a site that links to untrusted sites does not lose weight, or if links to
// trusted sites add trust.
func TestTargetWeight(t *testing.T) {
	s := newScheduler(Default, newTables("", 0), nil, nil, nil)
	defer s.memory.Close()
	seed, good, spam := s.host("seed.example"), s.host("good.example"), s.host("spam.example")
	s.trustSeed(seed.site)
	s.trust(seed.site, good.site)
	s.trust(seed.site, spam.site)
	trust := spam.site.Trust
	for i := range maxTargets {
		known := s.host(fmt.Sprintf("known-%d.example", i))
		s.trust(seed.site, known.site)
		s.trust(good.site, known.site)
		s.trust(spam.site, s.host(fmt.Sprintf("farm-%d.example", i)).site)
	}
	for _, h := range []*Host{seed, good, spam} {
		s.measureTargets(h.site)
	}
	s.totals.addTrust(good.site, 1000)
	if g, w := targetWeight(good.site, &s.totals), targetWeight(spam.site, &s.totals); g != 1 || w > .5 {
		t.Errorf("weights of a site that links to trusted sites: %.3f, to others: %.3f", g, w)
	}
	if good.site.Trust != trust || spam.site.Trust != trust {
		t.Errorf("trust %v before, %v with links to trusted sites, %v with links to others", trust, good.site.Trust, spam.site.Trust)
	}
	few := s.host("few.example")
	s.trust(few.site, s.host("farm-0.example").site)
	s.measureTargets(few.site)
	if few, many := targetWeight(few.site, &s.totals), targetWeight(spam.site, &s.totals); few <= many || few >= 1 {
		t.Errorf("weight of a site with one link to an untrusted site: %.3f, with %d: %.3f", few, maxTargets, many)
	}
}

// TestRemoteTrust fails if links from other processes make a site a seed.
func TestRemoteTrust(t *testing.T) {
	s := newScheduler(Default, newTables("", 0), nil, nil, nil)
	defer s.memory.Close()
	seed, remote := s.host("seed.example"), s.host("remote.example")
	s.trustSeed(seed.site)
	for range 10 {
		s.totals.addTrust(seed.site, 1000)
	}
	s.recordLink(nil, remote, &Link{Depth: 3})
	one := remote.site.Trust
	for range 1000 {
		s.recordLink(nil, remote, &Link{Depth: 3})
	}
	if many := remote.site.Trust; one <= 0 || one > passed*1.01 || many <= one || many > seed.site.Trust+minResidual {
		t.Errorf("trust after a link from another process: %v, after 1,001: %v, of a seed: %v", one, many, seed.site.Trust)
	}
}

// TestReadWeights fails if the weights in a checkpoint are not those of the scheduler that wrote it.
func TestReadWeights(t *testing.T) {
	s, _ := openWorld(t, Default, 40)
	defer s.Close()
	w := &world{rng: rand.New(rand.NewPCG(5, 5)), hosts: 40}
	_, now := w.crawl(t, s, 0, 800, func(result) {})
	var checkpoint bytes.Buffer
	must.Succeed(t, s.Save(now, &checkpoint))
	weights := must.Get(ReadWeights(Default, &checkpoint))(t)
	distrusted := 0
	for _, h := range s.Hosts() {
		want := weigh(h, &s.totals)
		if got, ok := weights[h.Name]; !ok || got != want {
			t.Errorf("%s: %+v, want %+v", h.Name, got, want)
		}
		if want.Trust < 1 && want.Targets < 1 {
			distrusted++
		}
	}
	if distrusted == 0 || len(weights) != s.HostCount() {
		t.Errorf("%d weights of %d hosts, %d below 1", len(weights), s.HostCount(), distrusted)
	}
}

// TestDoubt fails if pages without the words of links do not reduce the trust of a site, or if a site
// whose pages have them again does not regain it.
func TestDoubt(t *testing.T) {
	s := newScheduler(Default, newTables("", 0), nil, nil, nil)
	defer s.memory.Close()
	h := s.host("seed.example")
	s.trustSeed(h.site)
	h.site.test(0)
	for range 100 {
		s.totals.addTrust(h.site, 1000)
	}
	before := trustWeight(h.site, &s.totals)
	for range 3 {
		h.site.test(-1)
	}
	if w := trustWeight(h.site, &s.totals); before < .999 || w > .1 {
		t.Errorf("weight %.3f of a seed, %.3f with three pages without the words of links", before, w)
	}
	for range 2 * maxDoubt {
		h.site.test(1)
	}
	if w := trustWeight(h.site, &s.totals); w < .999 {
		t.Errorf("weight %.3f after %d pages with the words of links", w, 2*maxDoubt)
	}
}

// TestRedirectedWords fails if the target of a redirect loses the words of the link, or if other links of
// a page have them.
func TestRedirectedWords(t *testing.T) {
	for _, redirected := range []bool{true, false} {
		s, _ := openWorld(t, Default, 3)
		defer s.Close()
		must.Succeed(t, s.Add(0, []Link{{Origin: "http://a.example", Path: "/old", Words: 7}}))
		words := map[string]uint32{}
		for now := time.Duration(0); len(words) < 2; now += time.Minute {
			task, ok, _, err := s.Take(now)
			must.Succeed(t, err)
			if !ok {
				continue
			}
			o := Outcome{Host: task.Host, Took: time.Second, Address: "192.0.2.1"}
			if task.Kind == Page {
				words[task.Path] = task.Words
				o.Links, o.Redirected = []Link{{Origin: "http://a.example", Path: "/new"}}, redirected
			}
			must.Succeed(t, s.Done(now, o))
		}
		want := map[string]uint32{"/old": 7, "/new": 0}
		if redirected {
			want["/new"] = 7
		}
		if !maps.Equal(words, want) {
			t.Errorf("redirected %v: words %v, want %v", redirected, words, want)
		}
	}
}

// TestEndlessRedirects fails if a chain of redirects without an end is followed further than browsers do.
func TestEndlessRedirects(t *testing.T) {
	s, _ := openWorld(t, Default, 3)
	defer s.Close()
	must.Succeed(t, s.Add(0, []Link{{Origin: "http://a.example", Path: "/0"}}))
	requests := 0
	for now := time.Duration(0); now < 2*time.Hour; now += time.Minute {
		task, ok, _, err := s.Take(now)
		must.Succeed(t, err)
		if !ok {
			continue
		}
		o := Outcome{Host: task.Host, Took: time.Second, Address: "192.0.2.1"}
		if task.Kind == Page {
			requests++
			o.Links, o.Redirected = []Link{{Origin: "http://a.example", Path: fmt.Sprintf("/%d/", requests)}}, true
		}
		must.Succeed(t, s.Done(now, o))
	}
	if excluded := s.Excluded(); requests != maxRedirects+1 || excluded[Redirects] != 1 {
		t.Errorf("%d requests, want %d; excluded %v", requests, maxRedirects+1, excluded)
	}
}
