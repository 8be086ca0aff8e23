package perplexity

import (
	"bytes"
	"io"
	"math"
	"path"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/words"
)

// TestWebLimits computes the limits of the embedded English model again, from gold text of
// pages that it was not trained on.
func TestWebLimits(t *testing.T) {
	var gold bytes.Buffer
	for _, set := range []string{"google-trends-2017", "l3s-gn1"} {
		must.Succeed(t, archive.Walk(testkit.Data(t, "eval/"+set+".tar.zst"), func(name string, r io.Reader) error {
			if path.Base(path.Dir(name)) != "gold" {
				return nil
			}
			_, err := io.Copy(&gold, r)
			gold.WriteByte('\n')
			return err
		}))
	}
	m := must.Get(Load("en", ""))(t)
	c := must.Get(Calibrate(Default, m, nil, &gold))(t)
	for keep, limit := range webLimits["en"] {
		t.Logf("%v: limit %.0f of %d sentences; %v keeps %.4f", keep, c.Limit(keep), c.Units(), limit, c.Kept(limit))
		if math.Abs(c.Kept(limit)-keep) > .001 {
			t.Errorf("limit %v keeps %.4f, wanted %v: take %.0f", limit, c.Kept(limit), keep, c.Limit(keep))
		}
	}
}
