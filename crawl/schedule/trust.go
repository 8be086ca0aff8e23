package schedule

import (
	"math"
	"slices"
)

// site is a registered domain. Trust spreads from the seeds over the links between sites, so that
// many hosts of a domain count once.
type site struct {
	key      uint64  // hash of its registered domain
	Trust    float64 // trust that it has received and passed on
	Residual float64 // trust that it has received but not passed on
	// TargetTrust is the mean logarithm of the trust of the targets, measured after each page.
	TargetTrust float64
	few         *[fewTargets]uint32 // the targets, sites that it links to, if there are few
	many        *[maxTargets]uint32 // or else
	number      uint32
	hosts       uint32
	links       uint32 // number of targets
	// Doubt rises with each page without a word of the first link from another site to it, and falls with
	// each page that contains one: from -maxDoubt to maxDoubt.
	Doubt int8
}

// targets returns the numbers of the first maxTargets sites that a site links to.
func (x *site) targets() []uint32 {
	switch {
	case x.few != nil:
		return x.few[:x.links]
	case x.many != nil:
		return x.many[:x.links]
	}
	return nil
}

const (
	// maxTargets is the number of sites that a site passes trust to. Each gets an equal part, so that a
	// new link takes nothing back from earlier ones.
	maxTargets = 32
	// damping is the share of its trust that a site passes on, if it links to maxTargets sites.
	damping = .85
	// passed is the share of its trust that a site passes to each target.
	passed = damping / maxTargets
	// minResidual is the least trust that is passed on at once.
	minResidual = 1e-5
	// maxPushes is the most sites that pass on trust after a link.
	maxPushes = 64
	// priorTargets is the number of targets of mean trust that a site is assumed to have in addition.
	priorTargets = 16

	// maxDoubt bounds the doubt about a site, so that a site that changes is judged again.
	maxDoubt = 8
	// mismatch is the doubt that a page without a word of the link adds. A page with one removes 1, since
	// spam sites write links to each other.
	mismatch = 4
	// priorOdds are the odds that links to a site were made for earlier content, without doubt.
	priorOdds = .2
)

// trust passes trust along a link: a bounded, incremental forward push (Andersen, Chung and Lang,
// "Local Graph Partitioning using PageRank Vectors", 2006).
func (s *Scheduler) trust(from, to *site) {
	if from == to || from.links == maxTargets || slices.Contains(from.targets(), to.number) {
		return
	}
	s.addTarget(from, to.number)
	s.addResidual(to, from.Trust*passed)
}

// trustSeed trusts the site of a seed. Many pages of a site count once.
func (s *Scheduler) trustSeed(x *site) {
	if x.Trust+x.Residual < 1 {
		s.addResidual(x, 1)
	}
}

// trustRemote passes trust along a link from another process, whose site is unknown. Such links never
// raise the trust of a site above the mean.
func (s *Scheduler) trustRemote(x *site) {
	mean := math.Exp(s.totals.Trust.mean())
	s.addResidual(x, max(min(float64(mean*passed), mean-x.Trust-x.Residual), 0))
}

// addResidual adds trust to a site, and passes on the trust of the sites that it reaches.
func (s *Scheduler) addResidual(x *site, trust float64) {
	x.Residual += trust
	s.pushing = append(s.pushing[:0], x)
	for i := 0; i < len(s.pushing) && i < maxPushes; i++ {
		x := s.pushing[i]
		r := x.Residual
		if r < minResidual {
			continue
		}
		x.Trust, x.Residual = x.Trust+r, 0
		for _, n := range x.targets() {
			y := s.sites.At(int(n))
			y.Residual += float64(r * passed)
			if y.Residual >= minResidual {
				s.pushing = append(s.pushing, y)
			}
		}
	}
}

// measureTargets measures the trust of the sites that a site links to.
func (s *Scheduler) measureTargets(x *site) {
	sum := 0.
	for _, n := range x.targets() {
		sum += s.sites.At(int(n)).logTrust()
	}
	x.TargetTrust = sum / float64(max(x.links, 1))
}

// test records whether a page contains a word of a link from another site, see Outcome.Match. An expired
// domain keeps the links to its earlier content, but its pages are about something else.
func (x *site) test(match int8) {
	switch {
	case match > 0:
		x.Doubt = max(x.Doubt-1, -maxDoubt)
	case match < 0:
		x.Doubt = min(x.Doubt+mismatch, maxDoubt)
	}
}

// logTrust returns the logarithm of the trust of a site, reduced by doubt: times the square of the
// probability that links to the site are about its content. Each unit of doubt doubles the odds against it.
func (x *site) logTrust() float64 {
	return math.Log(x.Trust+x.Residual+minResidual) - float64(2*math.Log1p(math.Ldexp(priorOdds, int(x.Doubt))))
}

// recentMean is a mean of recent values, with decreasing weight of older ones.
type recentMean struct{ Sum, Weight float64 }

func (m *recentMean) add(x, weight float64) {
	const keep = 1 - 1./recentPages
	m.Sum = float64(keep*m.Sum) + float64(weight*x)
	m.Weight = float64(keep*m.Weight) + weight
}

// mean returns the mean, 0 without values.
func (m *recentMean) mean() float64 {
	if m.Weight == 0 {
		return 0
	}
	return m.Sum / m.Weight
}

// addTrust records the trust of the site of a page with clean bytes of text.
func (t *Totals) addTrust(x *site, clean int64) {
	t.Trust.add(x.logTrust(), float64(clean))
	if x.links > 0 {
		t.TargetTrust.add(x.TargetTrust, float64(clean))
	}
}

// trustWeight returns the weight of a site by its trust, at most 1: the square root of its ratio to the
// mean of recent clean text. It was chosen by simulation (lab/results/crawl.md).
func trustWeight(x *site, t *Totals) float64 {
	return math.Sqrt(t.Trust.ratio(x.logTrust(), 1))
}

// targetWeight returns the weight of a site by the trust of the sites that it links to, at most 1: the
// ratio to the mean of recent clean text. Spam sites link to each other, and hardly any trusted site
// links to them. A site cannot gain weight by links to trusted sites.
func targetWeight(x *site, t *Totals) float64 {
	n := float64(x.links)
	return t.TargetTrust.ratio(x.TargetTrust, n/(n+priorTargets))
}

// ratio returns the ratio of exp(x) to the exponential of the mean to a power, at most 1.
func (m *recentMean) ratio(x, power float64) float64 {
	if m.Weight == 0 || power == 0 {
		return 1
	}
	return math.Exp(min(float64(power*(x-m.mean())), 0))
}
