package corpora

import (
	"context"
	"errors"
	"net/http"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/internal/inuse"
	"chaffinch/serve/problem"
)

// shardSet is a corpus of shards on this server or on others.
type shardSet struct {
	*corpus.Shards
	users  *inuse.Closer
	totals totals
	parts  parts
	// relations are the names of the relations of the word sketches.
	relations []string
}

// openShards opens the shards that a file lists.
func openShards(ctx context.Context, file string) (*shardSet, error) {
	s, err := corpus.OpenShards(ctx, file, Dial)
	if err != nil {
		return nil, err
	}
	relations, err := sketch.RelationsOf(ctx, s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &shardSet{Shards: s, users: inuse.New(s.Close), relations: relations}, nil
}

// lostShard converts the error of a corpus of shards to a problem: status 502 if a shard failed.
func lostShard(patt string, err error) error {
	if err = unusable(patt, err); err == nil || errors.As(err, new(*problem.Problem)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return problem.New(http.StatusBadGateway, "%v", err)
}

// failed converts the error of some corpora, one index or shards each, to a problem.
func failed(patt string, err error, of ...corpus.Source) error {
	for _, c := range of {
		if _, ok := c.(*corpus.Shards); ok {
			return lostShard(patt, err)
		}
	}
	return unusable(patt, err)
}

// sharded returns the part of a corpus of shards that a request is for, or nil if the corpus is one
// index; done gives it back.
func (a *api) sharded(ctx context.Context, of Of, filter string) (s *shardSet, c corpus.Source, done func(), err error) {
	if s, done, err = a.set.sharded(ctx, of.Corpus); s == nil {
		return nil, nil, nil, err
	}
	if c, err = a.selected(ctx, s.Shards, &s.parts, of, filter); err != nil {
		done()
		return nil, nil, nil, err
	}
	return s, c, done, nil
}

// notSharded returns the problem of an operation that needs one index.
func notSharded(name string) error {
	return problem.New(http.StatusUnprocessableEntity, "corpus %s consists of shards: this operation needs one index: ask a shard", name)
}

// concordance finds a page of a concordance.
func (s *shardSet) concordance(ctx context.Context, c corpus.Source, in *hitsInput) (*listing, error) {
	k, err := c.Search(ctx, in.Patt, in.config())
	if err != nil {
		return nil, lostShard(in.Patt, err)
	}
	if in.Format != "json" {
		return &listing{table: hitTable(ctx, k, in)}, nil
	}
	out := Hits{Patt: in.Patt, CQL: k.CQL(), Filter: in.Filter, First: in.First, Hits: []Hit{}}
	if out.Hits, err = page(ctx, k, in); err != nil {
		return nil, lostShard(in.Patt, err)
	}
	key := query{in.Patt, c.Condition()}
	n, known := s.totals.get(key)
	switch shown := len(out.Hits); {
	case known:
	case k.Total >= 0:
		n, known = k.Total, true
	case in.Number != 0 && shown < in.limit() && (shown > 0 || in.First == 0):
		n, known = int64(in.First+shown), true
	case in.WaitForTotal:
		if n, _, err = c.Count(ctx, in.Patt); err != nil {
			return nil, lostShard(in.Patt, err)
		}
		known = true
	default:
		n = int64(in.First + shown)
	}
	if known {
		s.totals.put(key, n)
	}
	out.Total, out.Exact, out.PerMillion = n, known, corpus.PerMillion(n, c.Size())
	return &listing{json: out}, nil
}

// count reports the number of matches in all shards.
func (s *shardSet) count(ctx context.Context, c corpus.Source, in *Asked, say func(n int64, exact bool)) error {
	key := query{in.Patt, c.Condition()}
	n, ok := s.totals.get(key)
	if !ok {
		var err error
		if n, _, err = c.Count(ctx, in.Patt); err != nil {
			return lostShard(in.Patt, err)
		}
		s.totals.put(key, n)
	}
	say(n, true)
	return nil
}

// info describes the corpus.
func (s *shardSet) info(ctx context.Context, name string) (Info, error) {
	i, err := s.Describe(ctx)
	return Info{Name: name, Info: i, Relations: s.relations, Shards: s.Tokens()}, err
}
