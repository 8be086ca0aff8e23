package tokenizer

import (
	"math"
	"slices"
	"unicode/utf8"
)

// unknownPenalty is the difference between the lowest score of the pieces and the score of an
// unknown character (SentencePiece, kUnkPenalty).
const unknownPenalty = 10

// unigram is a unigram language model over pieces (Kudo 2018, Subword Regularization, section 3.2).
// The best tokenization of a text has the highest sum of the log probabilities of its pieces.
type unigram struct {
	trie     *trie
	scores   []float64 // log probability by id
	unknown  int32     // id of the unknown piece, or -1
	unkScore float64
	bytes    *[256]int32 // ids of the pieces <0x00> to <0xFF>, -1 if missing; nil without byte fallback
}

// piece is an entry of the vocabulary.
type piece struct {
	text  string
	score float64
}

// newUnigram returns the model of a vocabulary. A duplicate text has the later id.
func newUnigram(vocab []piece, unknown int32, byteFallback bool) *unigram {
	u := &unigram{unknown: unknown, scores: make([]float64, len(vocab))}
	order := make([]int32, 0, len(vocab))
	lowest := math.Inf(1)
	for i, p := range vocab {
		u.scores[i] = p.score
		lowest = min(lowest, p.score)
		if p.text != "" {
			order = append(order, int32(i))
		}
	}
	u.unkScore = lowest - unknownPenalty
	slices.SortStableFunc(order, func(a, b int32) int {
		switch x, y := vocab[a].text, vocab[b].text; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	var texts []string
	var ids []int32
	for i, id := range order {
		if i > 0 && vocab[id].text == texts[len(texts)-1] {
			ids[len(ids)-1] = id
			continue
		}
		texts = append(texts, vocab[id].text)
		ids = append(ids, id)
	}
	u.trie = buildTrie(texts, ids)
	if byteFallback {
		u.bytes = new([256]int32)
		const hex = "0123456789ABCDEF"
		name := []byte("<0x00>")
		for c := range u.bytes {
			name[3], name[4] = hex[c>>4], hex[c&15]
			u.bytes[c] = u.trie.find(name)
		}
	}
	return u
}

// lattice holds the state of the search for the best path: for each position, the best path that
// ends there.
type lattice struct {
	nodes []latticeNode
}

type latticeNode struct {
	score float64 // of the best path from the start
	start int32   // start of its last piece; -1 if no path ends here
	id    int32
}

// encode appends the ids of the pieces of text, which is valid UTF-8, to dst. A run of unknown
// characters is one unknown piece, or with byte fallback the pieces of its bytes.
func (u *unigram) encode(dst []int64, text []byte, l *lattice) []int64 {
	n := len(text)
	if n == 0 {
		return dst
	}
	if cap(l.nodes) < n+1 {
		l.nodes = make([]latticeNode, n+1+n/2)
	}
	nodes := l.nodes[:n+1]
	for i := range nodes {
		nodes[i] = latticeNode{start: -1}
	}
	arcs, scores := u.trie.nodes, u.scores
	for at := 0; at < n; {
		width := 1
		if text[at] >= utf8.RuneSelf {
			_, width = utf8.DecodeRune(text[at:])
		}
		here := nodes[at].score
		single := false
		state := int32(0)
		for end := at; end < n; {
			next := arcs[state].base + int32(text[end])
			if int(next) >= len(arcs) || arcs[next].check != state+1 {
				break
			}
			state = next
			end++
			id := arcs[state].id
			if id < 0 {
				continue
			}
			target := &nodes[end]
			if s := scores[id] + here; target.start < 0 || s > target.score {
				*target = latticeNode{s, int32(at), id}
			}
			single = single || end-at == width
		}
		if !single {
			target := &nodes[at+width]
			if s := u.unkScore + here; target.start < 0 || s > target.score {
				*target = latticeNode{s, int32(at), u.unknown}
			}
		}
		at += width
	}
	// Follow the path backwards, then reverse it.
	from := len(dst)
	for end := n; end > 0; {
		node := nodes[end]
		if node.id != u.unknown {
			dst = append(dst, int64(node.id))
			end = int(node.start)
			continue
		}
		start := int(node.start)
		for start > 0 && nodes[start].id == u.unknown {
			start = int(nodes[start].start)
		}
		dst = u.appendUnknown(dst, text[start:end])
		end = start
	}
	slices.Reverse(dst[from:])
	return dst
}

// appendUnknown appends, in reverse order, the pieces for text without pieces.
func (u *unigram) appendUnknown(dst []int64, text []byte) []int64 {
	// The whole run may be a piece, such as the text of the unknown piece.
	if id := u.trie.find(text); id >= 0 {
		return append(dst, int64(id))
	}
	if u.bytes != nil {
		from := len(dst)
		for _, c := range slices.Backward(text) {
			id := u.bytes[c]
			if id < 0 {
				dst = dst[:from]
				return append(dst, int64(u.unknown))
			}
			dst = append(dst, int64(id))
		}
		return dst
	}
	return append(dst, int64(u.unknown))
}
