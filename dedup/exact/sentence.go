package exact

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/text/token"
)

// sentence is the hash of a sentence and its length.
type sentence struct {
	sum   [16]byte
	bytes int
}

// sentences emits the sentences of a paragraph. Tokens of a vertical are joined by
// spaces.
func (s *sketcher) sentences(d *records.Doc, para int, num int64, emit func(int) []byte) {
	text := d.Paras[para].Text
	if d.Tokenized {
		text = bytes.ReplaceAll(text, []byte{'\n'}, []byte{' '})
	}
	whole := string(text)
	s.spans = token.For(d.Lang).Sentences(whole, s.spans[:0])
	s.sums = s.sums[:0]
	total := 0
	for _, x := range s.spans {
		var n int
		s.text, n = s.m.fold.append(s.text[:0], text[x.Start:x.End])
		if n == 0 || n < s.m.cfg.MinWords {
			continue
		}
		s.sums = append(s.sums, sentence{xxh3.Hash128(s.text).Bytes(), len(s.text)})
		total += len(s.text)
	}
	for _, x := range s.sums {
		rec := emit(0)
		copy(rec, x.sum[:])
		dedup.PutDoc(rec[16:], num)
		dedup.PutPara(rec[16+dedup.DocBytes:], int32(para))
		binary.BigEndian.PutUint32(rec[25:], uint32(min(x.bytes, math.MaxUint32)))
		binary.BigEndian.PutUint32(rec[29:], uint32(min(total, math.MaxUint32)))
	}
}

// seenTable holds sentences that are in a better ranked document: document, paragraph,
// the better ranked document, bytes, bytes of all sentences of the paragraph.
var seenTable = dedup.Table{Name: "seen", Record: 2*dedup.DocBytes + dedup.ParaBytes + 8, Key: dedup.DocBytes + dedup.ParaBytes}

// groupSentences finds the sentences that are in better ranked text and marks each
// paragraph by its share of such sentences.
func (m *Method) groupSentences(ctx context.Context, g *dedup.Group) error {
	err := g.Step("sentences", func() error {
		out, err := g.NewTable(seenTable)
		if err != nil {
			return err
		}
		return m.copies(ctx, g, sentences.Name, func(c *found) error {
			if c.doc < g.Indexed() || c.stays || !g.Owns(c.doc) {
				return nil
			}
			b, err := out.Add(c.worker)
			if err != nil {
				return err
			}
			copy(b, c.rec[16:25])
			dedup.PutDoc(b[9:], c.best)
			copy(b[14:], c.rec[25:33])
			return nil
		})
	})
	if err != nil {
		return err
	}
	return g.Groups(seenTable.Name, func(_ int, group *dedup.Records) error {
		mark := dedup.Mark{First: -1, Cluster: -1}
		var seen, total uint64
		for rec, err := range group.All() {
			if err != nil {
				return err
			}
			if mark.First < 0 {
				mark.Doc, mark.Para, mark.First = dedup.DocAt(rec), dedup.ParaAt(rec[5:]), dedup.DocAt(rec[9:])
			}
			seen += uint64(binary.BigEndian.Uint32(rec[14:]))
			total = uint64(binary.BigEndian.Uint32(rec[18:]))
		}
		mark.Share = float32(min(float64(seen)/float64(max(total, 1)), 1))
		if mark.Drop = float64(mark.Share) >= m.cfg.Percent/100-1e-6; mark.Drop {
			mark.Reason = dedup.Same
		}
		return g.Mark(mark)
	})
}
