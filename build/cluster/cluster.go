// Package cluster shares work among processes on any number of machines that see one
// place for files, without a process that tells them what to do. A [Plan] cuts the input
// into shards; each [Step] of a [Job] does one task to each. A worker takes the tasks
// that fall to its rank, or leases them. What a task makes appears as a whole, with a
// [Manifest], or not at all, so that workers may be killed, begun again and be more or
// fewer the next time: what is done is not done again, and the result is the same.
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

// Job is work for many workers. All of them give the same, but for Worker and what
// follows it.
type Job struct {
	// Name is that of the command, Program the version of the program.
	Name, Program string
	// Settings are all that the outputs follow from, as JSON encodes it.
	Settings any
	// Behaviour is a hash of what the program makes of the settings, "" for nothing to
	// tell: it differs between programs whose version tells nothing.
	Behaviour string
	// Inputs are files, folders and addresses.
	Inputs []string
	// ShardBytes is how large shards are to be; 0 takes what the plan that is there
	// says, else 128 MiB, or what makes 10,000 shards.
	ShardBytes int64
	// Whole leaves files whole; else web archives are cut.
	Whole bool
	// Steps are what is done, in this order.
	Steps []Step
	// Out is where plan and outputs lie.
	Out store.Store
	// Open finds the stores of inputs that are addresses; nil knows none.
	Open store.Opener

	// Worker is who does the work.
	Worker Worker
	// Until is the last step that is done, "" for all.
	Until string
	// Wait is how long to wait for tasks of others that a step needs. 0 ends instead.
	Wait time.Duration
	// Lease is after which time without a sign of life a lease counts for nothing; 0 is
	// two minutes.
	Lease time.Duration
	// Scratch is a folder for temporary files; "" is the store if that is a folder,
	// else that of the system.
	Scratch string
	// OnTask is told of each task before it begins. nil is not told.
	OnTask func(t *Task)
	// OnHeld, if set, is called before Run waits for a task that another worker holds:
	// with the name of the task and what its lease says of the worker.
	OnHeld func(task, by string)

	work  string // folder of temporary files
	known *manifests
}

// Step is a part of the work, done by one task to each shard.
type Step struct {
	// Name is part of the names of outputs.
	Name string
	// Tasks is the number of tasks, 0 for one a shard.
	Tasks int
	// All tells that a task needs all tasks of the steps before, not just those of the
	// same number.
	All bool
	// Again does a task again that is done: what Do hands on elsewhere is not kept.
	Again bool
	// Do does a task: it leaves its outputs in the folder [Task.Out].
	Do func(ctx context.Context, t *Task) error
}

// Task is a part of a step.
type Task struct {
	Step   string
	Number int
	// Plan is the plan that it is of.
	Plan *Plan
	// Pieces are the input of the shard, to be read as packages input does.
	Pieces []input.Piece
	// Out is a folder for outputs, and Work one for other files; both are empty.
	Out, Work string
	// Report is what the manifest keeps of the work, as JSON encodes it.
	Report any

	job *Job
}

// Name names the task: its step and number.
func (t *Task) Name() string { return taskName(t.Step, t.Number) }

// Of is the number of tasks of the step.
func (t *Task) Of() int { return t.Plan.tasks(t.Step) }

func taskName(step string, number int) string { return path.Join(step, fmt.Sprintf("%05d", number)) }

// Result tells what a worker did.
type Result struct {
	Plan *Plan
	// Did is the number of tasks that it has done, Found that of those of its own that
	// were done already.
	Did, Found int
	// Bad are the errors of tasks whose input is not as it was: they were not done.
	Bad []error
	// Waits is the step that could not begin, "" for none, and Missing the number of
	// tasks that it waits for.
	Waits   string
	Missing int
	// Held lists the tasks that other workers have leased and are at work on, each with
	// its worker.
	Held []string
}

// ErrInput is the error of a task whose input is not there, or not as it was when the
// plan was made.
var ErrInput = errors.New("the input has changed since the plan was made: bring it back, or begin anew in another place")
