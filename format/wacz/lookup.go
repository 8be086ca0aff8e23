package wacz

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/extsort"
)

// Index finds captures by address: sorted CDXJ lines in blocks, of which only the first lines are in
// memory. It is safe for concurrent use.
type Index struct {
	in     io.ReaderAt
	blocks []block
	packed bool // blocks are gzip members
	file   *disk.File
}

// block is a range of sorted lines.
type block struct {
	first          string // beginning of the first line: key and time
	offset, length int64
}

// Bounds of an index.
const (
	lookupLines = 300      // lines of a block of our own
	maxBlock    = 16 << 20 // bytes of a block, unpacked
	maxBlocks   = 16 << 20
	maxLine     = 1 << 20 // bytes of a line
)

// Close removes the temporary file of an index.
func (x *Index) Close() error {
	if x.file == nil {
		return nil
	}
	return x.file.Close()
}

// scan indexes archives. Damaged records are passed to bad and skipped.
func scan(ctx context.Context, archives []string, bad func(error)) (*Index, error) {
	lines := extsort.NewLines("", 32<<20)
	defer lines.Close()
	for _, name := range archives {
		r, f, err := open(ctx, name)
		if err != nil {
			return nil, err
		}
		err = warc.Index(r, filepath.Base(name), func(c warc.CDX) error { return lines.Add(c.String()) }, bad)
		r.Close()
		if err = errors.Join(err, f.Close(), ctx.Err()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return store(lines)
}

// store writes sorted lines to a temporary file.
func store(lines *extsort.Lines) (x *Index, err error) {
	f, err := disk.Scratch("")
	if err != nil {
		return nil, err
	}
	x = &Index{in: f, file: f}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	out := bufio.NewWriterSize(f, 1<<16)
	n, at, last := 0, int64(0), ""
	for line, err := range lines.All() {
		if err != nil {
			return nil, err
		}
		if line == last {
			continue
		}
		if n%lookupLines == 0 {
			x.blocks = append(x.blocks, block{first: head(line), offset: at})
		}
		n++
		last = line
		out.WriteString(line)
		out.WriteByte('\n')
		at += int64(len(line)) + 1
		x.blocks[len(x.blocks)-1].length = at - x.blocks[len(x.blocks)-1].offset
	}
	return x, out.Flush()
}

// head returns the key and the time of a line.
func head(line string) string {
	h, _, _ := strings.Cut(line, " {")
	return h
}

// readIndex opens the index of a file. A compressed index with a list of blocks is read in place.
func readIndex(ctx context.Context, r *Reader) (*Index, error) {
	var plain []string
	for _, name := range slices.Sorted(maps.Keys(r.files)) { // of several indexes, the first one
		if strings.HasPrefix(name, "indexes/") && (strings.HasSuffix(name, ".idx")) {
			if x, err := r.blocks(name); err != nil || x != nil {
				return x, err
			}
		}
		if strings.HasPrefix(name, "indexes/") && (strings.HasSuffix(name, ".cdxj") || strings.HasSuffix(name, ".cdx") || strings.HasSuffix(name, ".cdx.gz") || strings.HasSuffix(name, ".cdxj.gz")) {
			plain = append(plain, name)
		}
	}
	if len(plain) == 0 {
		return nil, fmt.Errorf("%s: no index: wanted a file such as indexes/index.cdx.gz or index.cdxj", r.name)
	}
	lines := extsort.NewLines("", 32<<20)
	defer lines.Close()
	for _, name := range plain {
		if err := r.addLines(ctx, lines, name); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", r.name, name, err)
		}
	}
	return store(lines)
}

// addLines adds the lines of an index without a list of blocks.
func (r *Reader) addLines(ctx context.Context, to *extsort.Lines, name string) error {
	f, err := r.files[name].Open()
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(bufio.NewReader(f)); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		line := lines.Text()
		if !strings.Contains(line, " {") {
			continue // a head line
		}
		if err := errors.Join(to.Add(line), ctx.Err()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// blocks reads a list of blocks, or returns nil if its index is not stored uncompressed in the file.
func (r *Reader) blocks(name string) (*Index, error) {
	f, err := r.files[name].Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x := &Index{packed: true}
	index := ""
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		key, rest, ok := strings.Cut(lines.Text(), " {")
		var b struct {
			Offset, Length int64
			Filename       string
		}
		if !ok || strings.HasPrefix(key, "!meta") {
			continue
		}
		if err := json.Unmarshal([]byte("{"+rest), &b); err != nil || b.Offset < 0 || b.Length < 0 || index != "" && index != b.Filename {
			return nil, fmt.Errorf("%s: %s: wanted offset, length and one filename in each line: the file is damaged", r.name, name)
		}
		index = b.Filename
		if x.blocks = append(x.blocks, block{key, b.Offset, b.Length}); len(x.blocks) > maxBlocks {
			return nil, fmt.Errorf("%s: %s: more than %d blocks", r.name, name, maxBlocks)
		}
	}
	if err := lines.Err(); err != nil || index == "" {
		return nil, err
	}
	if !slices.IsSortedFunc(x.blocks, func(a, b block) int { return cmp.Compare(a.first, b.first) }) {
		return nil, fmt.Errorf("%s: %s: not sorted: the file is damaged", r.name, name)
	}
	if x.in, _ = r.Section("indexes/" + index); x.in == nil {
		return nil, nil
	}
	return x, nil
}

// From yields the captures with keys from a key on, in order. The key is the output of [warc.SURT] or its
// beginning; after a line, [After] continues.
func (x *Index) From(key string) iter.Seq2[warc.CDX, error] {
	return func(yield func(warc.CDX, error) bool) {
		i := sort.Search(len(x.blocks), func(i int) bool { return x.blocks[i].first >= key })
		for i = max(i-1, 0); i < len(x.blocks); i++ {
			text, err := x.read(x.blocks[i])
			if err != nil {
				yield(warc.CDX{}, err)
				return
			}
			for line := range bytes.Lines(text) {
				if s := string(line); s >= key {
					c, ok := parse(s)
					if ok && !yield(c, nil) {
						return
					}
				}
			}
		}
	}
}

// After returns the key from which [Index.From] continues after a capture.
func After(c warc.CDX) string { return c.Key + " " + c.Timestamp + "!" }

// parse parses a line. Other programs write numbers without quotes.
func parse(line string) (c warc.CDX, ok bool) {
	head, rest, ok := strings.Cut(line, " {")
	if !ok {
		return c, false
	}
	c.Key, c.Timestamp, _ = strings.Cut(head, " ")
	var f map[string]any
	d := json.NewDecoder(strings.NewReader("{" + rest))
	d.UseNumber()
	if d.Decode(&f) != nil {
		return c, false
	}
	text := func(name string) string {
		if v := f[name]; v != nil {
			return fmt.Sprint(v)
		}
		return ""
	}
	c.URL, c.MIME, c.Status, c.Digest = text("url"), text("mime"), text("status"), text("digest")
	c.Length, c.Offset, c.Filename = text("length"), text("offset"), text("filename")
	return c, c.URL != "" && c.Filename != ""
}

// read returns the lines of a block.
func (x *Index) read(b block) ([]byte, error) {
	in := io.Reader(io.NewSectionReader(x.in, b.offset, b.length))
	if x.packed {
		z, err := gzip.NewReader(bufio.NewReader(in))
		if err != nil {
			return nil, fmt.Errorf("index: byte %d: %w", b.offset, err)
		}
		in = z
	}
	text, err := io.ReadAll(io.LimitReader(in, maxBlock+1))
	if err == nil && len(text) > maxBlock {
		err = fmt.Errorf("more than %d bytes in a block", maxBlock)
	}
	if err != nil {
		return nil, fmt.Errorf("index: byte %d: %w", b.offset, err)
	}
	return text, nil
}

// Lookup returns the captures of an address, the oldest first, at most limit.
func (x *Index) Lookup(url string, limit int) (list []warc.CDX, err error) {
	key := warc.SURT(url)
	for c, err := range x.From(key + " ") {
		if err != nil {
			return nil, err
		}
		if c.Key != key || len(list) == limit {
			break
		}
		list = append(list, c)
	}
	return list, nil
}
