package reports

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
	"chaffinch/internal/truth"
)

// List lists the reports: running ones first, then the newest. Folders are visited by depth,
// so that many files in one folder do not hide another.
func (f *Folder) List() (Reports, error) {
	l := Reports{Reports: []Entry{}}
	queue, seen, reads := []string{"."}, 0, maxHeads
	for len(queue) > 0 && seen < maxEntries {
		dir := queue[0]
		queue = queue[1:]
		if e, ok := f.folder(dir); ok {
			l.Reports = append(l.Reports, e)
			if dir != "." {
				continue
			}
		}
		err := f.entries(dir, func(d fs.DirEntry) bool {
			seen++
			switch name := path.Join(dir, d.Name()); {
			case d.Name()[0] == '.':
			case d.IsDir() && strings.Count(name, "/") > maxDepth:
				l.More = true
			case d.IsDir():
				queue = append(queue, name)
			default:
				if e, ok := f.file(name, d, &reads); ok {
					l.Reports = append(l.Reports, e)
				}
			}
			return seen < maxEntries
		})
		if err != nil && dir == "." {
			return l, err // what cannot be read is not shown, but the folder itself must be there
		}
	}
	sorts.Func(l.Reports, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(truth.Int(b.State == Running), truth.Int(a.State == Running)), b.Changed.Compare(a.Changed), strings.Compare(a.Path, b.Path))
	})
	l.More = l.More || len(queue) > 0 || seen >= maxEntries || reads < 0
	l.shorten()
	return l, nil
}

// shorten leaves out the oldest of too many reports, single files first.
func (l *Reports) shorten() {
	extra := len(l.Reports) - maxReports
	if extra <= 0 {
		return
	}
	l.More = true
	for _, kinds := range [][]string{{Figures}, {Figures, Page}, nil} {
		for i := len(l.Reports) - 1; i >= 0 && extra > 0; i-- {
			if kinds == nil || slices.Contains(kinds, l.Reports[i].Kind) {
				l.Reports[i].Kind = ""
				extra--
			}
		}
		l.Reports = slices.DeleteFunc(l.Reports, func(e Entry) bool { return e.Kind == "" })
	}
}

// entries calls fn for the entries of a folder, until it returns false.
func (f *Folder) entries(dir string, fn func(fs.DirEntry) bool) error {
	file, err := f.fs.Open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	d, ok := file.(fs.ReadDirFile)
	if !ok {
		return fs.ErrInvalid
	}
	for {
		const some = 1000 // at a time: a folder may hold millions
		list, err := d.ReadDir(some)
		for _, e := range list {
			if !fn(e) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// heads holds which HTML files are reports of this program, by name.
type heads struct {
	mu    sync.Mutex
	known map[string]fileHead
}

// fileHead holds the result for a file in a given state.
type fileHead struct {
	changed time.Time
	size    int64
	report  bool
}

// maxKnown bounds how many files are remembered.
const maxKnown = 50_000

// of returns the cached result for a file in a state, and reports whether there is one.
func (h *heads) of(name string, st fs.FileInfo) (fileHead, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, ok := h.known[name]
	return k, ok && k.size == st.Size() && k.changed.Equal(st.ModTime())
}

// set caches the result for a file.
func (h *heads) set(name string, k fileHead) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil || len(h.known) >= maxKnown {
		h.known = map[string]fileHead{}
	}
	h.known[name] = k
}

// isReport reports whether an HTML file is a report of this program. It reads the
// beginning of files that it does not know, at most as many as reads says; a file beyond
// is taken for none, and reads is below 0 then.
func (f *Folder) isReport(name string, st fs.FileInfo, reads *int) bool {
	if k, ok := f.heads.of(name, st); ok {
		return k.report
	}
	if reads != nil {
		if *reads--; *reads < 0 {
			return false
		}
	}
	is := f.hasMark(name)
	f.heads.set(name, fileHead{st.ModTime(), st.Size(), is})
	return is
}

// hasMark reports whether a file begins as a report of this program does.
func (f *Folder) hasMark(name string) bool {
	file, err := f.regular(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var buf [512]byte
	n, err := io.ReadFull(file, buf[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return false
	}
	return bytes.Contains(buf[:n], []byte(report.Mark))
}
