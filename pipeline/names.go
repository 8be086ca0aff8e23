package pipeline

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/packed"
	"chaffinch/page"
)

// namer assigns each page a file name below the output directory. The name depends only on the
// pages named before. No two pages get the same name, not even on a file system that folds
// case.
type namer struct {
	ext    string
	inputs []string // cleaned, with slashes
	taken  map[uint64]struct{}
}

func newNamer(inputs []string, ext string) *namer {
	n := &namer{ext: ext, taken: map[uint64]struct{}{}}
	for _, in := range inputs {
		n.inputs = append(n.inputs, filepath.ToSlash(filepath.Clean(in)))
	}
	n.take(ListName)
	return n
}

// take marks a name as taken. It reports whether the name was free.
func (n *namer) take(name string) bool {
	h := xxh3.HashString(strings.ToLower(name))
	if _, ok := n.taken[h]; ok {
		return false
	}
	n.taken[h] = struct{}{}
	return true
}

// maxName is the length in bytes of the longest name that all common file systems allow.
const maxName = 255

// name returns the slash-separated name for a page and reports whether a part of it was
// shortened.
func (n *namer) name(src page.Source) (name string, shortened bool) {
	stem := n.stem(src)
	for i := 1; ; i++ {
		end := n.ext
		if i > 1 {
			end = fmt.Sprintf("~%d%s", i, n.ext)
		}
		if name, shortened = fit(stem, end); n.take(name) {
			return name, shortened
		}
	}
}

// fit returns the path stem followed by end, and reports whether it was shortened. Parts that are
// too long for a file system are cut, and a hash of the whole part replaces the rest.
func fit(stem, end string) (name string, shortened bool) {
	parts := strings.Split(stem, "/")
	for i, p := range parts {
		room := maxName
		if i == len(parts)-1 {
			room -= len(end)
		}
		if len(p) > room {
			hash := fmt.Sprintf("~%016x", xxh3.HashString(p))
			parts[i] = strings.ToValidUTF8(p[:room-len(hash)], "") + hash
			shortened = true
		}
	}
	return strings.Join(parts, "/") + end, shortened
}

// stem returns the name without suffix: the path below the input that the user named. For a
// record of a container, the name of the record is appended as a further path element.
func (n *namer) stem(src page.Source) string {
	file := filepath.ToSlash(filepath.Clean(src.File))
	if src.File == "" || src.File == "-" {
		file = "stdin"
	}
	stem := path.Base(file)
	for _, in := range n.inputs {
		if in == "." && !path.IsAbs(file) && !strings.HasPrefix(file, "../") {
			stem = file
		} else if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(in, "/")+"/"); ok {
			stem = rest
			if len(n.inputs) > 1 && !strings.HasSuffix(in, "..") {
				stem = path.Join(path.Base(in), rest)
			}
		} else {
			continue
		}
		break
	}
	_, stem = packed.CutSuffix(stem)
	stem = cutSuffixes(stem, ".html", ".htm", ".xhtml", ".txt")
	if src.Record != "" {
		rec := strings.Trim(src.Record, "<>")
		rec = safe(strings.TrimPrefix(rec, "urn:uuid:"))
		stem = cutSuffixes(stem, ".warc", ".arc", ".wet", ".warc.wet", ".jsonl", ".ndjson")
		stem += "/" + rec
	}
	parts := strings.Split(stem, "/")
	for i, p := range parts {
		parts[i] = safe(p)
	}
	return path.Join(parts...)
}

// cutSuffixes removes one of the suffixes, ignoring case, unless the result would be empty.
func cutSuffixes(s string, suffixes ...string) string {
	for _, x := range suffixes {
		if k := len(s) - len(x); k > 0 && s[k-1] != '/' && strings.EqualFold(s[k:], x) {
			return s[:k]
		}
	}
	return s
}

// safe returns a path element that every common file system allows: no control or reserved
// characters, no leading dot.
func safe(s string) string {
	out := strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7F || r == 0xFFFD || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, s)
	if out == "" || out[0] == '.' {
		out = "_" + strings.TrimPrefix(out, ".")
	}
	return out
}
