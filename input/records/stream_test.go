package records_test

import (
	"io"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// rows is a table of three rows, the second of which cannot be read.
type rows struct{ n int64 }

func (r *rows) Next(dst []byte) ([]byte, error) {
	r.n++
	switch r.n {
	case 1:
		return append(dst, `{"id":"r1","text":"one"}`...), nil
	case 2:
		return dst, io.ErrUnexpectedEOF
	case 3:
		return append(dst, `{"id":"r3","text":"three","year":3}`...), nil
	}
	return dst, io.EOF
}

func (r *rows) Row() int64         { return r.n }
func (r *rows) Goto(n int64) error { r.n = n; return nil }
func (r *rows) Close() error       { return nil }

// TestStreams reads archives and tables as JSON lines, writes them as such, and resumes at
// each place.
func TestStreams(t *testing.T) {
	inside := []testkit.File{
		{Name: "a.txt", Data: []byte("first\nsecond \"x\"\n")}, {Name: "b.jsonl", Data: []byte("{\"id\":\"b\",\"text\":\"in lines\",\"year\":1}")},
		{Name: "c.html", Data: []byte("<html><p>a page")}, {Name: "d.txt", Data: []byte("last")},
	}
	for name, b := range map[string][]byte{
		"p.tar": testkit.Tar(inside...), "p.tar.gz": testkit.Gzip(testkit.Tar(inside...)), "p.zip": testkit.Zip(inside...), "p.parquet": []byte("PAR1 and more"),
	} {
		file := must.File(t, name, b)
		var errs []string
		cfg := records.Config{
			OnError: func(e *page.Error) { errs = append(errs, e.Error()) },
			Parquet: func(io.ReaderAt, int64, ...string) (input.Rows, error) { return &rows{}, nil },
		}
		out, _, _ := rewrite(t, []string{file}, cfg, records.WriterConfig{}, nil)
		want := `{"id":"` + file + `/a.txt","text":"first\nsecond \"x\"\n"}` + "\n" + `{"id":"b","text":"in lines","year":1}` + "\n" +
			`{"id":"` + file + `/d.txt","text":"last"}` + "\n"
		bad := `member "c.html": left out: HTML`
		if name == "p.parquet" {
			want, bad = `{"id":"r1","text":"one"}`+"\n"+`{"id":"r3","text":"three","year":3}`+"\n", "unexpected EOF"
		}
		if got := strings.ReplaceAll(out, "\n\n", "\n"); got != want { // an empty line parts the files
			t.Errorf("%s:\n%s\nwanted\n%s", name, got, want)
		}
		r := must.Get(records.Open([]string{file}, cfg))(t)
		var places []records.Position
		var ids []string
		for {
			places = append(places, r.Position())
			d, err := r.Next()
			if err == io.EOF {
				break
			}
			must.Succeed(t, err)
			ids = append(ids, d.ID)
		}
		if len(errs) == 0 || !strings.Contains(errs[0], bad) {
			t.Errorf("%s: errors %q, wanted %q", name, errs, bad)
		}

		for i, at := range places {
			if err := r.Seek(at); err != nil {
				t.Fatalf("%s: Seek(%+v): %v", name, at, err)
			}
			for _, want := range ids[i:] {
				d, err := r.Next()
				if err != nil || d.ID != want {
					t.Fatalf("%s: from place %d: %v %v, wanted %s", name, i, d, err, want)
				}
			}
		}
		r.Close()
	}
}
