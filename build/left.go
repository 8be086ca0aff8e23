package build

import (
	"strings"
	"time"
)

// Progress tells how far a build is.
type Progress struct {
	// Step is the status of the step at work, What the part of it that is being
	// done.
	Step Status
	What string
	// Done and Total are what is done of this part and of how much, in bytes; Total is
	// -1 if it is not known.
	Done, Total int64
	// Left is how long all steps that are to be done will still take, 0 if that is not
	// known. It supposes that steps take time as they do elsewhere in relation to each
	// other.
	Left time.Duration
}

// shares are what steps take in relation to each other, by the beginning of their
// names: rough figures of a corpus of English pages. They only guess the time left.
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

// pace tells from the steps that are done how long the others will take.
type pace struct {
	seconds, share float64 // of the steps that are done, together
	later          float64 // share of the steps behind the one at work
	step           Status
	begun          time.Time
	part           string // the first of the step at work, which takes nearly all of its time
	base           int64  // what was done of it before this run
}

// begin makes a step the one at work.
func (p *pace) begin(b *builder, st Status) {
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

// left is how long the step at work and those behind it will take, where so much of
// a part of it is done.
func (p *pace) left(part string, done, total int64) time.Duration {
	if p.part == "" {
		p.part, p.base = part, max(done, 0)
	}
	spent, own := time.Since(p.begun).Seconds(), shareOf(p.step.Name)
	unit := 0.0 // seconds of a share
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

// tell tells of progress.
func (b *builder) tell(what string, done, total int64) {
	p := Progress{Step: b.pace.step, What: what, Done: done, Total: total, Left: b.pace.left(what, done, total)}
	b.heart.tell(p)
	if b.Progress != nil {
		b.Progress(p)
	}
}
