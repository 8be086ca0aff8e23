package clean

import (
	"strings"

	"chaffinch/internal/align"
	"chaffinch/internal/pytext"
)

// measureSegments aligns the words of both texts with a marker before each segment and counts the
// markers that the alignment finds on both sides (Evert, section 5 and table 4; cleaneval.py).
// Bounds is the count with one marker for all types; each line of a prediction without types is
// then a segment.
func (g *Gold) measureSegments(p Prediction, s *Score) {
	if g.Segments == nil {
		return
	}
	s.Segmented = true
	segments := p.Segments
	if segments == nil {
		segments = lines(p.Text)
	} else {
		s.Typed = true
		s.Markers = alignMarkers(segments, g.Segments, func(kind byte) byte { return kind })
	}
	s.Bounds = alignMarkers(segments, g.Segments, func(byte) byte { return 'p' })
}

// lines returns a paragraph for each line with text. A line that begins with a marker has its type.
func lines(text string) []Segment {
	var out []Segment
	for line := range strings.Lines(text) {
		if line = pytext.Strip(line); line != "" {
			out = append(out, Segment{Kind: 'p', Text: line})
		}
	}
	return out
}

// markedLines parses segments in CleanEval's format: "<p>", "<h>" or "<l>" opens a segment. It
// returns nil for a text without markers.
func markedLines(text string) []Segment {
	at := marker().FindAllStringIndex(text, -1)
	if at == nil {
		return nil
	}
	out := []Segment{{Text: text[:at[0][0]]}}
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		out = append(out, Segment{Kind: text[m[0]+1] | 0x20, Text: text[m[1]:end]})
	}
	return out
}

// alignMarkers aligns two texts with their markers as words and counts the markers.
func alignMarkers(predicted, gold []Segment, kind func(byte) byte) Counts {
	var v align.Vocabulary
	// Words contain no space, so that no word equals a marker.
	first := v.ID(" p")
	v.ID(" h")
	v.ID(" l")
	tokens := func(ss []Segment) (out []int32, markers int) {
		for _, s := range ss {
			if s.Kind != 0 {
				out = append(out, v.ID(" "+string(rune(kind(s.Kind)))))
				markers++
			}
			out = append(out, v.IDs(alignmentWords(s.Text))...)
		}
		return out, markers
	}
	a, n := tokens(predicted)
	b, m := tokens(gold)
	c := Counts{}
	for _, x := range align.Blocks(a, b) {
		for _, s := range a[x.A : x.A+x.Len] {
			if s >= first && s < first+3 {
				c.TP++
			}
		}
	}
	c.FP, c.FN = n-c.TP, m-c.TP
	return c
}
