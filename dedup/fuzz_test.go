package dedup

import (
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

var stateSeeds = []string{
	`{}`,
	`{"format":1,"Format":1}`,
	`{"format":1,"docs":1,"ids":"ids","tables":{"units":null}}`,
	`{"format":1,"docs":-1}`,
	`{"format":1,"Format":1,"tables":{"units":{"Name":"units","Record":25,"Key":16,"Doc":16,"Runs":[{"name":"units-000000.run","records":3,"record":25,"key":25}]}}}`,
	`{"format":1,"forgotten":1,"gone":"../1.gone"}`,
	`[`,
}

// FuzzState: whatever a manifest or index says, it is opened or refused.
func FuzzState(f *testing.F) {
	for _, s := range stateSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		dir := t.TempDir()
		for _, name := range []string{indexName, manifestName} {
			must.Succeed(t, writeChecked(filepath.Join(dir, name), []byte(line)))
		}
		if x, err := OpenIndex(dir); err == nil {
			x.Info()
		}
		if m, err := loadManifest(dir); err == nil && m == nil {
			t.Error("no manifest, no error")
		}
	})
}
