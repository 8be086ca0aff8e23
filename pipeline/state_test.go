package pipeline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/pipeline"
)

// TestBeginUnwritable names the output in the error over a checkpoint that cannot be written.
func TestBeginUnwritable(t *testing.T) {
	out := filepath.Join(t.TempDir(), strings.Repeat("a", 252)) // with .state longer than file systems allow
	s := pipeline.State[pipeline.Report]{}
	err := s.Begin(pipeline.StateFile(out), out, false, true, func(*pipeline.State[pipeline.Report]) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "output "+out+": its checkpoint cannot be written: ") {
		t.Errorf("error %v", err)
	}
}
