package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// Limits of a repair.
const (
	maxObjects  = 500_000
	maxUnpacked = 64 << 20 // bytes of object streams
)

// object is an object of a damaged file, from its number to endobj.
type object struct {
	number int
	body   []byte // between obj and endobj
}

var (
	typePage    = regexp.MustCompile(`/Type\s*/Page[^s\w]`)
	typeObjects = regexp.MustCompile(`/Type\s*/ObjStm`)
	encrypt     = regexp.MustCompile(`/Encrypt\s+\d+\s+\d+\s+R`)
	fileID      = regexp.MustCompile(`/ID\s*\[\s*<[0-9A-Fa-f\s]*>\s*<[0-9A-Fa-f\s]*>\s*\]`)
	countOf     = regexp.MustCompile(`/N\s+(\d+)`)
	pageKeys    = regexp.MustCompile(`/Contents\s*(?:\[\s*)?\d+\s+\d+\s+R`)
	parentKey   = regexp.MustCompile(`/(?:Parent|MediaBox|Resources)\b`)
	firstOf     = regexp.MustCompile(`/First\s+(\d+)`)
)

// repair returns a document with the whole objects of a damaged one and a new list of its pages,
// in the order of the file; nil if there is no page. Files of web crawls are often cut off, and
// their list of objects is at the end.
func repair(raw []byte) []byte {
	objects := scan(raw)
	unpacked := 0
	for _, o := range objects { // without the objects that are appended
		if typeObjects.Match(o.dict()) {
			more, n := o.unpack(maxUnpacked - unpacked)
			unpacked += n
			objects = append(objects, more...)
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
		fmt.Fprintf(&out, "%d 0 obj", o.number)
		out.Write(o.body)
		out.WriteString("\nendobj\n")
		if dict := append(o.dict(), '\n'); typePage.Match(dict) || pageKeys.Match(dict) && parentKey.Match(dict) {
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
	for n := 1; n <= root+1; n++ {
		if at, ok := offsets[n]; ok {
			fmt.Fprintf(&out, "%d 1\n%010d 00000 n \n", n, at)
		}
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root %d 0 R%s%s>>\nstartxref\n%d\n%%%%EOF\n",
		root+2, root, encrypt.Find(raw), fileID.Find(raw), xref)
	return out.Bytes()
}

// scan returns the objects of a file. An object that is cut off is left out, unless it is a
// stream, of which the begin can be read.
func scan(raw []byte) []object {
	var out []object
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
		body := raw[at:]
		end := bytes.Index(body, []byte("endobj"))
		stream := bytes.Index(body, []byte("stream"))
		if stream >= 0 && (end < 0 || stream < end) { // its data may contain endobj
			if s := bytes.Index(body[stream:], []byte("endstream")); s >= 0 {
				if e := bytes.Index(body[stream+s:], []byte("endobj")); e >= 0 {
					end = stream + s + e
				} else {
					end = stream + s + len("endstream")
				}
			} else if end < 0 {
				out = append(out, object{number, append(bytes.Clone(body), "\nendstream"...)})
				return out
			}
		}
		if end < 0 {
			return out
		}
		out = append(out, object{number, body[:end]})
		at += end
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
	return n, ok && n > 0 && n < 10_000_000
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
	n, first := intOf(countOf, dict), intOf(firstOf, dict)
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
	fields := bytes.Fields(data[:first])
	var out []object
	for i := 0; i+1 < len(fields) && i/2 < n; i += 2 {
		number, err1 := strconv.Atoi(string(fields[i]))
		from, err2 := strconv.Atoi(string(fields[i+1]))
		to := len(data) - first
		if i+3 < len(fields) {
			to, _ = strconv.Atoi(string(fields[i+3]))
		}
		if err1 != nil || err2 != nil || number <= 0 || from < 0 || to < from || first+to > len(data) {
			continue
		}
		body := append([]byte("\n"), data[first+from:first+to]...)
		out = append(out, object{number, body})
	}
	return out, len(data)
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
