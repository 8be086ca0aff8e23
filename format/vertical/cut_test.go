package vertical

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestCut reads the same lines however its input comes, beside it or not.
func TestCut(t *testing.T) {
	long := strings.Repeat("long ", blockBytes/4)
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, "word%d\tä&amp;%d\n<g/>\n", i, i)
	}
	failing := errors.New("failing")
	for name, text := range map[string]string{
		"empty": "", "no newline": "<doc>\none\ttwo\nthree\tfour", "newlines": "\n\n\n", "long": "one\n" + long + "\ntwo\n" + long,
		"many": many.String(), "bytes": "a\n\xff\n\xc3\r\nd",
	} {
		for in, open := range map[string]func(string) io.Reader{
			"all":   func(s string) io.Reader { return strings.NewReader(s) },
			"bytes": func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
			"half":  func(s string) io.Reader { return iotest.HalfReader(strings.NewReader(s)) },
			"data":  func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
			"fails": func(s string) io.Reader { return io.MultiReader(strings.NewReader(s), iotest.ErrReader(failing)) },
		} {
			t.Run(name+"/"+in, func(t *testing.T) {
				if in == "bytes" && len(text) > 3*blockBytes {
					t.Skip("takes long")
				}
				var want strings.Builder
				number := int64(0)
				for line := range strings.Lines(text) { // the simple way
					number++
					fmt.Fprintf(&want, "%d: %q\n", number, strings.TrimSuffix(line, "\n"))
				}
				read := func(r *Reader) (string, error) {
					var got strings.Builder
					for {
						b, _, err := r.read()
						if err != nil {
							return got.String(), err
						}
						fmt.Fprintf(&got, "%d: %q\n", r.line.Number, strings.TrimSuffix(string(b)+"\r", "\r"))
					}
				}
				check := func(got string, err error) {
					t.Helper()
					wanted := strings.ReplaceAll(want.String(), `\r"`, `"`)
					if in == "fails" && !strings.HasSuffix(text, "\n") && text != "" { // its last line may be cut off
						wanted = wanted[:strings.LastIndexByte(wanted[:len(wanted)-1], '\n')+1]
					}
					if got != wanted {
						t.Errorf("got %.200q, want %.200q", got, wanted)
					}
					if in == "fails" != errors.Is(err, failing) || in != "fails" && err != io.EOF {
						t.Errorf("ends with %v", err)
					}
				}
				check(read(NewReader(open(text), ReaderConfig{})))
				var got string
				err := ReadAhead(open(text), ReaderConfig{}, byLength(2, 1), func(r *Reader) (err error) {
					got, err = read(r)
					return err
				})
				check(got, err)
			})
		}
	}
}

// TestBlockSize reads blocks whose fields are decoded: their sizes remain the same.
func TestBlockSize(t *testing.T) {
	c := &cutter{in: strings.NewReader(strings.Repeat("a&amp;b\n", blockBytes)), max: DefaultReader.MaxLine}
	number := func(*Column) error { return nil }
	for b := new(block); b.err == nil; {
		if c.read(b); len(b.data) > blockBytes {
			t.Fatalf("block of %d bytes, want at most %d", len(b.data), blockBytes)
		}
		if err := b.number([]Numberer{number}, &DefaultReader); err != nil {
			t.Fatal(err)
		}
	}
}
