package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Worker identifies one of several processes that share the work.
type Worker struct {
	// Rank is the number of the worker, from 0, among Of workers.
	Rank, Of int
	// Lease indicates a worker without a number. It leases tasks that no other worker holds.
	Lease bool
	// By is the source of the rank, such as "Slurm". For a worker without rank and without
	// leases it identifies the worker.
	By string
}

// String returns a description of the worker.
func (w Worker) String() string {
	switch {
	case w.Lease:
		return "a worker that leases shards"
	case w.Of == 0:
		return w.By
	}
	return fmt.Sprintf("worker %d of %d", w.Rank, w.Of)
}

// scheduler is a program that starts workers, with the environment variables that hold their
// numbers.
type scheduler struct {
	name  string
	index string
	// count is the variable of the number of workers. first, last and step are variables
	// that describe the numbers if they are not 0, 1, 2 and so on. "" means that the
	// scheduler has no such variable.
	count, first, last, step string
}

// Variables of this program. They take precedence over the variables of schedulers.
const (
	RankVariable  = "CHAFFINCH_RANK"
	RanksVariable = "CHAFFINCH_RANKS"
)

// schedulers lists the known schedulers in order of precedence: job arrays before the
// processes of one job.
var schedulers = []scheduler{
	{name: "a Slurm array", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP"},
	{name: "an AWS Batch array", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"},
	{name: "a Kubernetes indexed job", index: "JOB_COMPLETION_INDEX"},
	{name: "a Cloud Run job", index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"},
	{name: "a Google Batch job", index: "BATCH_TASK_INDEX", count: "BATCH_TASK_COUNT"},
	{name: "an SGE array", index: "SGE_TASK_ID", first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST", step: "SGE_TASK_STEPSIZE"},
	{name: "a PBS array", index: "PBS_ARRAY_INDEX", count: "PBS_ARRAY_COUNT"},
	{name: "a Torque array", index: "PBS_ARRAYID"},
	{name: "an LSF array", index: "LSB_JOBINDEX", last: "LSB_JOBINDEX_END", step: "LSB_JOBINDEX_STEP"},
	{name: "Slurm", index: "SLURM_PROCID", count: "SLURM_NTASKS"},
	{name: "Open MPI", index: "OMPI_COMM_WORLD_RANK", count: "OMPI_COMM_WORLD_SIZE"},
	{name: "MPI", index: "PMI_RANK", count: "PMI_SIZE"},
	{name: "RANK", index: "RANK", count: "WORLD_SIZE"},
}

// ErrNoScheduler is returned by [Detect] if no variable holds a number.
var ErrNoScheduler = errors.New("no scheduler has told this process its number")

// Detect returns the worker that the environment describes. env has the signature of
// [os.Getenv]. [RankVariable] and [RanksVariable] each take precedence over the variables of
// a scheduler.
func Detect(env func(string) string) (Worker, error) {
	of, err := number(env, RanksVariable, -1)
	if err != nil {
		return Worker{}, err
	}
	if env(RankVariable) != "" {
		rank, err := number(env, RankVariable, -1)
		if err == nil && of < 0 {
			err = fmt.Errorf("%s=%d without %s, the number of ranks", RankVariable, rank, RanksVariable)
		}
		if err != nil {
			return Worker{}, err
		}
		return check(Worker{Rank: rank, Of: of, By: RankVariable})
	}
	for _, s := range schedulers {
		// SGE and LSF also set the variable outside of arrays.
		if v := env(s.index); v == "" || v == "undefined" || s.index == "LSB_JOBINDEX" && v == "0" {
			continue
		}
		return s.worker(env, of)
	}
	return Worker{}, ErrNoScheduler
}

// worker returns the worker that the variables of the scheduler describe. of is the number
// of workers if it is not negative.
func (s *scheduler) worker(env func(string) string, of int) (Worker, error) {
	numbers := map[string]int{}
	for name, otherwise := range map[string]int{s.index: -1, s.count: -1, s.first: -1, s.last: -1, s.step: 1} {
		n, err := number(env, name, otherwise)
		if err != nil {
			return Worker{}, err
		}
		numbers[name] = n
	}
	w := Worker{Rank: numbers[s.index], Of: of, By: s.name}
	if of >= 0 {
		return check(w) // the numbers are ranks: an array of missing ranks has gaps
	}
	step := 1
	if s.step != "" {
		step = max(numbers[s.step], 1)
	}
	if s.last != "" && numbers[s.last] >= 0 {
		first := 1
		if s.first != "" && numbers[s.first] >= 0 {
			first = numbers[s.first]
		}
		w.Rank, w.Of = (w.Rank-first)/step, (numbers[s.last]-first)/step+1
		if n := numbers[s.count]; s.count != "" && n >= 0 && n != w.Of {
			return Worker{}, fmt.Errorf("%s has %d tasks numbered %d to %d, so that some are missing: set %s to the number of all ranks; the numbers are ranks then", s.name, n, first, numbers[s.last], RanksVariable)
		}
		return check(w)
	}
	if w.Of = -1; s.count != "" {
		w.Of = numbers[s.count]
	}
	if w.Of < 0 {
		return Worker{}, fmt.Errorf("%s is rank %d, but the number of ranks is unknown: set %s", s.name, w.Rank, RanksVariable)
	}
	return check(w)
}

// number parses a variable, or returns otherwise if it is not set.
func number(env func(string) string, name string, otherwise int) (int, error) {
	v := env(name)
	if name == "" || v == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s=%s: wanted a number from 0 on", name, v)
	}
	return n, nil
}

func check(w Worker) (Worker, error) {
	if w.Of < 1 || w.Rank < 0 || w.Rank >= w.Of {
		return w, fmt.Errorf("rank %d of %d, as %s says: wanted 0 to %d: set %s to the number of all ranks", w.Rank, w.Of, w.By, max(w.Of-1, 0), RanksVariable)
	}
	return w, nil
}

// ParseWorker parses a worker: "3/100" is rank 3 of 100, and "lease" leases tasks. "auto" is
// the worker that [Detect] finds, or a worker that leases if no scheduler is found.
func ParseWorker(s string, env func(string) string) (Worker, error) {
	switch s {
	case "lease":
		return Worker{Lease: true, By: "lease"}, nil
	case "auto":
		w, err := Detect(env)
		if errors.Is(err, ErrNoScheduler) {
			return Worker{Lease: true, By: "auto, without a scheduler"}, nil
		}
		return w, err
	}
	rank, of, ok := strings.Cut(s, "/")
	r, err1 := strconv.Atoi(rank)
	n, err2 := strconv.Atoi(of)
	if !ok || err1 != nil || err2 != nil || n < 1 || r < 0 || r >= n {
		return Worker{}, fmt.Errorf("%q: wanted auto, lease, or a rank and how many there are, such as 0/100 to 99/100", s)
	}
	return Worker{Rank: r, Of: n, By: s}, nil
}

// Array formats numbers in the syntax of schedulers: "3,17-19".
func Array(numbers []int) string {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
