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
	"chaffinch/pipeline"
)

// Build describes a build for a worker: plain data that is sent with each function.
type Build struct {
	// Recipe is the recipe of package build, as YAML or JSON. Inputs lists its inputs.
	Recipe []byte
	Inputs []string
	// Shards is the folder or address of the shards, which all workers can access.
	Shards string
	// Dir is the folder of the corpus, which [build.Engine.Merge] writes.
	Dir string
	// Version is the version of the program.
	Version string
	// Memory is the memory limit of a task in bytes.
	Memory int64
	// ShardBytes, Whole and Scratch are fields of [cluster.Work].
	ShardBytes int64
	Whole      bool
	Scratch    string
}

// Open opens the build in this process. The first process plans it.
func (b *Build) Open(ctx context.Context) (*build.Engine, error) {
	r, err := build.Parse("recipe", b.Recipe)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown machine"
	}
	at := cluster.Work{
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
	job := pipeline.Job{Inputs: b.Inputs, Out: b.Dir, Workers: 1, Memory: b.Memory}
	return build.OpenEngine(ctx, build.Config{Job: job, Recipe: r, Version: b.Version}, at)
}

// mostRanges is the maximum number of initial ranges of shards in a pipeline.
const mostRanges = 1000

// Pipeline returns the pipeline of a build that is open in this process: shards are converted to
// text, and duplicates are grouped by key.
func (b *Build) Pipeline(e *build.Engine) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	at := worker{Build: *b}
	// Flink does not distribute the parts of one element, so each range is an element.
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
