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

	// The runners register themselves.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"chaffinch/build"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
)

// Runner configures the runner of a build.
type Runner struct {
	// Name is "prism" for this process, or "flink".
	Name string
	// Endpoint is the address of the job server of Flink, such as "localhost:8099".
	Endpoint string
	// Parallelism is the number of concurrent tasks. Default: the setting of Flink.
	Parallelism int
	// Program is the path of the program on the machines of Flink. Default: the path of the running
	// program. The program must call [Work] if [IsWorker] reports true.
	Program string
}

// dialTime is the timeout for connecting to the job server.
const dialTime = 10 * time.Second

// folderVariable is the environment variable with the working folder of workers, to which paths are
// relative.
const folderVariable = "CHAFFINCH_BEAM_FOLDER"

// set sets the flags that configure the SDK.
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

// Run builds a corpus and returns when it is complete. It sets global variables of the SDK, so a
// process can run only one build at a time.
func Run(ctx context.Context, b *Build, r Runner) (*build.Result, error) {
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	defer work.Close()
	// The SDK sends a program to the workers, but they have it already: a small file suffices.
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

// warnings logs the warnings of the SDK.
type warnings struct{}

// Log writes warnings and errors to standard error.
func (warnings) Log(_ context.Context, sev log.Severity, _ int, msg string) {
	if sev >= log.SevWarn {
		fmt.Fprintf(os.Stderr, "chaffinch-beam: %s\n", msg)
	}
}
