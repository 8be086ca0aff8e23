package nontext_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	trainnontext "chaffinch/lab/train/nontext"
)

// TestAllHeldOut: documents of one site are held out together, which may leave none to
// learn from.
func TestAllHeldOut(t *testing.T) {
	left := 0
	for i := range 40 {
		docs := make([]trainnontext.Doc, 20)
		for k := range docs {
			docs[k] = trainnontext.Doc{Site: fmt.Sprint("site", i), Text: strings.Repeat(fmt.Sprintf("The ferry number %d leaves the harbour early. ", k), 20)}
		}
		_, _, err := trainnontext.Train(context.Background(), trainnontext.DefaultShapes, trainnontext.Data{Good: docs, Bad: docs})
		if err == nil {
			t.Fatal("a model of documents of one site")
		}
		if strings.Contains(err.Error(), "to learn from") {
			left++
		}
	}
	if left == 0 {
		t.Error("no site of 40 was held out")
	}
}
