package epochs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/periodic"
)

// Exchange is the part of a rank in the exchange of links.
type Exchange struct {
	Store store.Store
	// Rank is the name of the rank: letters, digits and hyphens.
	Rank string
	// Dir is a folder for temporary files.
	Dir string
	// Lease is the age of a heartbeat after which a rank counts as dead. All ranks use the same.
	Lease time.Duration
	// Limit is the most pages of the crawl. All ranks use the same. Default: no limit.
	Limit int64
	// Now returns the time. Default: time.Now.
	Now func() time.Time
}

const (
	ranksFolder  = "ranks/"
	epochsFolder = "epochs/"
	sealName     = "seal.json"
	linksSuffix  = ".links"
)

func (x *Exchange) now() time.Time {
	if x.Now != nil {
		return x.Now()
	}
	return time.Now()
}

func epochFolder(epoch int) string { return fmt.Sprintf("%s%06d/", epochsFolder, epoch) }

func bundleName(epoch int, rank string) string { return epochFolder(epoch) + rank + linksSuffix }

// maxSeal bounds the bytes of a seal.
const maxSeal = 64 << 20

// Beat publishes the heartbeat of the rank: an object whose name ends with the time, so that one
// request lists the heartbeats of all ranks.
func (x *Exchange) Beat(ctx context.Context) error {
	name := fmt.Sprintf("%s%s@%d", ranksFolder, x.Rank, x.now().Unix())
	if err := store.Write(ctx, x.Store, x.Dir, name, []byte("alive\n"), true); err != nil {
		return err
	}
	return x.removeBeats(ctx, name)
}

// Leave publishes that the rank ends. Its partitions get other owners with the next seal.
func (x *Exchange) Leave(ctx context.Context) error { return x.removeBeats(ctx, "") }

