package crawl

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/filter"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
	_ "chaffinch/model/data/languages"
	"chaffinch/text/langid"
)

// Settings holds the settings that a crawl stores in its folder. All except Contact, Render,
// AllowPrivate and Again are fixed at its start, because the replay of the journal depends on them.
type Settings struct {
	Version        int             `json:"version"`
	Began          time.Time       `json:"began"`
	Contact        string          `json:"contact"`
	Langs          []string        `json:"langs,omitempty"`
	NearDuplicates string          `json:"near_duplicates"`
	Schedule       schedule.Config `json:"schedule"`
	Scope          scope.Rules     `json:"scope,omitzero"`
	// Filter holds the rules of the crawl, or nil. FilterSums are checksums of their models and
	// lists.
	Filter     *filter.Config `json:"filter,omitempty"`
	FilterSums []uint64       `json:"filter_sums,omitempty"`
	// Types is the value of [Config.Types]; folders of older versions lack it.
	Types []Type `json:"types,omitempty"`
	// Render and AllowPrivate are the values of [Config.Render] and [Config.AllowPrivate] in the last run.
	Render       string `json:"render,omitempty"`
	AllowPrivate bool   `json:"allow_private,omitempty"`
	// Again is the folder of the repeated crawl, the folder or address that its ranks shared, or "". It
	// may be moved.
	Again string `json:"again,omitempty"`

	dir string // absolute
}

// version is the version of crawl folders that [Run] resumes. Folders from version oldest on can be
// read and repeated.
const (
	version = 8
	oldest  = 4
)

// defaultSchedule returns the default order of requests, with requests for opt-outs.
func defaultSchedule() schedule.Config {
	cfg := schedule.Default
	cfg.Reservations = true
	return cfg
}

const settingsName = "crawl.json"

func settingsFile(dir string) string { return filepath.Join(dir, settingsName) }

// ReadSettings returns the settings of the crawl in a folder; ok is false if there
// is none.
func ReadSettings(dir string) (s Settings, ok bool, err error) {
	if s, ok, err = readSettings(os.DirFS(dir)); err != nil {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return s, ok, err
}

// SettingsOf is like [ReadSettings], but a folder without a crawl is an error.
func SettingsOf(dir string) (Settings, error) {
	s, ok, err := ReadSettings(dir)
	if err == nil && !ok {
		err = fmt.Errorf("%s: no crawl in this folder: wanted a folder with %s", dir, settingsName)
	}
	return s, err
}

// readSettings is ReadSettings; its errors do not name the folder.
func readSettings(dir fs.FS) (s Settings, ok bool, err error) {
	const name = settingsName
	b, err := fs.ReadFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	s, err = parseSettings(name, b)
	return s, err == nil, err
}

// parseSettings parses the settings in a file.
func parseSettings(name string, b []byte) (s Settings, err error) {
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%s: %w: the file is damaged", name, err)
	}
	if s.Version < oldest || s.Version > version {
		return s, fmt.Errorf("%s: crawl of version %d, wanted %d to %d: use the version of the program that started it, or start a new crawl with its archives (warc/) as seeds", name, s.Version, oldest, version)
	}
	return s, nil
}

// keepSettings stores the settings of a new crawl, and rejects changed settings when a crawl is
// resumed.
func (c *crawl) keepSettings() error {
	now := Settings{Version: version, Began: time.Now().UTC(), Contact: c.cfg.Contact, Langs: langNames(c.cfg.Clean.Langs), NearDuplicates: c.cfg.NearDuplicates, Schedule: c.cfg.Schedule, Scope: c.cfg.Scope, Filter: c.cfg.Clean.Filter, Types: c.cfg.Types, Render: c.cfg.Render, AllowPrivate: c.cfg.AllowPrivate, Again: c.cfg.Again}
	if now.Filter != nil {
		set, err := filter.New(*now.Filter)
		if err != nil {
			return err
		}
		now.FilterSums = set.ModelSums()
	}
	was, ok, err := ReadSettings(c.cfg.Dir)
	if err != nil {
		return err
	}
	if now.dir, err = filepath.Abs(c.cfg.Dir); err != nil {
		return err
	}
	if now.Again != "" && !store.IsAddress(now.Again) {
		if now.Again, err = filepath.Abs(now.Again); err != nil {
			return err
		}
	}
	if ok {
		if was.Version != version {
			return fmt.Errorf("%s: crawl of version %d, wanted %d to resume: use the version of the program that started it, or repeat it in a new folder", settingsFile(c.cfg.Dir), was.Version, version)
		}
		now.Began = was.Began
		if was.Again != "" { // the folder may have moved
			was.Again = cmp.Or(now.Again, was.Again)
			now.Again = was.Again
		}
		if list := changedSettings(was, now); len(list) > 0 {
			return fmt.Errorf("%s: the crawl was started with other settings: %s: use those, or start a new folder", settingsFile(c.cfg.Dir), strings.Join(list, ", "))
		}
	}
	c.settings = now
	return files.WriteJSON(settingsFile(c.cfg.Dir), now, "  ")
}

