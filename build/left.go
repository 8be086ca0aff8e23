package build

import (
	"strings"
	"time"

	"chaffinch/pipeline"
)

// shares are the relative times of steps, by prefix of their names. They are rough figures
// of a corpus of English pages, used only to estimate the remaining time.
var shares = []struct {
	name  string
	share float64
}{{"clean", 100}, {"filter", 12}, {"dedup", 10}, {"vertical", 12}, {"index", 10}, {"export", 5}}

func shareOf(name string) float64 {
	for _, s := range shares {
		if strings.HasPrefix(name, s.name) {
			return s.share
		}
	}
	return 1
}

// pace estimates the remaining time from the completed steps.
type pace struct {
	seconds, share float64 // sums over the completed steps
	later          float64 // sum of the shares of the steps after the running one
	step           PlannedStep
	begun          time.Time
	part           string // first part of the running step, which takes nearly all of its time
	base           int64  // bytes done before this run
}

// begin sets the running step.
func (p *pace) begin(b *builder, st PlannedStep) {
	*p = pace{step: st, begun: time.Now()}
	for i, s := range b.steps {
		switch e := b.ledger.entry(s.name); {
		case i >= st.Number:
			p.later += shareOf(s.name)
		case e != nil && e.Done:
			p.seconds += e.Cost.Seconds
			p.share += shareOf(s.name)
		}
	}
}

// left returns the estimated remaining time of the running step and the later steps. done
// and total are the progress of a part of the running step.
func (p *pace) left(part string, done, total int64) time.Duration {
	if p.part == "" {
		p.part, p.base = part, max(done, 0)
	}
	spent, own := time.Since(p.begun).Seconds(), shareOf(p.step.Name)
	unit := 0.0 // seconds per share
	switch {
	case p.share > 0:
		unit = p.seconds / p.share
	case part != p.part:
		unit = spent / own
	case done > p.base && total > 0:
		each := spent / float64(done-p.base)
		unit = float64(each*float64(total)) / own
		return time.Duration((float64(each*float64(max(total-done, 0))) + float64(p.later*unit)) * float64(time.Second))
	}
	return time.Duration((max(0, float64(own*unit)-spent) + float64(p.later*unit)) * float64(time.Second))
}

// reportProgress reports the progress of a part of the running step.
func (b *builder) reportProgress(s pipeline.Status) {
	step := b.pace.step
	s.Step, s.Number, s.Steps, s.Part = step.Name, step.Number, step.Steps, s.Step
	s.SecondsLeft = b.pace.left(s.Part, s.Done, s.Total).Seconds()
	b.heart.update(s)
	b.Notify(s)
}
