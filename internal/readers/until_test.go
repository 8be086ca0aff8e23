package readers_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"chaffinch/internal/panics"
	"chaffinch/internal/readers"
)

// never reports that it is read, and then returns nothing.
type never struct{ asked chan bool }

func (n never) Read([]byte) (int, error) {
	n.asked <- true
	select {}
}

func TestWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan bool)
	in := readers.NewWaiting(ctx, io.MultiReader(strings.NewReader("some text"), never{asked}))
	go func() { <-asked; cancel() }()
	if b, err := io.ReadAll(in); string(b) != "some text" || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", b, err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { panic("broken") }

func TestWaitingFault(t *testing.T) {
	if _, err := io.ReadAll(readers.NewWaiting(t.Context(), broken{})); !errors.As(err, new(*panics.Panic)) {
		t.Errorf("%v, want a fault", err)
	}
}

func TestReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := readers.Until(ctx, strings.NewReader("some text"))
	if n, err := in.Read(make([]byte, 4)); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	cancel()
	if n, err := in.Read(make([]byte, 4)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
}
