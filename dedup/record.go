package dedup

import (
	"encoding/binary"
	"math"
)

// PutDoc writes a document number into the first [DocBytes] bytes of b.
func PutDoc(b []byte, doc int64) {
	b[0] = byte(doc >> 32)
	binary.BigEndian.PutUint32(b[1:5], uint32(doc))
}

// DocAt reads a document number.
func DocAt(b []byte) int64 {
	return int64(b[0])<<32 | int64(binary.BigEndian.Uint32(b[1:5]))
}

// PutPara writes the number of a paragraph, token or n-gram within a document
// into the first [ParaBytes] bytes of b.
func PutPara(b []byte, para int32) { binary.BigEndian.PutUint32(b, uint32(para)) }

// ParaAt reads a number written by [PutPara].
func ParaAt(b []byte) int32 { return int32(binary.BigEndian.Uint32(b)) }

// marksTable holds the marks: document, paragraph + 1, and the fields of the mark.
var marksTable = Table{Name: "marks", Record: 32, Key: DocBytes + ParaBytes}

const noDoc = 1<<40 - 1

// put writes m as a record of marksTable.
func (m *Mark) put(b []byte) {
	PutDoc(b, m.Doc)
	binary.BigEndian.PutUint32(b[5:], uint32(m.Para+1))
	b[9] = byte(m.Reason) << 1
	if m.Drop {
		b[9] |= 1
	}
	binary.BigEndian.PutUint32(b[10:], math.Float32bits(m.Share))
	PutDoc(b[14:], m.First&noDoc)
	PutDoc(b[19:], m.Cluster&noDoc)
	binary.BigEndian.PutUint32(b[24:], uint32(m.Size))
	binary.BigEndian.PutUint32(b[28:], math.Float32bits(m.Similarity))
}

// get reads what put wrote.
func (m *Mark) get(b []byte) {
	doc := func(b []byte) int64 {
		if n := DocAt(b); n != noDoc {
			return n
		}
		return -1
	}
	*m = Mark{
		Doc: DocAt(b), Para: int32(binary.BigEndian.Uint32(b[5:])) - 1,
		Drop: b[9]&1 != 0, Reason: Reason(b[9] >> 1),
		Share: math.Float32frombits(binary.BigEndian.Uint32(b[10:])),
		First: doc(b[14:]), Cluster: doc(b[19:]),
		Size:       int32(binary.BigEndian.Uint32(b[24:])),
		Similarity: math.Float32frombits(binary.BigEndian.Uint32(b[28:])),
	}
}
