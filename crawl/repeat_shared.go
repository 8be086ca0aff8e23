package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"chaffinch/build/store"
	"chaffinch/crawl/epochs"
	"chaffinch/crawl/schedule"
)

// OpenStore opens the store of a folder or an address. A nil OpenStore opens folders only.
type OpenStore func(name string) (store.Store, error)

// Objects of a crawl of ranks that allow to repeat it, beside the outputs of each epoch.
const (
	sharedSettings = "settings.json"
	sharedSeedList = "seeds.json"
	visitsSuffix   = ".visits" // places of the responses of a rank in an epoch
	archiveSuffix  = ".warc.gz"
)

// Bounds of objects in bytes.
const (
	maxSettings = 64 << 20
	maxVisitsOf = 1 << 32
)

// RepeatedSettings returns the settings of a crawl in a folder, or of ranks in a store. Then it returns
// the store, too.
func RepeatedSettings(ctx context.Context, open OpenStore, name string) (s Settings, shared store.Store, err error) {
	if !store.IsAddress(name) {
		var ok bool
		if s, ok, err = ReadSettings(name); ok || err != nil {
			return s, nil, err
		}
	}
	switch {
	case open != nil:
		if shared, err = open(name); err != nil {
			return s, nil, err
		}
	case store.IsAddress(name):
		return s, nil, fmt.Errorf("%s: an address: wanted a folder", name)
	default:
		shared = store.Folder(name)
	}
	text, err := store.Read(ctx, shared, sharedSettings, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil, fmt.Errorf("%s: no crawl to repeat: wanted the folder of a crawl, or the place that ranks share; if it was moved, give its new place", name)
	}
	if err == nil {
		s, err = parseSettings(sharedSettings, text)
	}
	if err != nil {
		return s, nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, shared, nil
}

// sharedSeeds returns the seeds of a crawl of ranks.
func sharedSeeds(ctx context.Context, s store.Store) (seeds []schedule.Link, err error) {
	text, err := store.Read(ctx, s, sharedSeedList, int64(maxLine))
	if err == nil {
		err = json.Unmarshal(text, &seeds)
	}
	if err != nil {
		return nil, fmt.Errorf("%s in %s: cannot read the seeds of the crawl: %w", sharedSeedList, s, err)
	}
	return seeds, nil
}

// publishSettings publishes the settings and the seeds of the crawl, unless a rank has published them.
func (k *rank) publishSettings(ctx context.Context, dir string) error {
	if _, err := k.r.Store.Stat(ctx, sharedSettings); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s, err := SettingsOf(dir)
	if err != nil {
		return err
	}
	seeds, err := oldSeeds(dir)
	if err != nil {
		return err
	}
	for i := range seeds {
		seeds[i].Depth = 0 // another rank has fetched it
	}
	// The settings are last: if they exist, so do the seeds.
	for _, object := range []struct {
		name string
		v    any
	}{{sharedSeedList, seeds}, {sharedSettings, s}} {
		text, err := json.Marshal(object.v)
		if err != nil {
			return err
		}
		if err := store.Write(ctx, k.r.Store, k.dir, object.name, text, false); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// sharedArchives are the archives of a crawl of ranks, in the order of its seals.
type sharedArchives struct {
	store   store.Store
	objects []string
}

// openShared lists the archives that count.
func openShared(ctx context.Context, s store.Store) (*sharedArchives, error) {
	seals, err := epochs.Seals(ctx, s)
	if err != nil {
		return nil, err
	}
	a := &sharedArchives{store: s}
	for _, seal := range seals {
		for _, rank := range slices.Sorted(maps.Keys(seal.Bundles)) {
			a.objects = append(a.objects, seal.Bundles[rank].Objects...)
		}
	}
	return a, nil
}

func (a *sharedArchives) name(number int) string {
	return a.objects[number] + " in " + a.store.String()
}

func (a *sharedArchives) open(number int, offset int64) (io.ReadCloser, error) {
	return a.store.Open(context.Background(), a.objects[number], offset, -1)
}

// places returns the positions of all responses. In the objects of ranks, the number of an archive is
// part of its name.
func (a *sharedArchives) places(ctx context.Context) (list []place, err error) {
	numbers := map[string]int{}
	for i, name := range a.objects {
		numbers[name] = i
	}
	for _, name := range a.objects {
		base, ok := strings.CutSuffix(name, visitsSuffix)
		if !ok {
			continue
		}
		text, err := store.Read(ctx, a.store, name, maxVisitsOf)
		if err != nil {
			return nil, err
		}
		for ; len(text) >= placeBytes; text = text[placeBytes:] {
			b := place(text)
			archive, offset := b.archive()
			number, ok := numbers[base+sharedArchive(int(archive))]
			if !ok {
				return nil, fmt.Errorf("%s in %s: archive %d is missing: restore it from a backup", name, a.store, archive)
			}
			b.set(uint32(number), offset)
			list = append(list, b)
		}
	}
	return list, nil
}

// sharedArchive returns the end of the name of the object with the part of an archive in an epoch.
func sharedArchive(number int) string { return fmt.Sprintf("-%05d%s", number, archiveSuffix) }
