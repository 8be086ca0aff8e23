package sketch

import (
	"encoding/binary"
	"math"

	"chaffinch/internal/extsort"
)

// maxContext is the maximum number of headwords that share a context of the thesaurus. More
// frequent contexts say little about a word and make the search slow.
const maxContext = 10_000

// contexts writes the headwords of each context with their scores, for the thesaurus, and the sum of
// the scores of each headword.
func (b *builder) contexts(sorted *extsort.Sorted) error {
	in, err := sorted.Open()
	if err != nil {
		return err
	}
	b.w.Section("contexts")
	at := make([]uint64, b.key.Len()+1) // where the contexts of each collocate begin
	sums := make([]float64, b.key.Len())
	size, next := uint64(0), uint32(0)
	var ctx []byte // encoded heads and scores
	type member struct {
		head  uint32
		score float32
	}
	var members []member
	var key [inverseKey - 4]byte
	flush := func() error {
		if len(members) > 1 && len(members) <= maxContext {
			coll := binary.BigEndian.Uint32(key[:])
			for ; next <= coll; next++ {
				at[next] = size
			}
			ctx = ctx[:0]
			last := uint32(0)
			for _, m := range members {
				ctx = binary.AppendUvarint(ctx, uint64(m.head-last))
				ctx = binary.LittleEndian.AppendUint32(ctx, math.Float32bits(m.score))
				last = m.head
			}
			head := binary.AppendUvarint(nil, uint64(binary.BigEndian.Uint16(key[4:])))
			head = binary.AppendUvarint(head, uint64(binary.BigEndian.Uint32(key[6:])))
			head = binary.AppendUvarint(head, uint64(len(ctx)))
			for _, p := range [][]byte{head, ctx} {
				if _, err := b.w.Write(p); err != nil {
					return err
				}
				size += uint64(len(p))
			}
		}
		if len(members) <= maxContext {
			for _, m := range members {
				sums[m.head] += float64(m.score)
			}
		}
		members = members[:0]
		return nil
	}
	for n := 0; ; n++ {
		if n&0xfff == 0 && b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		rec, err := in.Next()
		if err != nil {
			return err
		}
		if rec == nil || string(rec[:len(key)]) != string(key[:]) {
			if n > 0 {
				if err := flush(); err != nil {
					return err
				}
			}
			if rec == nil {
				break
			}
			copy(key[:], rec)
		}
		head := binary.BigEndian.Uint32(rec[10:])
		f, total := float64(binary.BigEndian.Uint32(rec[14:])), float64(binary.BigEndian.Uint64(rec[18:]))
		coll := binary.BigEndian.Uint32(rec)
		if s := float32(aScore(f, total, float64(b.totals[coll]), float64(b.meta.Paired))); s > 0 && len(members) <= maxContext {
			members = append(members, member{head, s})
		}
	}
	for ; int(next) < len(at); next++ {
		at[next] = size
	}
	if err := b.array("contexts/at", at); err != nil {
		return err
	}
	b.w.Section("sums")
	var out []byte
	for _, s := range sums {
		out = binary.LittleEndian.AppendUint64(out[:0], math.Float64bits(s))
		if _, err := b.w.Write(out); err != nil {
			return err
		}
	}
	return nil
}
