package blocks

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// shaped returns a page of a type, with the same words for all types.
func shaped(kind string, i int) string {
	sentence := fmt.Sprintf("The mill of village %d stands by the water, and its wheel turns day and night. ", i)
	switch kind {
	case "listing":
		return strings.Repeat("<div class=card><h3><a href=x>Village</a></h3><p>"+sentence+"</div>", 6+i%5)
	case "documentation":
		return "<table>" + strings.Repeat("<tr><td>mill<td>wheel<td>12", 10+i%7) + "</table><p>" + sentence
	}
	return "<h1>Village</h1>" + strings.Repeat("<p>"+strings.Repeat(sentence, 3), 4+i%6)
}

// TestTypes: types of pages are learned from the shape of pages and survive a model file.
func TestTypes(t *testing.T) {
	testkit.Slow(t)
	kinds := []string{"article", "listing", "documentation"}
	var examples []*Example
	for i := range minTyped + 10 {
		kind := kinds[i%3]
		html := shaped(kind, i)
		p := cut(t, html)
		x := must.Get(NewExample(p, Gold{Text: p.Blocks[len(p.Blocks)-1].Text, Policy: blocks.Main, Site: fmt.Sprint(i % 17), Type: kind}))(t)
		examples = append(examples, x)
	}
	cfg := small()
	cfg.Trees.Trees = 10
	m := must.Get(Train(context.Background(), cfg, examples, nil))(t)
	path := filepath.Join(t.TempDir(), "types.chf")
	must.Succeed(t, m.Save(path, model.Header{}))
	m = must.Get(blocks.Load(path))(t)
	l := must.Get(blocks.NewWith(m, blocks.Default))(t)
	for i := range 30 {
		kind := kinds[i%3]
		_, e, err := l.LabelPage(context.Background(), cut(t, shaped(kind, 1000+i)))
		must.Succeed(t, err)
		if e.Type != kind || e.TypeConfidence < .5 {
			t.Errorf("page %d: %s with probability %.2f, wanted %s", i, e.Type, e.TypeConfidence, kind)
		}
	}
	few := must.Get(learnTypes(context.Background(), examples[:minTyped-1], 1))(t)
	if few != nil {
		t.Error("types were learned from too few pages")
	}
	a := must.Get(learnTypes(context.Background(), examples, 1))(t)
	b := must.Get(learnTypes(context.Background(), examples, 3))(t)
	if !bytes.Equal(a.Forest, b.Forest) {
		t.Error("the forest depends on the number of workers")
	}
}
