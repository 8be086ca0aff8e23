package lines

import (
	"context"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestLabeller: groups of columns that do not exist, or all of them, cannot be left out.
func TestLabeller(t *testing.T) {
	s := mini(t)
	groups := Groups()
	if groups[len(groups)-1] != "ngrams" || len(groups) < 5 {
		t.Errorf("groups %v", groups)
	}
	train := func(without []string) error {
		return must.Err(newLabeller(SystemOptions{Without: without}).Train(context.Background(), s.Docs, nil, 1, nil))
	}
	must.Fail(t, train([]string{"nothing"}), `"nothing"`)
	must.Fail(t, train(groups), "nothing to learn from")
}
