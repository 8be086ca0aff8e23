package perplexity

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"chaffinch/page"
)

// maxLine is the longest line of a sample, in bytes.
const maxLine = 16 << 20

// linesOfPage is the number of sample lines that are scored as one page.
const linesOfPage = 4096

// Calibration holds the scores of a sample of good text. It derives limits from them.
type Calibration struct {
	scores []float64 // of all units, ascending
}

// Calibrate scores a sample of good text with one block per line. It uses the measure, unit
// and context of cfg and ignores its limit. It is an error if the sample has no text.
func Calibrate(cfg Config, model, background Model, sample io.Reader) (*Calibration, error) {
	cfg.Limit = 2 // any
	l, err := newWith(cfg, model, background)
	if err != nil {
		return nil, err
	}
	var c Calibration
	var p page.Page
	flush := func() {
		units, _ := l.units(context.Background(), &p)
		for _, v := range smooth(units, l.cfg.Reach) {
			c.scores = append(c.scores, l.score(v))
		}
		p.Blocks = p.Blocks[:0]
	}
	s := bufio.NewScanner(sample)
	s.Buffer(make([]byte, 1<<16), maxLine)
	line := 0
	for s.Scan() {
		line++
		p.Blocks = append(p.Blocks, page.Block{Text: s.Text()})
		if len(p.Blocks) == linesOfPage {
			flush()
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("perplexity: sample after line %d: %w", line, err)
	}
	flush()
	if len(c.scores) == 0 {
		return nil, errors.New("perplexity: the sample has no text")
	}
	slices.Sort(c.scores)
	return &c, nil
}

// Units returns the number of units in the sample.
func (c *Calibration) Units() int { return len(c.scores) }

// Limit returns the lowest limit that keeps at least the share keep of the units, from 0 to
// 1.
func (c *Calibration) Limit(keep float64) float64 {
	n := int(math.Ceil(keep * float64(len(c.scores))))
	n = min(max(n, 1), len(c.scores))
	return math.Nextafter(c.scores[n-1], math.Inf(1))
}

// Kept returns the share of units with a score below limit, from 0 to 1.
func (c *Calibration) Kept(limit float64) float64 {
	n, _ := slices.BinarySearch(c.scores, limit)
	return float64(n) / float64(len(c.scores))
}
