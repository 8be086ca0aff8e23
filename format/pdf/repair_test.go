package pdf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// packedPage returns a file with an object stream: the numbers and offsets of its objects, then data.
func packedPage(numbers, data string) []byte {
	return fmt.Appendf(nil, "%%PDF-1.7\n1 0 obj<</Type/ObjStm/N 100000/First %d>>stream\n%s%sendstream endobj\n", len(numbers), numbers, data)
}

const aPage = "<</Type/Page/Parent 9 0 R>> "

// TestRepairPacked repairs files with damaged object streams in bounded time and memory.
func TestRepairPacked(t *testing.T) {
	if b := repair(packedPage("2 0 ", aPage)); !bytes.Contains(b, []byte("2 0 obj\n"+aPage)) {
		t.Errorf("%s", b)
	}
	for _, numbers := range []string{
		"2 9223372036854775807 3 9223372036854775807 ", "2 -1 ", "x 0 ", "2 0 3 -5 ", "2 1000 ", "2000000000 0 ", "9223372036854775807 0 ",
	} {
		if b := repair(packedPage(numbers, aPage)); b != nil {
			t.Errorf("%s: %s", numbers, b)
		}
	}
	var numbers strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&numbers, "%d %d ", i+2, i%2*100_000)
	}
	raw := packedPage(numbers.String(), strings.Repeat(aPage, 4000))
	if b := repair(raw); len(b) == 0 || len(b) > 2*len(raw) {
		t.Errorf("overlapping objects: %d bytes of a file of %d", len(b), len(raw))
	}
}

// scanSimply is scan in quadratic time.
func scanSimply(raw []byte) (out []object) {
	for at := 0; ; {
		i := bytes.Index(raw[at:], []byte("obj"))
		if i < 0 {
			return out
		}
		i += at
		at = i + 3
		number, ok := numberBefore(raw[:i])
		if !ok {
			continue
		}
		body := raw[at:]
		end, stream := bytes.Index(body, []byte("endobj")), bytes.Index(body, []byte("stream"))
		if stream >= 0 && (end < 0 || stream < end) {
			if s := bytes.Index(body[stream:], []byte("endstream")); s >= 0 {
				if e := bytes.Index(body[stream+s:], []byte("endobj")); e >= 0 {
					end = stream + s + e
				} else {
					end = stream + s + len("endstream")
				}
			} else if end < 0 {
				return append(out, object{number, append(bytes.Clone(body), "\nendstream"...)})
			}
		}
		if end < 0 {
			return out
		}
		out = append(out, object{number, body[:end]})
		at += end
	}
}

// TestScan compares scan with a simple version on random files. A large file with many objects and
// without streams must not take quadratic time.
func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"1 0 obj", "2 0 obj ", "obj", "endobj", " endobj\n", "stream", "endstream", " ", "<</Type/Page>>"}
	for range 20_000 {
		var raw []byte
		for range rng.IntN(14) {
			raw = append(raw, words[rng.IntN(len(words))]...)
		}
		got, want := scan(raw), scanSimply(raw)
		if !slices.EqualFunc(got, want, func(a, b object) bool { return a.number == b.number && bytes.Equal(a.body, b.body) }) {
			t.Fatalf("%s: %d objects, want %d", raw, len(got), len(want))
		}
	}
	for _, body := range []string{"<<>>", "stream"} {
		if n := len(scan(bytes.Repeat([]byte("1 0 obj"+body+"endobj\n"), maxObjects))); n != maxObjects {
			t.Errorf("%s: %d objects", body, n)
		}
	}
}
