package beam

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// IsWorker reports whether the arguments are those with which a runner starts a worker.
func IsWorker(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(strings.TrimLeft(a, "-"), "provision_endpoint") {
			return true
		}
	}
	return false
}

// Work runs a worker, like the boot program of a Beam container, which fetches and starts the
// worker. It does not return while there is work.
func Work(ctx context.Context, args []string) error {
	if dir := os.Getenv(folderVariable); dir != "" {
		if err := os.Chdir(dir); err != nil {
			return fmt.Errorf("the folder that the build was started in: %w", err)
		}
	}
	flags := flag.NewFlagSet("worker", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	id := flags.String("id", "", "")
	provision := flags.String("provision_endpoint", "", "")
	logging := flags.String("logging_endpoint", "", "")
	control := flags.String("control_endpoint", "", "")
	for _, name := range []string{"artifact_endpoint", "semi_persist_dir"} {
		flags.String(name, "", "")
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, *id), *provision)
	if err != nil {
		return fmt.Errorf("instructions of the worker: %w", err)
	}
	if at := info.GetLoggingEndpoint(); at != nil {
		*logging = at.GetUrl()
	}
	if at := info.GetControlEndpoint(); at != nil {
		*control = at.GetUrl()
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"worker": "true", "id": *id, "logging_endpoint": *logging, "control_endpoint": *control, "options": options} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	beam.Init() // processes the work and exits
	return errors.New("the worker has ended")
}
