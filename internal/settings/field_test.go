package settings

import (
	"errors"
	"fmt"
	"testing"
)

func TestFieldError(t *testing.T) {
	err := fmt.Errorf("page: %w; nothing is written", &FieldError{"min_words", errors.New("-1, wanted 0 or more")})
	var f *FieldError
	if !errors.As(err, &f) {
		t.Fatal("not found")
	}
	if got, want := f.In(err.Error(), f.Flag()), "page: --min-words: -1, wanted 0 or more; nothing is written"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
