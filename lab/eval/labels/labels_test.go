package labels

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/labels"
)

func toy() (docs []labels.Doc) {
	words := map[string]string{"sea": "harbour sail tide anchor mast", "kitchen": "flour oven butter spoon whisk"}
	for i := range 30 {
		for _, topic := range []string{"sea", "kitchen"} {
			w := strings.Fields(words[topic])
			var b strings.Builder
			for k := range 12 {
				fmt.Fprintf(&b, "the %s of word%d ", w[(i*k+k)%5], i*100+k*7)
			}
			docs = append(docs, labels.Doc{ID: fmt.Sprint(topic, i), Text: b.String(), Labels: []string{topic}})
		}
	}
	return docs
}

func TestRun(t *testing.T) {
	testkit.Slow(t)
	s := must.Get(New(labels.Default, toy()))(t)
	o := must.Get(s.Run(context.Background(), nil))(t)
	if docs, macro, micro := s.score(o); docs != 60 || macro < .95 || micro < .95 || o.ModelBytes < 100 || o.BytesPerSecond <= 0 {
		t.Errorf("%d documents, macro F1 %v, micro F1 %v, %v bytes, %v bytes/s", docs, macro, micro, o.ModelBytes, o.BytesPerSecond)
	}
	// Decisions that are always the same class have half the micro F1; documents left out do not count.
	other := *o
	other.Classes = make([][]string, len(o.Classes))
	for i := range 30 {
		other.Classes[i] = []string{"sea"}
	}
	if docs, macro, micro := s.score(&other); docs != 30 || micro != .5 || macro > .34 {
		t.Errorf("%d documents, macro F1 %v, micro F1 %v of one class", docs, macro, micro)
	}
	var b bytes.Buffer
	must.Succeed(t, s.Write(&b))
	if n := strings.Count(b.String(), `"labels":["sea"]`); n != 30 {
		t.Errorf("%d documents of a class written", n)
	}
	path := filepath.Join(t.TempDir(), "o.json")
	text := must.Get(json.Marshal(o))(t)
	must.Write(t, path, string(text))
	must.Succeed(t, must.Err(s.Read(path)))
	must.Write(t, path, `{"classes":[["sea"]]}`)
	must.Fail(t, must.Err(s.Read(path)), "classes of 1 documents, wanted 60")
}
