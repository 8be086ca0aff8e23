// Package cluster distributes work over processes that share a store, without a coordinator.
// [Run] does the tasks of a worker and [Status] reports the progress.
//
// A [Plan] divides the input into shards. Each [Step] of a [Work] runs one task per shard. A
// worker does the tasks of its rank, or leases tasks. The output of a task is published as a
// whole, with a [Manifest]. Workers may therefore be killed and restarted, and their number
// may change. Completed tasks are not repeated, and the result is the same.
//
// Unstable: this package may change in any release.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"chaffinch/build/store"
	"chaffinch/input"
)

// Work is divided among many workers. All workers use the same values, except for Worker and the
// fields after it.
type Work struct {
	// Name is the name of the command. Program is the version of the program.
	Name, Program string
	// Settings is everything on which the outputs depend. It is encoded as JSON.
	Settings any
	// Behaviour is a hash of the behaviour of the program for these settings. It detects
	// differences between programs with the same version. Default: "", not compared.
	Behaviour string
	// Inputs are files, folders and addresses.
	Inputs []string
	// ShardBytes is the target size of shards in bytes. Default: the size in an existing
	// plan, else 128 MiB, or more to have at most 10,000 shards.
	ShardBytes int64
	// Whole keeps files whole. By default, web archives are split.
	Whole bool
	// Steps are the steps in order.
	Steps []Step
	// Out is the store of the plan and the outputs.
	Out store.Store
	// Open returns the stores of inputs that are addresses. If nil, addresses are not
	// supported.
	Open store.Opener

	// Worker is the worker of this process.
	Worker Worker
	// Until is the last step to run. Default: "", all steps.
	Until string
	// Wait is the time to wait for tasks of other workers that a step needs. If 0, Run
	// returns instead.
	Wait time.Duration
	// Lease is the time after which a lease that is not renewed expires. Default: two
	// minutes.
	Lease time.Duration
	// Scratch is a folder for temporary files. Default: the store if it is a folder, else
	// the folder of the system.
	Scratch string
	// OnTask, if not nil, is called before each task.
	OnTask func(t *Task)
	// OnHeld, if not nil, is called before Run waits for a task of another worker. by is the
	// holder named in its lease.
	OnHeld func(task, by string)

	temp  string // folder of temporary files
	known *manifests
}

// Step is a part of the work with one task per shard.
type Step struct {
	// Name is part of the names of outputs.
	Name string
	// Tasks is the number of tasks. Default: one per shard.
	Tasks int
	// All indicates that a task needs all tasks of the steps before. Otherwise it needs the
	// tasks of the same number.
	All bool
	// Again repeats completed tasks, because Do passes its results on instead of storing
	// them.
	Again bool
	// Streams indicates that Do reads [Task.Pieces] by package input alone, which may begin while
	// they are fetched. Otherwise, Do begins when they are on this machine.
	Streams bool
	// Do runs a task. It writes the outputs into the folder [Task.Out].
	Do func(ctx context.Context, t *Task) error
}

// Task is a part of a step.
type Task struct {
	Step   string
	Number int
	// Plan is the plan of the task.
	Plan *Plan
	// Pieces are the input of the shard, for package input.
	Pieces []input.Piece
	// Out is a folder for outputs; Work is a folder for temporary files. Both are empty.
	Out, Work string
	// Report is stored in the manifest. It is encoded as JSON.
	Report any

	work *Work
}

// Name returns the name of the task: its step and number.
func (t *Task) Name() string { return taskName(t.Step, t.Number) }

// Count returns the number of tasks of the step.
func (t *Task) Count() int { return t.Plan.tasks(t.Step) }

func taskName(step string, number int) string { return path.Join(step, fmt.Sprintf("%05d", number)) }

// Result is the outcome of the work of a worker.
type Result struct {
	Plan *Plan
	// Completed is the number of tasks that it completed. Found is the number of its tasks that
	// were already complete.
	Completed, Found int
	// Bad lists the errors of tasks that were skipped because their input changed after
	// planning.
	Bad []error
	// Waits is the step that could not start, or "". Missing is the number of tasks that the
	// step needs.
	Waits   string
	Missing int
	// Held lists the tasks leased by other workers, each with its worker.
	Held []string
}

// ErrInput is the error of a task whose input is missing or has changed since the plan was
// made.
var ErrInput = errors.New("the input has changed since the plan was made: restore it, or start a new run in another folder")