// removeBeats removes the heartbeats of the rank but one.
func (x *Exchange) removeBeats(ctx context.Context, kept string) error {
	var old []string
	for o, err := range x.Store.List(ctx, ranksFolder+x.Rank+"@") {
		if err != nil {
			return err
		}
		if o.Name != kept {
			old = append(old, o.Name)
		}
	}
	for _, name := range old {
		if err := x.Store.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// alive returns the ranks with a recent heartbeat.
func (x *Exchange) alive(ctx context.Context) (list []string, err error) {
	for o, err := range x.Store.List(ctx, ranksFolder) {
		if err != nil {
			return nil, err
		}
		rank, at, ok := strings.Cut(strings.TrimPrefix(o.Name, ranksFolder), "@")
		seconds, err := strconv.ParseInt(at, 10, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s in %s: no heartbeat: remove it", o.Name, x.Store)
		}
		if x.now().Sub(time.Unix(seconds, 0)) < x.Lease && !slices.Contains(list, rank) {
			list = append(list, rank)
		}
	}
	return list, nil
}

// Publish publishes the bundle of an epoch. It returns an error that wraps [fs.ErrExist] if the rank
// has published it before.
func (x *Exchange) Publish(ctx context.Context, epoch int, b *Bundle, r Report) error {
	r.Links = b.Links()
	name := filepath.Join(x.Dir, "bundle")
	if err := b.write(name, r); err != nil {
		return err
	}
	for {
		err := x.Store.Put(ctx, bundleName(epoch, x.Rank), name, false)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if o, e := x.Store.Stat(ctx, bundleName(epoch, x.Rank)); e != nil || o.Size > 0 {
			return errors.Join(err, e)
		}
		// The rank was killed after it had reserved the name, see [store.Folder].
		if err := periodic.Pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// readSeal returns the seal of an epoch. The error wraps [fs.ErrNotExist] if there is none.
func readSeal(ctx context.Context, s store.Store, epoch int) (*Seal, error) {
	name := epochFolder(epoch) + sealName
	text, err := store.Read(ctx, s, name, maxSeal)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 { // its name is reserved, see [store.Folder]
		return nil, fmt.Errorf("%s in %s: %w", name, s, fs.ErrNotExist)
	}
	var seal Seal
	if err := json.Unmarshal(text, &seal); err != nil {
		return nil, fmt.Errorf("%s in %s: %w: restore it from a backup", name, s, err)
	}
	if len(seal.Owners) != Partitions || seal.Epoch != epoch {
		return nil, fmt.Errorf("%s in %s: epoch %d with %d owners, wanted %d with %d: restore it from a backup", name, s, seal.Epoch, len(seal.Owners), epoch, Partitions)
	}
	for _, at := range seal.Owners {
		if at < 0 || at >= len(seal.Ranks) {
			return nil, fmt.Errorf("%s in %s: owner %d of %d: restore it from a backup", name, s, at, len(seal.Ranks))
		}
	}
	return &seal, nil
}

// Seal returns the seal after last, and publishes it if all ranks of last have a bundle or are dead.
// It returns nil if some rank is not ready. If last is nil, it returns the seal of epoch 0, before
// the first epoch.
func (x *Exchange) Seal(ctx context.Context, last *Seal) (*Seal, error) {
	epoch := 0
	if last != nil {
		epoch = last.Epoch + 1
	}
	if s, err := readSeal(ctx, x.Store, epoch); !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	alive, err := x.alive(ctx)
	if err != nil {
		return nil, err
	}
	bundles := map[string]Report{}
	if last == nil {
		last = &Seal{Epoch: -1}
	} else if bundles, err = x.reports(ctx, last, alive); err != nil || bundles == nil {
		return nil, err
	}
	if len(alive) == 0 {
		return nil, nil
	}
	next := last.assign(alive)
	next.Bundles, next.Pages, next.Limit = bundles, last.Pages, x.Limit
	for _, r := range bundles {
		next.Pages += r.Pages
	}
	if epoch > 0 && quiet(bundles) && len(bundles) == len(last.Ranks) {
		next.Quiet = last.Quiet + 1
	}
	text, err := json.Marshal(next)
	if err != nil {
		return nil, err
	}
	err = store.Write(ctx, x.Store, x.Dir, epochFolder(epoch)+sealName, text, false)
	if !errors.Is(err, fs.ErrExist) {
		return next, err
	}
	s, err := readSeal(ctx, x.Store, epoch)
	if errors.Is(err, fs.ErrNotExist) { // not written yet
		return nil, nil
	}
	return s, err
}

// reports returns the reports of the bundles after a seal, or nil if a living rank has none yet.
func (x *Exchange) reports(ctx context.Context, last *Seal, alive []string) (map[string]Report, error) {
	epoch := last.Epoch + 1
	have := map[string]bool{}
	for o, err := range x.Store.List(ctx, epochFolder(epoch)) {
		if err != nil {
			return nil, err
		}
		if rank, ok := strings.CutSuffix(strings.TrimPrefix(o.Name, epochFolder(epoch)), linksSuffix); ok && o.Size > 0 {
			have[rank] = true
		}
	}
	for _, rank := range last.Ranks {
		if !have[rank] && slices.Contains(alive, rank) {
			return nil, nil
		}
	}
	bundles := map[string]Report{}
	for _, rank := range last.Ranks {
		if !have[rank] {
			continue
		}
		h, _, err := readHead(ctx, x.Store, bundleName(epoch, rank))
		if err != nil {
			return nil, err
		}
		bundles[rank] = h.Report
	}
	return bundles, nil
}

// Links calls fn for the links and fetched URLs that the bundles of a seal hold for partitions. Each
// bundle lists the fetched URLs of a partition first.
func (x *Exchange) Links(ctx context.Context, s *Seal, parts []int, fn func(schedule.Link) error) error {
	if len(parts) == 0 {
		return nil // reads no bundle
	}
	for _, rank := range slices.Sorted(maps.Keys(s.Bundles)) {
		if err := readParts(ctx, x.Store, bundleName(s.Epoch, rank), parts, fn); err != nil {
			return err
		}
	}
	return nil
}

// History calls fn for the links and fetched URLs of partitions in the epochs up to s. Fetched URLs
// of all epochs come first.
func (x *Exchange) History(ctx context.Context, s *Seal, parts []int, fn func(schedule.Link) error) error {
	if len(parts) == 0 {
		return nil // reads no seal
	}
	var seals []*Seal
	for epoch := 1; epoch <= s.Epoch; epoch++ {
		seal, err := readSeal(ctx, x.Store, epoch)
		if err != nil {
			return err
		}
		seals = append(seals, seal)
	}
	for _, fetched := range []bool{true, false} {
		for _, seal := range seals {
			err := x.Links(ctx, seal, parts, func(l schedule.Link) error {
				if (l.Depth == schedule.Fetched) != fetched {
					return nil
				}
				return fn(l)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Seals returns the seals of a crawl.
func Seals(ctx context.Context, s store.Store) (list []*Seal, err error) {
	for epoch := 0; ; epoch++ {
		seal, err := readSeal(ctx, s, epoch)
		if errors.Is(err, fs.ErrNotExist) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, seal)
	}
}
