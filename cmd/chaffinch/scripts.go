package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/build"
	"chaffinch/build/cluster"
)

// scriptFlags holds the common flags of scheduler scripts.
type scriptFlags struct {
	Command []string `arg:"" passthrough:"" placeholder:"COMMAND" help:"Command with all its flags, such as build my.yaml crawl/ -o corpus/. --rank auto is added."`

	Ranks int    `range:"[1,)" placeholder:"N" default:"100" help:"Number of ranks. Default: ${default}."`
	CPUs  int    `range:"[1,)" name:"cpus" placeholder:"N" default:"8" help:"Processors of each. Default: ${default}."`
	Name  string `placeholder:"NAME" default:"chaffinch" help:"Name of the jobs. Default: ${default}."`
}

// rankCommands lists the commands with --rank.
var rankCommands = []string{"build", "clean", "filter", "tokenize"}

// phases returns the steps at which all ranks wait for one another, as values of --until;
// "" is the last.
func (f *scriptFlags) phases(ctx context.Context) ([]string, error) {
	if len(f.Command) > 0 && f.Command[0] == "--" {
		f.Command = f.Command[1:]
	}
	if len(f.Command) > 0 && f.Command[0] == "chaffinch" {
		f.Command = f.Command[1:]
	}
	if len(f.Command) == 0 || !slices.Contains(rankCommands, f.Command[0]) {
		return nil, fmt.Errorf("wanted a command with --rank after the flags: %s", strings.Join(rankCommands, ", "))
	}
	if f.Ranks < 1 {
		return nil, fmt.Errorf("--ranks %d: wanted 1 or more", f.Ranks)
	}
	if f.Command[0] != "build" {
		return []string{""}, nil
	}
	parser := newParser(ctx, &console{}, f.Command, func(int) {})
	k, err := parser.Parse(f.Command)
	if err != nil {
		return nil, err
	}
	cmd, ok := k.Selected().Target.Addr().Interface().(*buildCmd)
	if !ok {
		return nil, errors.New("build: wanted a recipe")
	}
	job, err := cmd.job(&console{})
	if err != nil {
		return nil, err
	}
	ranks, err := build.Ranks(job)
	if err != nil {
		return nil, err
	}
	var list []string
	for i, s := range ranks.Steps[1:] {
		if s.All {
			list = append(list, ranks.Steps[i].Name)
		}
	}
	return append(list, ""), nil
}

// words returns the command with who it is, quoted for a shell.
func (f *scriptFlags) words(until string) string {
	words := append([]string{"chaffinch"}, f.Command...)
	words = append(words, "--rank", "auto")
	if until != "" {
		words = append(words, "--until", until)
	}
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a shell.
func shellWord(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%") == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

type slurmCmd struct {
	scriptFlags
	Memory string `placeholder:"SIZE" default:"16G" help:"Memory of each rank, as sbatch takes it. Default: ${default}."`
	Time   string `placeholder:"TIME" default:"24:00:00" help:"Time limit of each rank, as sbatch takes it. Default: ${default}."`
}

// Help is the long text of --help.
func (slurmCmd) Help() string {
	return `Prints a script that submits the command as arrays of jobs, one after the other for steps in which all ranks wait for each other.

Examples:
  chaffinch slurm --ranks 100 build my.yaml crawl/ -o corpus/ > submit.sh
  bash submit.sh`
}

// Run prints the script.
func (c *slurmCmd) Run(ctx context.Context, con *console) error {
	phases, err := c.phases(ctx)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `#!/usr/bin/env bash
# Submits arrays of jobs. Submit it again if some have failed: finished shards are
# skipped. "chaffinch build status" shows what is missing.
set -euo pipefail
last=
submit() {
	last=$(sbatch --parsable ${last:+--dependency=afterok:$last} --job-name=%s --array=0-%d --cpus-per-task=%d --mem=%s --time=%s --requeue --wrap="%s=%d exec $1")
	echo "submitted $last: $1"
}
`, shellWord(c.Name), c.Ranks-1, c.CPUs, shellWord(c.Memory), shellWord(c.Time), cluster.RanksVariable, c.Ranks)
	for _, until := range phases {
		fmt.Fprintf(&b, "submit %s\n", shellWord(c.words(until)))
	}
	_, err = fmt.Fprint(con.out, b.String())
	return err
}

type k8sCmd struct {
	scriptFlags
	Image  string `required:"" placeholder:"IMAGE" help:"Container image with chaffinch in its PATH (see Containerfile)."`
	Memory string `placeholder:"SIZE" default:"16Gi" help:"Memory of each pod. Default: ${default}."`
	Volume string `placeholder:"CLAIM" help:"Claim of the volume with inputs and outputs, mounted at /data, the working folder of the command. Default: none, for s3:// addresses."`
}

// Help is the long text of --help.
func (k8sCmd) Help() string {
	return `Prints an indexed Job with an index per rank. Ranks wait for each other for up to a day: all pods must be able to run at the same time, or the job must be started again.

Examples:
  chaffinch k8s --ranks 20 --image registry.example.org/chaffinch --volume corpus build my.yaml crawl/ -o corpus/ > job.yaml
  kubectl apply -f job.yaml`
}

// Run prints the job.
func (c *k8sCmd) Run(ctx context.Context, con *console) error {
	phases, err := c.phases(ctx)
	if err != nil {
		return err
	}
	words := append([]string{"chaffinch"}, c.Command...)
	words = append(words, "--rank", "auto")
	if len(phases) > 1 {
		words = append(words, "--wait", "24h")
	}
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: batch/v1
kind: Job
metadata:
  name: %s
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimitPerIndex: 5
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: chaffinch
        image: %q
        command: [`, c.Name, c.Ranks, c.Ranks, c.Image)
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", w)
	}
	fmt.Fprintf(&b, `]
        env:
        - {name: %s, value: "%d"}
        resources:
          requests: {cpu: "%d", memory: %q}
          limits: {memory: %q}
`, cluster.RanksVariable, c.Ranks, c.CPUs, c.Memory, c.Memory)
	if c.Volume != "" {
		fmt.Fprintf(&b, `        workingDir: /data
        volumeMounts:
        - {name: data, mountPath: /data}
      volumes:
      - name: data
        persistentVolumeClaim: {claimName: %q}
`, c.Volume)
	}
	_, err = fmt.Fprint(con.out, b.String())
	return err
}
