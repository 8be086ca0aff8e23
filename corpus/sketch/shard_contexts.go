package sketch

import (
	"context"
	"fmt"

	"chaffinch/corpus"
)

// Operations of shards for the thesaurus. A context is an item: number of a relation, value of label 3,
// collocate.
const (
	opSize     corpus.Op = "sketch-size"     // N: instances of relations with a collocate
	opContexts corpus.Op = "sketch-contexts" // Items: headwords; rows as for opMembers
	opMembers  corpus.Op = "sketch-members"  // Items: contexts; key: headword, context; N: instances. Without collocate: of the relation
	opSharing  corpus.Op = "sketch-sharing"  // Items: contexts; N: headwords
)

func init() {
	corpus.RegisterOp(opSize, askSize)
	corpus.RegisterOp(opContexts, askContexts)
	corpus.RegisterOp(opMembers, askMembers)
	corpus.RegisterOp(opSharing, askSharing)
}

// askSize returns the number of instances.
func askSize(ctx context.Context, c *corpus.Corpus, _ *corpus.Request, out *corpus.Counts) error {
	s, err := openLabelled(c, out)
	if err != nil {
		return err
	}
	out.Rows = listed(ctx, 1, func(int) (corpus.Row, bool) { return corpus.Row{N: []int64{s.meta.Paired}}, true })
	return nil
}

// askContexts returns all contexts of headwords, which are in ascending order.
func askContexts(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	s, err := openLabelled(c, out)
	if err != nil {
		return err
	}
	out.Rows = func(yield func(corpus.Row, error) bool) {
		for _, item := range r.Items {
			if id, ok := s.key.ID(item[0]); ok && !s.eachContext(ctx, id, nil, rowOf(yield)) {
				return
			}
		}
	}
	return nil
}

// askMembers returns the headwords of contexts.
func askMembers(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	s, err := openLabelled(c, out)
	if err != nil {
		return err
	}
	items := s.numbered(r.Items)
	out.Rows = func(yield func(corpus.Row, error) bool) {
		for head := range s.key.Len() {
			if !s.eachContext(ctx, uint32(head), items, rowOf(yield)) {
				return
			}
		}
	}
	return nil
}

// askSharing counts the headwords of contexts.
func askSharing(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) (err error) {
	s, err := Open(c)
	if err != nil {
		return err
	}
	items, n := s.numbered(r.Items), make([]int64, len(r.Items))
	for head := range s.key.Len() {
		s.eachContext(ctx, uint32(head), items, func(x headContext, e error) bool {
			if err = e; x.item >= 0 {
				n[x.item]++
			}
			return e == nil
		})
		if err != nil {
			return err
		}
	}
	out.Rows = listed(ctx, len(n), func(i int) (corpus.Row, bool) { return corpus.Row{N: n[i : i+1]}, true })
	return nil
}

// rowOf returns a function that yields the row of a context.
func rowOf(yield func(corpus.Row, error) bool) func(headContext, error) bool {
	return func(x headContext, err error) bool {
		return yield(corpus.Row{Key: []string{x.head, relationKey(x.relation), x.third, x.coll}, N: []int64{x.n}}, err)
	}
}

// relationKey returns the key of a relation in rows.
func relationKey(relation int) string { return fmt.Sprintf("%05d", relation) }

// headContext is a context of a headword with its instances. Without collocate, n counts the relation.
type headContext struct {
	head        string
	relation    int
	third, coll string
	n           int64
	item        int // number of the context in the request; -1: none
}

// relationThird is a relation and the value of label 3.
type relationThird struct {
	relation, third string
}

// numbered returns the numbers of contexts in a request.
func (s *Sketches) numbered(items [][]string) map[relationThird]map[uint32]int {
	out := map[relationThird]map[uint32]int{}
	for i, x := range items {
		if len(x) != 3 {
			continue
		}
		of := relationThird{x[0], x[1]}
		if out[of] == nil {
			out[of] = map[uint32]int{} // also without collocate here: the total of the relation is needed
		}
		if id, ok := s.key.ID(x[2]); ok {
			out[of][id] = i
		}
	}
	return out
}

// eachContext calls each with the contexts of a headword in the whole corpus, sorted: all of them, or the
// numbered ones. The total of a relation comes before its contexts. It reports whether each
// returned true for all of them.
func (s *Sketches) eachContext(ctx context.Context, head uint32, items map[relationThird]map[uint32]int, each func(headContext, error) bool) bool {
	if s.span(head) == 0 {
		return true
	}
	parts, err := s.parts(head)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		each(headContext{item: -1}, err)
		return false
	}
	word := s.key.Word(head)
	for i := range parts {
		p := &parts[i]
		if s.meta.Relations[p.relation].Unary {
			continue
		}
		x := headContext{head: word, relation: p.relation, third: s.thirdOf(p), n: p.total, item: -1}
		wanted := items[relationThird{relationKey(p.relation), x.third}]
		if items != nil && wanted == nil {
			continue
		}
		list, err := s.collocates(p)
		if !each(x, err) || err != nil {
			return false
		}
		for _, e := range list {
			item, ok := wanted[e.coll]
			if items != nil && !ok {
				continue
			}
			y := x
			if y.coll, y.n, y.item = s.key.Word(e.coll), e.count, item; !each(y, nil) {
				return false
			}
		}
	}
	return true
}

// thirdOf returns the value of label 3 of a part.
func (s *Sketches) thirdOf(p *part) string {
	if a := s.third[p.relation]; a != nil && p.third > 0 {
		return a.Word(p.third - 1)
	}
	return ""
}
