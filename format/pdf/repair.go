package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"chaffinch/internal/lazyregexp"
)

// Limits of a repair.
const (
	maxObjects  = 500_000
	maxNumber   = 10_000_000 // of an object
	maxUnpacked = 64 << 20   // bytes of object streams
)

// object is an object of a damaged file, from its number to endobj.
type object struct {
	number int
	body   []byte // between obj and endobj
}

var (
	typePage    = lazyregexp.New(`/Type\s*/Page[^s\w]`)
	typeObjects = lazyregexp.New(`/Type\s*/ObjStm`)
	encrypt     = lazyregexp.New(`/Encrypt\s+\d+\s+\d+\s+R`)
	fileID      = lazyregexp.New(`/ID\s*\[\s*<[0-9A-Fa-f\s]*>\s*<[0-9A-Fa-f\s]*>\s*\]`)
	countOf     = lazyregexp.New(`/N\s+(\d+)`)
	pageKeys    = lazyregexp.New(`/Contents\s*(?:\[\s*)?\d+\s+\d+\s+R`)
	parentKey   = lazyregexp.New(`/(?:Parent|MediaBox|Resources)\b`)
	firstOf     = lazyregexp.New(`/First\s+(\d+)`)
)

// repair returns a document with the whole objects of a damaged one and a new list of its pages,
// in the order of the file; nil if there is no page. Files of web crawls are often cut off, and
// their list of objects is at the end.
func repair(raw []byte) []byte {
	objects := scan(raw)
	unpacked := 0
	for _, o := range objects { // without the objects that are appended
		if typeObjects().Match(o.dict()) {
			more, n := o.unpack(maxUnpacked - unpacked)
			unpacked += n
			objects = append(objects, more[:min(len(more), maxObjects-len(objects))]...)
		}
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := map[int]int{}
	last := map[int]int{} // index of the last object of a number
	for i, o := range objects {
		last[o.number] = i
	}
	var pages []int
	highest := 0
	for i, o := range objects {
		if last[o.number] != i {
			continue
		}
		offsets[o.number] = out.Len()
		highest = max(highest, o.number)
		fmt.Fprintf(&out, "%d 0 obj\n", o.number)
		out.Write(o.body)
		out.WriteString("\nendobj\n")
		if dict := append(o.dict(), '\n'); typePage().Match(dict) || pageKeys().Match(dict) && parentKey().Match(dict) {
			pages = append(pages, o.number)
		}
	}
	if len(pages) == 0 {
		return nil
	}
	root := highest + 1
	offsets[root] = out.Len()
	fmt.Fprintf(&out, "%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n", root, root+1)
	offsets[root+1] = out.Len()
	fmt.Fprintf(&out, "%d 0 obj\n<</Type/Pages/Count %d/Kids[", root+1, len(pages))
	for _, n := range pages {
		fmt.Fprintf(&out, "%d 0 R ", n)
	}
	out.WriteString("]>>\nendobj\n")
	xref := out.Len()
	fmt.Fprintf(&out, "xref\n0 1\n0000000000 65535 f \n")
	for _, n := range slices.Sorted(maps.Keys(offsets)) {
		fmt.Fprintf(&out, "%d 1\n%010d 00000 n \n", n, offsets[n])
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root %d 0 R%s%s>>\nstartxref\n%d\n%%%%EOF\n",
		root+2, root, encrypt().Find(raw), fileID().Find(raw), xref)
	return out.Bytes()
}

// keyword finds a word in a file, from the beginning to the end.
type keyword struct {
	word string
	at   int // where it was found last; -1 if there are no more
}

// from returns the offset of the first occurrence at or after from, which must not decrease; -1 for
// none. All calls together read the file once.
func (k *keyword) from(raw []byte, from int) int {
	if k.at >= 0 && k.at < from {
		if k.at = bytes.Index(raw[from:], []byte(k.word)); k.at >= 0 {
			k.at += from
		}
	}
	return k.at
}

// scan returns the objects of a file. An object that is cut off is left out, unless it is a
// stream, of which the begin can be read.
func scan(raw []byte) []object {
	var out []object
	endobj, stream, endstream := keyword{word: "endobj"}, keyword{word: "stream"}, keyword{word: "endstream"}
	for at := 0; len(out) < maxObjects; {
		i := bytes.Index(raw[at:], []byte("obj"))
		if i < 0 {
			return out
		}
		i += at
		at = i + 3
		number, ok := numberBefore(raw[:i])
		if !ok {
			continue
		}
		end := endobj.from(raw, at)
		if from := stream.from(raw, at); from >= 0 && (end < 0 || from < end) { // its data may contain endobj
			if to := endstream.from(raw, from); to >= 0 {
				if end = endobj.from(raw, to); end < 0 {
					end = to + len(endstream.word)
				}
			} else if end < 0 {
				return append(out, object{number, append(bytes.Clone(raw[at:]), "\nendstream"...)})
			}
		}
		if end < 0 {
			return out
		}
		out = append(out, object{number, raw[at:end]})
		at = end
	}
	return out
}

// numberBefore returns the number of the object whose keyword follows b.
func numberBefore(b []byte) (int, bool) {
	trim := func() bool {
		n := len(b)
		b = bytes.TrimRight(b, " \t\r\n\f\x00")
		return len(b) < n
	}
	digits := func() (int, bool) {
		n := len(b)
		for n > 0 && len(b)-n < 10 && b[n-1] >= '0' && b[n-1] <= '9' {
			n--
		}
		v, err := strconv.Atoi(string(b[n:]))
		b = b[:n]
		return v, err == nil
	}
	trim()
	if _, ok := digits(); !ok || !trim() { // generation
		return 0, false
	}
	n, ok := digits()
	return n, ok && n > 0 && n <= maxNumber
}

// dict returns the part of an object before its stream.
func (o object) dict() []byte {
	if i := bytes.Index(o.body, []byte("stream")); i >= 0 {
		return o.body[:i:i]
	}
	return o.body[:len(o.body):len(o.body)]
}

// unpack returns the objects of an object stream and their bytes, at most limit.
func (o object) unpack(limit int) ([]object, int) {
	dict := o.dict()
	n, first := intOf(countOf(), dict), intOf(firstOf(), dict)
	if n <= 0 || first <= 0 || n > maxObjects || len(dict) == len(o.body) {
		return nil, 0
	}
	data := bytes.TrimLeft(o.body[len(dict)+len("stream"):], "\r\n")
	if bytes.Contains(dict, []byte("/FlateDecode")) {
		z, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, 0
		}
		data, _ = io.ReadAll(io.LimitReader(z, int64(limit))) // a cut stream is read to its end
	}
	if first > len(data) {
		return nil, len(data)
	}
	var numbers []int // of an object and its offset after first
	for f := range bytes.FieldsSeq(data[:first]) {
		v, err := strconv.Atoi(string(f))
		if err != nil {
			v = -1
		}
		if numbers = append(numbers, v); len(numbers) == 2*n {
			break
		}
	}
	var out []object
	data = data[first:]
	left := len(data) // sections of a damaged stream may overlap
	for i := 0; i+1 < len(numbers); i += 2 {
		number, from, to := numbers[i], numbers[i+1], len(data)
		if i+3 < len(numbers) {
			to = numbers[i+3]
		}
		if number <= 0 || number > maxNumber || from < 0 || to < from || to > len(data) || to-from > left {
			continue
		}
		left -= to - from
		out = append(out, object{number, data[from:to]})
	}
	return out, first + len(data)
}

func intOf(re *regexp.Regexp, b []byte) int {
	m := re.FindSubmatch(b)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return 0
	}
	return n
}
