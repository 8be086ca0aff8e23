package crawl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/testkit/must"
)

// TestFollow lets a journal grow by some bytes at a time, with half lines and new journals,
// and wants the followed history to equal the history of a complete reading.
func TestFollow(t *testing.T) {
	dir := begun(t, 40)
	var journals [][]byte
	for n := 1; ; n++ {
		b, err := os.ReadFile(journalName(dir, n))
		if os.IsNotExist(err) {
			break
		}
		must.Succeed(t, err)
		journals = append(journals, b)
	}
	if len(journals) == 1 { // as if a checkpoint had been written on the way
		b := journals[0]
		cut := bytes.IndexByte(b[len(b)/2:], '\n') + len(b)/2 + 1
		journals = [][]byte{b[:cut], b[cut:]}
	}
	growing := t.TempDir()
	settings := must.Read(t, settingsFile(dir))
	for name, b := range map[string][]byte{settingsFile(growing): settings, filepath.Join(growing, "journal", "x"): nil} {
		must.Write(t, name, b)
	}
	h := OpenHistory(os.DirFS(growing))
	updates := 0
	ended, end := context.WithCancel(t.Context())
	end()
	for i, b := range journals {
		for at, step := 0, 1; at < len(b); step = step*2%601 + 1 {
			to := min(at+step, len(b))
			f := must.Get(os.OpenFile(journalName(growing, i+1), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666))(t)
			f.Write(b[at:to])
			f.Close()
			if at = to; at%3 != 0 {
				continue // the next update meets more
			}
			updates++
			must.Is(t, h.Update(ended), context.Canceled)
			must.Succeed(t, h.Update(t.Context()))
			want := must.Get(ReadHistory(t.Context(), growing, nil))(t)
			if !reflect.DeepEqual(h.Snapshot(), want.Snapshot()) || !reflect.DeepEqual(h.Sites, want.Sites) || !reflect.DeepEqual(h.Curve, want.Curve) || h.Minute != want.Minute {
				t.Fatalf("journal %d, byte %d: followed %+v, read at once %+v", i+1, to, h.Snapshot(), want.Snapshot())
			}
		}
	}
	must.Succeed(t, h.Update(t.Context()))
	if want, err := ReadHistory(t.Context(), dir, nil); err != nil || !reflect.DeepEqual(h.Sites, want.Sites) || updates < 10 {
		t.Errorf("%v; %d updates, %d sites", err, updates, len(h.Sites))
	}
}

func TestNature(t *testing.T) {
	for _, c := range []struct {
		site Site
		want string
	}{
		{Site{Pages: 3, Reasons: map[string]int64{duplicate: 3}}, ""},
		{Site{Pages: 20, Records: 4, Reasons: map[string]int64{duplicate: 9, nearDuplicate: 5}}, "mirror"},
		{Site{Pages: 20, Records: 12, Reasons: map[string]int64{duplicate: 8}}, ""},
		{Site{Pages: 100, Records: 2, Known: 900}, "trap"},
		{Site{Pages: 100, Records: 2, Known: 200}, ""},
		{Site{Pages: 100, Records: 40, Known: 900}, ""},
	} {
		if got := c.site.Anomaly(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.site, got, c.want)
		}
	}
}

// TestWeights fails if the weights of the hosts of a crawl cannot be read, or if low ones have no reason.
func TestWeights(t *testing.T) {
	h := must.Get(ReadHistory(t.Context(), begun(t, 40), nil))(t)
	must.Succeed(t, h.ReadWeights())
	seeds := 0
	for _, s := range h.Sites {
		if s.Pages > 0 && s.Weights == nil {
			t.Errorf("%s: no weights", s.Origin)
		}
		if w := s.Weights; w != nil && w.Trust == 1 && w.Expected > 0 && w.Value() <= w.Expected {
			seeds++
		}
	}
	if seeds == 0 {
		t.Error("no host has the trust of a seed")
	}
	for _, c := range []struct {
		weights *schedule.Weights
		want    string
	}{
		{nil, ""},
		{&schedule.Weights{Trust: .6, Targets: .7}, ""},
		{&schedule.Weights{Trust: .3, Targets: .4}, "few links from trusted sites"},
		{&schedule.Weights{Trust: .9, Targets: .4}, "links to sites with little trust"},
	} {
		if got := (&Site{Weights: c.weights}).Distrust(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.weights, got, c.want)
		}
	}
}
