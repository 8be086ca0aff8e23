package plagiarism

import (
	"context"
	"path"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/plagiarism"
)

// TestFloors measures the search on the sets of lab/eval/floors.json.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	if len(f.Of("plagiarism")) == 0 {
		t.Fatal("no floors")
	}
	sets := must.Get(Open(testkit.Data(t, "plagiarism/plagiarism.tar.zst")))(t)
	for _, s := range sets {
		found := must.Get(Run(context.Background(), s, plagiarism.DefaultIndex, plagiarism.DefaultSearch))(t)
		below, err := f.Check("plagiarism/"+path.Base(s.Name), s.Fingerprint(), []floors.System{{Name: "chaffinch", Figures: Floored(Rows(s, found))}})
		must.Succeed(t, err)
		if len(below) > 0 {
			t.Error(strings.Join(below, "\n"))
		}
	}
}
