package beam

import (
	"context"
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"chaffinch/build"
	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/build/store/remote"
)

// Build is all that a worker must know of a build: plain data, that travels with each
// function.
type Build struct {
	// Recipe is that of package build, as YAML or JSON, and Inputs what it reads.
	Recipe []byte
	Inputs []string
	// Shards is the folder, or the address, where shards lie; all workers see it.
	Shards string
	// Dir is the folder of the corpus, where [build.Engine.Merge] puts it.
	Dir string
	// Version is that of the program.
	Version string
	// Memory bounds what a task holds, in bytes.
	Memory int64
	// ShardBytes, Whole and Scratch are those of [cluster.Job].
	ShardBytes int64
	Whole      bool
	Scratch    string
}

// Open opens the build in this process. The first process makes the plan.
func (b *Build) Open(ctx context.Context) (*build.Engine, error) {
	r, err := build.Parse("recipe", b.Recipe)
	if err != nil {
		return nil, err
	}
	r.Inputs = b.Inputs
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown machine"
	}
	at := cluster.Job{
		Name: build.BeamJob, Worker: cluster.Worker{By: fmt.Sprintf("process %d on %s", os.Getpid(), host)},
		Out: store.Folder(b.Shards), Open: remote.Open(remote.Default), ShardBytes: b.ShardBytes, Whole: b.Whole, Scratch: b.Scratch,
	}
	if store.IsAddress(b.Shards) {
		s, prefix, err := at.Open(b.Shards)
		if err != nil {
			return nil, err
		}
		at.Out = store.Under(s, prefix)
	}
	return build.OpenEngine(ctx, build.Job{Recipe: r, Dir: b.Dir, Version: b.Version, Jobs: 1, Memory: b.Memory}, at)
}

// mostRanges is the largest number of ranges of shards that a pipeline begins with.
const mostRanges = 1000

// Pipeline lays out a build that is open in this process: shards are made text, and what
// has copies meets by the key.
func (b *Build) Pipeline(e *build.Engine) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	at := worker{Build: *b}
	// Flink leaves the parts of one element where it is: what it can share out are elements.
	ranges := offsetrange.Restriction{End: int64(e.Shards())}.EvenSplits(min(int64(e.Shards()), mostRanges))
	shards := beam.Reshuffle(s, beam.CreateList(s, ranges))
	texts, keys, rest := beam.ParDo3(s.Scope("pages"), &pagesFn{at}, shards)
	for i, name := range e.Dedups() {
		s := s.Scope(name)
		groups := beam.ParDo(s, &groupFn{at, i}, beam.GroupByKey(s, keys))
		marks := beam.ParDo(s, &markFn{at, i}, beam.GroupByKey(s, beam.Flatten(s, rest, groups)))
		texts, keys, rest = beam.ParDo3(s, &rewriteFn{at, i}, beam.CoGroupByKey(s, texts, marks))
	}
	return p
}
