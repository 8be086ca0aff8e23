package desk

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/desk/journal"
)

// TestDamaged changes each value of the files of a set under annotation: it is not opened, with
// an error that names the file, or it answers; nothing panics.
func TestDamaged(t *testing.T) {
	dir := newSet(t, 2, 2)
	d := openDesk(t, Config{Dir: dir})
	d.label("p00", "ana", 0, labels{"labels": []LabelItem{{0, "title"}, {1, "body*"}}})
	d.label("p00", "ana", 1, labels{"labels": []LabelItem{{0, ""}}})
	must.Succeed(t, d.Close())
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, modelFolder), 0o777))
	trainings := `[{"number":1,"time":"2026-01-01T00:00:00Z","by":"ana","learned":2,"kept":1,"curve":[{"pages":2,"accuracy":0.5,"f":0.5}],"gain":{"from":0.1,"to":0.2},"next":4}]`
	must.Write(t, filepath.Join(dir, modelFolder, trainingsFile), trainings)
	people, err := filepath.Glob(filepath.Join(dir, "*", "ana"+journal.Ending))
	if err != nil || len(people) != 1 {
		t.Fatalf("%q, %v", people, err)
	}
	answers := func(what, file string) {
		t.Helper()
		err := panics.Catch(func() error {
			d, err := Open(t.Context(), Config{Dir: dir})
			if err != nil {
				return err
			}
			defer d.Close()
			mux := operations(d)
			for _, path := range []string{"?person=ana", "/pages/p00?person=ana", "/pages/p00/frame", "/agreement", "/bias", "/trainings"} {
				mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/desk"+path, nil))
			}
			return nil
		})
		if err != nil && (!strings.Contains(err.Error(), dir) || strings.Contains(panics.Detail(err), "goroutine ")) {
			t.Errorf("%s: %s: %s", file, what, panics.Detail(err))
		}
	}
	tried := 0
	for _, file := range []string{filepath.Join(dir, settingsFile), filepath.Join(dir, metaFile), filepath.Join(dir, modelFolder, trainingsFile), people[0]} {
		whole := must.Read(t, file)
		for what, b := range testkit.Damaged(whole) {
			if tried++; !testkit.Part(tried, 5) {
				continue
			}
			must.Write(t, file, b)
			answers(what, file)
		}
		must.Write(t, file, whole)
	}
	if tried < 100 {
		t.Errorf("%d changes were tried", tried)
	}
}
