package beam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"chaffinch/build"
	"chaffinch/dedup"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
)

func init() {
	register.DoFn6x1[context.Context, *sdf.LockRTracker, offsetrange.Restriction, func(int, int), func(int, Parcel), func(int, Parcel), error](&pagesFn{})
	register.DoFn4x1[context.Context, int, func(*Parcel) bool, func(int, Parcel), error](&groupFn{})
	register.DoFn4x1[context.Context, int, func(*Parcel) bool, func(int, Parcel), error](&markFn{})
	register.DoFn7x1[context.Context, int, func(*int) bool, func(*Parcel) bool, func(int, int), func(int, Parcel), func(int, Parcel), error](&rewriteFn{})
	register.Emitter2[int, int]()
	register.Emitter2[int, Parcel]()
	register.Iter1[int]()
	register.Iter1[Parcel]()
}

// worker is the common part of the functions of a build.
type worker struct {
	Build Build

	engine *build.Engine
}

// Setup opens the build.
func (w *worker) Setup(ctx context.Context) (err error) {
	w.engine, err = w.Build.Open(ctx)
	return err
}

// Teardown closes the build.
func (w *worker) Teardown() error {
	if w.engine == nil {
		return nil
	}
	return w.engine.Close()
}

// Paths of unpacked parcels: the sketch of a shard, its description, and a partition of the keys.
func sketchDir(shard int) string    { return fmt.Sprintf("sketch/%05d", shard) }
func sketchedFile(shard int) string { return fmt.Sprintf("sketched/%05d.json", shard) }
func groupDir(part int) string      { return fmt.Sprintf("group/%05d", part) }

// next processes the text of a shard further: it makes a sketch for deduplication step n, or writes
// the outputs after the last step.
func (w *worker) next(ctx context.Context, n, shard int, texts func(int, int), keys, rest func(int, Parcel)) error {
	texts(shard, shard)
	if n >= len(w.engine.Dedups()) {
		return w.engine.Outputs(ctx, shard)
	}
	return w.engine.Sketch(ctx, n, shard, func(p build.Part) error {
		known, err := json.Marshal(p.Sketched)
		if err != nil {
			return err
		}
		for part := range build.KeyParts {
			to := func(p Parcel) { keys(part, p) }
			to(Parcel{File: sketchedFile(shard), Data: known})
			if err := send(filepath.Join(p.Dir, dedup.KeysName(part)), sketchDir(shard), to); err != nil {
				return err
			}
		}
		to := func(p Parcel) { rest(0, p) }
		to(Parcel{File: sketchedFile(shard), Data: known})
		return send(filepath.Join(p.Dir, dedup.RestName), sketchDir(shard), to)
	})
}

// unpacked calls do with a folder that contains the received files.
func (w *worker) unpacked(parcels func(*Parcel) bool, do func(dir string) error) (err error) {
	open := workdir.Temp
	if w.Build.Scratch != "" {
		open = func() (*workdir.Folder, error) { return workdir.Make(w.Build.Scratch) }
	}
	dir, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := unpack(dir.Path, parcels); err != nil {
		return err
	}
	return do(dir.Path)
}

// parts returns the sketches of all shards in a folder.
func (w *worker) parts(dir string) (list []build.Part, err error) {
	for shard := range w.engine.Shards() {
		b, err := os.ReadFile(filepath.Join(dir, sketchedFile(shard)))
		if err != nil {
			return nil, fmt.Errorf("the sketch of shard %d was not brought: %w", shard, files.Cause(err))
		}
		p := build.Part{Dir: filepath.Join(dir, sketchDir(shard))}
		if err := json.Unmarshal(b, &p.Sketched); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// pagesFn converts shards to text. Its element is a range of shards, which can be split between any
// two shards, since they end at record boundaries.
type pagesFn struct{ worker }

// CreateInitialRestriction returns the complete range.
func (*pagesFn) CreateInitialRestriction(shards offsetrange.Restriction) offsetrange.Restriction {
	return shards
}

// SplitRestriction makes each shard a separate unit of work.
func (*pagesFn) SplitRestriction(_, r offsetrange.Restriction) []offsetrange.Restriction {
	return r.SizedSplits(1)
}

// RestrictionSize returns the number of shards.
func (*pagesFn) RestrictionSize(_, r offsetrange.Restriction) float64 { return r.Size() }

// CreateTracker returns a tracker of the claimed shards.
func (*pagesFn) CreateTracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

// ProcessElement converts shards to text.
func (fn *pagesFn) ProcessElement(ctx context.Context, tracker *sdf.LockRTracker, _ offsetrange.Restriction, texts func(int, int), keys, rest func(int, Parcel)) error {
	for shard := tracker.GetRestriction().(offsetrange.Restriction).Start; tracker.TryClaim(shard); shard++ {
		if err := fn.engine.Pages(ctx, int(shard)); err != nil {
			return err
		}
		if err := fn.next(ctx, 0, int(shard), texts, keys, rest); err != nil {
			return err
		}
	}
	return nil
}

// groupFn groups a partition of the keys for deduplication step N.
type groupFn struct {
	worker
	N int
}

// ProcessElement groups the sketches of all shards and sends the groups of duplicates to markFn.
func (fn *groupFn) ProcessElement(ctx context.Context, part int, sketches func(*Parcel) bool, groups func(int, Parcel)) error {
	return fn.unpacked(sketches, func(dir string) error {
		list, err := fn.parts(dir)
		if err != nil {
			return err
		}
		return fn.engine.Group(ctx, fn.N, part, list, func(made string) error {
			return send(made, groupDir(part), func(p Parcel) { groups(0, p) })
		})
	})
}

// markFn decides which documents are kept.
type markFn struct {
	worker
	N int
}

// ProcessElement decides on all documents and sends the marks to their shards.
func (fn *markFn) ProcessElement(ctx context.Context, _ int, brought func(*Parcel) bool, marks func(int, Parcel)) error {
	return fn.unpacked(brought, func(dir string) error {
		list, err := fn.parts(dir)
		if err != nil {
			return err
		}
		var groups []string
		for part := range build.KeyParts {
			groups = append(groups, filepath.Join(dir, groupDir(part)))
		}
		return fn.engine.Mark(ctx, fn.N, list, groups, func(made string) error {
			for shard := range fn.engine.Shards() {
				if err := send(filepath.Join(made, dedup.MarksName(shard)), "marks", func(p Parcel) { marks(shard, p) }); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// rewriteFn rewrites shards by their marks.
type rewriteFn struct {
	worker
	N int
}

// ProcessElement writes the kept documents of a shard.
func (fn *rewriteFn) ProcessElement(ctx context.Context, shard int, _ func(*int) bool, marks func(*Parcel) bool, texts func(int, int), keys, rest func(int, Parcel)) error {
	return fn.unpacked(marks, func(dir string) error {
		if err := fn.engine.Rewrite(ctx, fn.N, shard, filepath.Join(dir, "marks")); err != nil {
			return err
		}
		return fn.next(ctx, fn.N+1, shard, texts, keys, rest)
	})
}
