package schedule

import (
	"math"
	"slices"
)

// site is a registered domain. Trust spreads from the seeds over the links between sites, so that
// many hosts of a domain count once.
type site struct {
	number uint32
	hosts  int32
	savedSite
}

// savedSite is the part of a site in a checkpoint.
type savedSite struct {
	Trust    float64  // trust that it has received and passed on
	Residual float64  // trust that it has received but not passed on
	Targets  []uint32 // sites that it links to, the first maxTargets
}

const (
	// maxTargets is the number of sites that a site passes trust to. Each gets an equal part, so that a
	// new link takes nothing back from earlier ones.
	maxTargets = 32
	// damping is the share of its trust that a site passes on, if it links to maxTargets sites.
	damping = .85
	// minResidual is the least trust that is passed on at once.
	minResidual = 1e-5
	// maxPushes is the most sites that pass on trust after a link.
	maxPushes = 64
)

// site returns the site of a host, and adds it if necessary.
func (s *Scheduler) site(host string) *site {
	key := siteKey(host)
	x := s.sites[key]
	if x == nil {
		x = &site{number: uint32(len(s.siteList))}
		s.sites[key] = x
		s.siteList = append(s.siteList, x)
	}
	return x
}

// trust passes trust along a link: a bounded, incremental forward push (Andersen, Chung and Lang,
// "Local Graph Partitioning using PageRank Vectors", 2006). A seed, with from nil, is trusted.
func (s *Scheduler) trust(from, to *Host) {
	x := to.site
	if from == nil {
		if x.Trust+x.Residual < 1 { // many pages of a site count once
			x.Residual++
		}
	} else {
		f := from.site
		if f == x || len(f.Targets) == maxTargets || slices.Contains(f.Targets, x.number) {
			return
		}
		f.Targets = append(f.Targets, x.number)
		x.Residual += f.Trust * (damping / maxTargets)
	}
	s.pushing = append(s.pushing[:0], x)
	for i := 0; i < len(s.pushing) && i < maxPushes; i++ {
		x := s.pushing[i]
		r := x.Residual
		if r < minResidual {
			continue
		}
		x.Trust, x.Residual = x.Trust+r, 0
		for _, n := range x.Targets {
			y := s.siteList[n]
			y.Residual += r * (damping / maxTargets)
			if y.Residual >= minResidual {
				s.pushing = append(s.pushing, y)
			}
		}
	}
}

// addTrust records the trust of the host of a page.
func (t *Totals) addTrust(trust float64, clean int64) {
	const keep = 1 - 1./recentPages
	t.TrustSum = float64(keep*t.TrustSum) + float64(float64(clean)*math.Log(trust+minResidual))
	t.TrustWeight = float64(keep*t.TrustWeight) + float64(clean)
}

// trustWeight returns the weight of a host by the trust of its site, at most 1: the fourth root of its
// ratio to the mean of recent clean text. It was chosen by simulation (lab/results/crawl.md).
func trustWeight(h *Host, t *Totals) float64 {
	if t.TrustWeight == 0 {
		return 1
	}
	mean := math.Exp(t.TrustSum / t.TrustWeight)
	x := (h.site.Trust + h.site.Residual + minResidual) / mean
	return math.Sqrt(math.Sqrt(min(x, 1)))
}
