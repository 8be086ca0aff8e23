package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Damaged yields copies of a JSON text, each with one number, boolean or string changed, together
// with a description of the change.
func Damaged(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(what string, damaged []byte) bool) {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		for {
			tok, err := dec.Token()
			if err != nil {
				return // the end, or invalid JSON
			}
			end := int(dec.InputOffset())
			start := bytes.LastIndexAny(text[:end], ":,[\n ") + 1
			var others []string
			switch tok := tok.(type) {
			case json.Number:
				others = otherNumbers(tok.String())
			case bool:
				others = []string{strconv.FormatBool(!tok), "7"}
			case string:
				if rest := bytes.TrimLeft(text[end:], " \n"); bytes.HasPrefix(rest, []byte(":")) {
					continue // the name of a field
				}
				quoted, _ := json.Marshal(tok)
				if start = end - len(quoted); start < 0 || string(text[start:end]) != string(quoted) {
					continue // written differently
				}
				others = []string{`""`, `"../../x"`, "null", "7"}
			default:
				continue
			}
			was := string(text[start:end])
			for _, x := range others {
				if x == was {
					continue
				}
				what := fmt.Sprintf("%s in place of %s at byte %d, after %.40q", x, was, start, text[max(0, start-40):start])
				if !yield(what, slices.Concat(text[:start], []byte(x), text[end:])) {
					return
				}
			}
		}
	}
}

// otherNumbers lists replacements of a number: limits of types, small numbers, adjacent numbers, a
// fraction, null.
func otherNumbers(x string) []string {
	list := []string{"-1", "0", "1", "0.5", "1e300", "4294967295", "2147483648", "9223372036854775807", "18446744073709551615", "-9223372036854775808", "null"}
	if n, err := strconv.ParseInt(x, 10, 64); err == nil && !strings.HasPrefix(x, "-0") {
		list = append(list, strconv.FormatInt(n+1, 10), strconv.FormatInt(n-1, 10), strconv.FormatInt(n+1000, 10))
	}
	return list
}

// Damage is a changed copy of a sealed JSON object (see Seal of package internal/files).
type Damage struct {
	What string
	// Stale has the checksum from before the change, Sealed a valid one.
	Stale, Sealed []byte
}

// DamagedSealed is [Damaged] for an object sealed by seal.
func DamagedSealed(t testing.TB, text []byte, seal func([]byte) []byte) iter.Seq[Damage] {
	t.Helper()
	at := bytes.LastIndex(text, []byte(`,"sum":"`))
	if at < 0 {
		t.Fatalf("no checksum: %.200s", text)
	}
	return func(yield func(Damage) bool) {
		for what, b := range Damaged(slices.Concat(text[:at], []byte("}"))) {
			if !yield(Damage{what, slices.Concat(b[:len(b)-1], text[at:]), seal(b)}) {
				return
			}
		}
	}
}
