package space

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/problem"
)

// TestWorkspaceSize: items and log of a workspace stay within their limit, whatever a user stores.
func TestWorkspaceSize(t *testing.T) {
	dir := t.TempDir()
	team := journal.Team[*workspace, event]{Folder: dir, Start: newWorkspace, Apply: func(w *workspace, e event) (int, error) { return 0, w.apply(e) }}
	w, err := team.Person("anna")
	must.Succeed(t, err)
	w.most = 5000
	put := func(kind, id string, n int) error {
		return w.change(newEvent(kind, id, map[string]string{"name": strings.Repeat("x", n)}))
	}
	for i := range 100 { // one item, changed again and again
		must.Succeed(t, put(kindSaved, "one", 1000+i))
	}
	st := must.Get(os.Stat(filepath.Join(dir, "anna.jsonl")))(t)
	if st.Size() > 12_000 {
		t.Errorf("a log of %d bytes", st.Size())
	}
	n := 0
	for ; err == nil && n < 100; n++ {
		err = put(kindSaved, fmt.Sprint("more", n), 1000)
	}
	if n < 3 || n > 10 || err == nil || problem.Of(err).Status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d items: %v", n, err)
	}
	must.Succeed(t, w.change(event{Kind: kindSaved, ID: "one"}))
	must.Succeed(t, put(kindSaved, "two", 10))
	must.Succeed(t, team.Close())
	again := journal.Team[*workspace, event]{Folder: dir, Start: newWorkspace, Apply: team.Apply}
	same := must.Get(again.Person("anna"))(t)
	if len(same.saved) != len(w.saved) || same.saved["two"].Name != "xxxxxxxxxx" || same.logged != w.logged {
		t.Errorf("%d items of %d bytes, wanted %d of %d", len(same.saved), same.logged, len(w.saved), w.logged)
	}
}
