package crawl

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"chaffinch/build/store"
	"chaffinch/internal/testkit/must"
)

// withoutSeeds is a store that accepts no seeds.
type withoutSeeds struct{ store.Store }

func (s withoutSeeds) Put(ctx context.Context, name, file string, replace bool) error {
	if name == sharedSeedList {
		return errors.New("no route to the store")
	}
	return s.Store.Put(ctx, name, file, replace)
}

// TestPublishSettings fails if an interrupted rank publishes settings without seeds.
func TestPublishSettings(t *testing.T) {
	folder := brokenOff(t, newSmallNet())
	for range 10 {
		s := store.Folder(t.TempDir())
		k := &rank{r: Rank{Store: withoutSeeds{s}}, dir: t.TempDir()}
		if err := k.publishSettings(t.Context(), folder); err == nil {
			t.Fatal("published the settings without seeds")
		}
		if _, err := s.Stat(t.Context(), sharedSettings); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("settings without seeds: %v", err)
		}
		k.r.Store = s
		must.Succeed(t, k.publishSettings(t.Context(), folder))
		must.Succeed(t, must.Err(sharedSeeds(t.Context(), s)))
		must.Succeed(t, must.Err(store.Read(t.Context(), s, sharedSettings, maxSettings)))
	}
}
