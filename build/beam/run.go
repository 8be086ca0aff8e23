package beam

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	// What runs a pipeline registers itself.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"chaffinch/build"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
)

// Runner says what runs a build.
type Runner struct {
	// Name is "prism" for this process, or "flink".
	Name string
	// Endpoint is where the job server of Flink listens, such as "localhost:8099".
	Endpoint string
	// Parallelism is how many tasks are done at a time, 0 for what Flink says.
	Parallelism int
	// Program is where the program lies on the machines of Flink, "" for where the one
	// that runs lies. It must call [Work] where [IsWorker] says so.
	Program string
}

// dialTime is how long the job server has to answer.
const dialTime = 10 * time.Second

// folderVariable tells a worker the folder in which paths begin that are not absolute.
const folderVariable = "CHAFFINCH_BEAM_FOLDER"

// set sets the flags by which the SDK is told.
func (r Runner) set(placeholder string) error {
	flags := map[string]string{"worker_binary": placeholder, "job_name": "chaffinch"}
	switch r.Name {
	case "prism":
		flags["environment_type"] = "loopback"
	case "flink":
		if r.Endpoint == "" {
			return errors.New("flink needs the endpoint of its job server, such as localhost:8099")
		}
		c, err := net.DialTimeout("tcp", r.Endpoint, dialTime)
		if err != nil {
			return fmt.Errorf("endpoint %s: no job server of Flink answers there: start one, as build/beam/flink/cluster.sh does: %w", r.Endpoint, err)
		}
		if err := c.Close(); err != nil {
			return err
		}
		if r.Program == "" {
			var err error
			if r.Program, err = os.Executable(); err != nil {
				return err
			}
		}
		folder, err := os.Getwd()
		if err != nil {
			return err
		}
		how, err := json.Marshal(struct {
			Command string            `json:"command"`
			Env     map[string]string `json:"env"`
		}{r.Program, map[string]string{folderVariable: folder}})
		if err != nil {
			return err
		}
		flags["endpoint"], flags["environment_type"], flags["environment_config"] = r.Endpoint, "PROCESS", string(how)
		if r.Parallelism > 0 {
			flags["parallelism"] = strconv.Itoa(r.Parallelism)
		}
	default:
		return fmt.Errorf("runner %q: there are prism and flink", r.Name)
	}
	for name, value := range flags {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// Run builds a corpus, and returns when all of it is there. It sets what is global in the
// SDK, so that a process runs one build at a time.
func Run(ctx context.Context, b *Build, r Runner) (*build.Result, error) {
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	defer work.Close()
	// The SDK sends a program to the workers, which have theirs: a small file will do.
	placeholder := filepath.Join(work.Path, "recipe")
	if err := files.WriteFile(placeholder, b.Recipe); err != nil {
		return nil, err
	}
	if err := r.set(placeholder); err != nil {
		return nil, err
	}
	log.LogLevel = "warn"
	log.SetLogger(warnings{})
	if !beam.Initialized() {
		beam.Init()
	}
	e, err := b.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	if _, err := beam.Run(ctx, r.Name, b.Pipeline(e)); err != nil {
		return nil, err
	}
	return e.Merge(ctx)
}

// warnings shows what the SDK warns of.
type warnings struct{}

// Log shows a message.
func (warnings) Log(_ context.Context, sev log.Severity, _ int, msg string) {
	if sev >= log.SevWarn {
		fmt.Fprintf(os.Stderr, "chaffinch-beam: %s\n", msg)
	}
}
