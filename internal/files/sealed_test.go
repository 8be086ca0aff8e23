package files

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestSealed wants every changed byte of a sealed file to be found, and files of earlier
// versions to be read.
func TestSealed(t *testing.T) {
	type state struct{ Done, Left int }
	for _, indent := range []string{"", " ", "  "} {
		name := filepath.Join(t.TempDir(), "state.json")
		must.Succeed(t, WriteSealed(name, state{7, 8}, indent))
		b := must.Read(t, name)
		var got state
		if err := Unseal(b, &got); err != nil || got != (state{7, 8}) {
			t.Fatalf("%s: %+v, %v", b, got, err)
		}
		for i := range b[:bytes.LastIndex(b, []byte(sumField))] {
			d := bytes.Clone(b)
			d[i] ^= 1
			if err := Unseal(d, &got); err == nil {
				t.Errorf("%s passes for %s", d, b)
			}
		}
		digit := bytes.Replace(b, []byte("7"), []byte("9"), 1)
		if err := Unseal(digit, &got); !errors.Is(err, ErrSum) || got.Done != 9 {
			t.Errorf("%s: %+v, %v", digit, got, err)
		}
	}
	var got state
	if err := Unseal([]byte("{\"Done\":1}\n"), &got); err != nil || got.Done != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
