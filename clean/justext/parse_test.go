package justext_test

import (
	"path/filepath"
	"testing"

	"chaffinch/clean/justext"
	"chaffinch/internal/testkit/must"
	train "chaffinch/lab/train/justext"
)

func FuzzParse(f *testing.F) {
	path := filepath.Join(f.TempDir(), "lists.chf")
	lists := []train.Trained{
		{Stoplist: justext.NewStoplist("de", []string{"der", "die"}), TextWords: 100, Sources: []string{"a"}},
		{Stoplist: justext.NewStoplist("en", []string{"the"}), TextWords: 50},
	}
	must.Succeed(f, train.Write(path, lists, train.Default, "", "test"))
	seed := must.Read(f, path)
	f.Add(seed)
	f.Add([]byte("CHFMODEL"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := justext.Parse("fuzz", b)
		if err != nil {
			return
		}
		for _, c := range l.Cards() {
			l.Get(c.Lang)
		}
	})
}
