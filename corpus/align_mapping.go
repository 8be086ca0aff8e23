package corpus

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteMapping writes the alignment as a mapping file of Manatee, which [AlignConfig.Mapping] reads.
// Each segment of both corpora is in one line.
func (a *Alignment) WriteMapping(w io.Writer) error {
	out := bufio.NewWriter(w)
	paired := newIDSet(a.other.unit.Len(), nil)
	for b := range a.beads {
		for s := a.other.starts.At(b); s < a.other.ends.At(b); s++ {
			paired.add(uint32(s))
		}
	}
	own, other := 0, 0 // segments up to here are written, or in a later bead
	alone := func(end, otherEnd int) {
		for ; own < end; own++ {
			fmt.Fprintf(out, "%d\t-1\n", own)
		}
		for ; other < otherEnd; other++ {
			if !paired.has(uint32(other)) {
				fmt.Fprintf(out, "-1\t%d\n", other)
			}
		}
	}
	for b := range a.beads {
		start, end, otherStart, otherEnd := a.Segments(b)
		alone(start, otherStart)
		fmt.Fprintf(out, "%s\t%s\n", segmentRange(start, end), segmentRange(otherStart, otherEnd))
		own = end
	}
	alone(a.own.unit.Len(), a.other.unit.Len())
	return out.Flush()
}

// segmentRange writes segments as 5 or 2,4.
func segmentRange(start, end int) string {
	if end == start+1 {
		return strconv.Itoa(start)
	}
	return fmt.Sprintf("%d,%d", start, end-1)
}
