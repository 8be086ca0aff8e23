package cluster

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDetect: what schedulers put into the environment.
func TestDetect(t *testing.T) {
	for _, c := range []struct {
		env  string
		want string // rank/of, or a part of the error
	}{
		{"", "no scheduler"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=10 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=9 SLURM_PROCID=0 SLURM_NTASKS=1", "3/10"},
		{"SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=14 SLURM_ARRAY_TASK_STEP=2", "1/3"},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7", "numbered 3 to 7, so that some are missing: set CHAFFINCH_RANKS"},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 CHAFFINCH_RANKS=20", "7/20"},
		{"SLURM_ARRAY_TASK_ID=20 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=20 SLURM_ARRAY_TASK_MAX=20 CHAFFINCH_RANKS=20", "rank 20 of 20, as a Slurm array says: wanted 0 to 19"},
		{"SLURM_PROCID=2 SLURM_NTASKS=4", "2/4"},
		{"JOB_COMPLETION_INDEX=5", "is rank 5, but the number of ranks is unknown: set CHAFFINCH_RANKS"},
		{"JOB_COMPLETION_INDEX=5 CHAFFINCH_RANKS=6", "5/6"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=2", "0/2"},
		{"CLOUD_RUN_TASK_INDEX=1 CLOUD_RUN_TASK_COUNT=2", "1/2"},
		{"BATCH_TASK_INDEX=1 BATCH_TASK_COUNT=2", "1/2"},
		{"SGE_TASK_ID=undefined RANK=1 WORLD_SIZE=3", "1/3"},
		{"SGE_TASK_ID=1 SGE_TASK_FIRST=1 SGE_TASK_LAST=4 SGE_TASK_STEPSIZE=1", "0/4"},
		{"SGE_TASK_ID=7 SGE_TASK_FIRST=3 SGE_TASK_LAST=9 SGE_TASK_STEPSIZE=2", "2/4"},
		{"PBS_ARRAY_INDEX=4 PBS_ARRAY_COUNT=5", "4/5"},
		{"PBS_ARRAYID=4", "set CHAFFINCH_RANKS"},
		{"LSB_JOBINDEX=0 RANK=0 WORLD_SIZE=1", "0/1"},
		{"LSB_JOBINDEX=3 LSB_JOBINDEX_END=5 LSB_JOBINDEX_STEP=1", "2/5"},
		{"OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4", "3/4"},
		{"PMI_RANK=3 PMI_SIZE=4", "3/4"},
		{"RANK=4 WORLD_SIZE=4", "rank 4 of 4"},
		{"RANK=x WORLD_SIZE=4", "RANK=x: wanted a number"},
		{"CHAFFINCH_RANK=2 CHAFFINCH_RANKS=3 SLURM_ARRAY_TASK_ID=9", "2/3"},
		{"CHAFFINCH_RANK=2", "without CHAFFINCH_RANKS"},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		w, err := Detect(func(name string) string { return env[name] })
		got := strconv.Itoa(w.Rank) + "/" + strconv.Itoa(w.Of)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, wanted %s", c.env, got, c.want)
		}
	}
}

func TestParseWorker(t *testing.T) {
	none := func(string) string { return "" }
	for s, want := range map[string]string{
		"3/100": "worker 3 of 100", "lease": "a worker that leases shards", "auto": "a worker that leases shards",
		"4/4": "wanted auto, lease", "-1/4": "wanted auto, lease", "x": "wanted auto, lease", "1/0": "wanted auto, lease",
	} {
		w, err := ParseWorker(s, none)
		got := w.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, wanted %s", s, got, want)
		}
	}
}

func TestArray(t *testing.T) {
	for want, list := range map[string][]int{"": nil, "5": {5}, "0-2": {2, 1, 0}, "1,3-4,9": {9, 3, 4, 1, 3}} {
		was := slices.Clone(list)
		if got := Array(list); got != want || !slices.Equal(list, was) {
			t.Errorf("%v: %q, wanted %q", list, got, want)
		}
	}
}
