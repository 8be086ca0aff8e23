package schedule

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestTargetWeight fails if a site that links to untrusted sites does not lose weight, or if links to
// trusted sites add trust.
func TestTargetWeight(t *testing.T) {
	s := newScheduler(Default, nil, nil, nil)
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
	s := newScheduler(Default, nil, nil, nil)
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
	weights, err := ReadWeights(Default, &checkpoint)
	must.Succeed(t, err)
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
