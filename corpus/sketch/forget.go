package sketch

import (
	"context"
	"errors"
	"fmt"

	"chaffinch/corpus"
)

// Forget removes documents from the index in a folder like [corpus.Forget], and computes its sketches
// again by the same grammar. grammar is its name or file if the sketches do not hold it, otherwise "".
func Forget(ctx context.Context, dir, grammar string, cfg corpus.ForgetConfig) (rep corpus.Forgotten, err error) {
	g, err := grammarOf(dir, grammar)
	if err != nil {
		return rep, err
	}
	if rep, err = corpus.Forget(ctx, dir, cfg); err != nil || g == nil || cfg.DryRun || rep.Documents == 0 {
		return rep, err
	}
	c, err := corpus.Open(dir)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	build := DefaultBuild
	build.Tool = cfg.Tool
	if cfg.Memory > 0 {
		build.Memory = cfg.Memory
	}
	if _, err := Build(ctx, c, g, build); err != nil {
		return rep, fmt.Errorf("the documents are removed, without new word sketches: compute them with chaffinch corpus sketches %s: %w", dir, err)
	}
	return rep, nil
}

// grammarOf returns the grammar of the sketches in the folder of an index, or nil without sketches.
func grammarOf(dir, name string) (g *Grammar, err error) {
	c, err := corpus.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	s, err := Open(c)
	switch {
	case errors.Is(err, ErrNone):
		return nil, nil
	case err != nil:
		return nil, err
	case name != "":
		return Load(name)
	case s.meta.Grammar == "":
		return nil, fmt.Errorf("%s: word sketches without their grammar, which earlier versions did not store: name it, or compute them again with chaffinch corpus sketches %s", dir, dir)
	}
	return Parse("grammar of the sketches", s.meta.Grammar)
}