// Languages returns the languages of the crawl in the syntax of the command, with minimum
// confidence and share.
func (s *Settings) Languages() []string {
	list := slices.Clone(s.Langs)
	for i, share := range s.Schedule.Shares {
		list[i] += "=" + strconv.FormatFloat(share, 'g', -1, 64)
	}
	return list
}

// langNames formats wanted languages in the syntax of langid.ParseWanted.
func langNames(list []langid.Wanted) (names []string) {
	for _, l := range list {
		name := l.Lang
		if l.MinConfidence != 0 {
			name += ":" + strconv.FormatFloat(l.MinConfidence, 'g', -1, 64)
		}
		names = append(names, name)
	}
	return names
}

// checkShares returns an error unless there is one positive share for each language.
func checkShares(shares []float64, langs []string) error {
	if shares == nil {
		return nil
	}
	if len(shares) != len(langs) || len(langs) > math.MaxUint8 {
		return fmt.Errorf("%d shares for %d languages, wanted one for each of at most %d", len(shares), len(langs), math.MaxUint8)
	}
	for i, s := range shares {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("share of %s: %v, wanted more than 0", langs[i], s)
		}
	}
	return nil
}

// rulesOf returns the names of the rules of a filter, which may be nil.
func rulesOf(cfg *filter.Config) []string {
	if cfg == nil {
		return nil
	}
	return cfg.Use
}

// changedSettings describes the settings that differ.
func changedSettings(was, now Settings) (list []string) {
	show := func(v any) string {
		if b, _ := json.Marshal(v); string(b) != "null" {
			return strings.ReplaceAll(string(b), `"`, "")
		}
		return "none"
	}
	compare := func(name string, a, b any) {
		if x, y := show(a), show(b); x != y {
			list = append(list, fmt.Sprintf("%s %s, now %s", name, x, y))
		}
	}
	compare("langs", was.Langs, now.Langs)
	compare("within", was.Scope.Within, now.Scope.Within)
	compareLists := func(name string, a, b []string) {
		if !slices.Equal(a, b) {
			x, y := show(a), show(b)
			if len(x)+len(y) > 200 {
				x, y = fmt.Sprintf("%d patterns", len(a)), fmt.Sprintf("%d patterns", len(b))
			}
			list = append(list, fmt.Sprintf("%s %s, now %s", name, x, y))
		}
	}
	compareLists("list of within", was.Scope.Sites, now.Scope.Sites)
	compareLists("include", was.Scope.Include, now.Scope.Include)
	compareLists("exclude", was.Scope.Exclude, now.Scope.Exclude)
	before, after := rulesOf(was.Filter), rulesOf(now.Filter)
	compare("filter", before, after)
	if slices.Equal(before, after) && (show(was.Filter) != show(now.Filter) || !slices.Equal(was.FilterSums, now.FilterSums)) {
		list = append(list, "limits, models or lists of filter "+strings.Join(after, ", "))
	}
	compareLists("types", formatsOf(was.Types), formatsOf(now.Types))
	compare("near-duplicates", was.NearDuplicates, now.NearDuplicates)
	compare("again", was.Again, now.Again)
	a, b := reflect.ValueOf(was.Schedule), reflect.ValueOf(now.Schedule)
	for i, key := range settings.Names(was.Schedule) {
		name := strings.ReplaceAll(key, "_", "-") // as a flag
		if (name == "address-delay" || name == "max-delay") && was.Schedule.Delay != now.Schedule.Delay {
			continue // it follows the delay
		}
		x, y := a.Field(i).Interface(), b.Field(i).Interface()
		if d, ok := x.(time.Duration); ok {
			x, y = d.String(), y.(time.Duration).String()
		}
		compare(name, x, y)
	}
	return list
}
