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

// linesOfPage is the number of lines of a sample that are judged as one page.
const linesOfPage = 4096

// Calibration is what a sample of good text says of limits.
type Calibration struct {
	scores []float64 // of all units, ascending
}

// Calibrate scores a sample of good text with one block per line. The measure,
// unit and context are those of cfg, its limit plays no part.
func Calibrate(cfg Config, model, background Model, sample io.Reader) (*Calibration, error) {
	cfg.Limit = 2 // any
	l, err := NewWith(cfg, model, background)
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

// Limit returns the lowest limit that keeps at least the share keep of the
// units, 0 to 1.
func (c *Calibration) Limit(keep float64) float64 {
	n := int(math.Ceil(keep * float64(len(c.scores))))
	n = min(max(n, 1), len(c.scores))
	return math.Nextafter(c.scores[n-1], math.Inf(1))
}

// Kept returns the share of the units below a limit.
func (c *Calibration) Kept(limit float64) float64 {
	n, _ := slices.BinarySearch(c.scores, limit)
	return float64(n) / float64(len(c.scores))
}
