package vertical

import (
	"cmp"
	"hash/maphash"
	"io"
	"strconv"

	"chaffinch/internal/sorts"
)

// Inventory lists the columns, structures and attributes of a vertical.
type Inventory struct {
	ReaderReport
	// Columns is the number of columns.
	Columns int
	// Outside is the number of tokens outside documents, which BlackLab does not read.
	Outside int64
	// Structs are the structures in order of their first occurrence.
	Structs []*StructInfo
	// Doc is the name of the structure of documents.
	Doc string
	// Langs are the languages of the documents (attribute lang) with the number of tokens,
	// most frequent first.
	Langs []LangTokens
}

// LangTokens is the number of tokens in documents of one language.
type LangTokens struct {
	Lang   string
	Tokens int64
}

// StructInfo describes a structure in an [Inventory].
type StructInfo struct {
	Name string
	// Count is the number of occurrences. Empty is the number of empty tags (<g/>).
	Count, Empty int64
	// Nested indicates that the structure contains itself.
	Nested bool
	Attrs  []*AttrInfo
}

// AttrInfo describes an attribute of a structure in an [Inventory].
type AttrInfo struct {
	Name string
	// Count is the number of structures with the attribute.
	Count int64
	// Values is the number of different values, counted up to [MaxValues].
	Values int
	// Numeric indicates that all values are integers.
	Numeric bool
	// Longest is the length of the longest value in bytes.
	Longest int

	seen map[uint64]struct{}
}

// MaxValues is the maximum count of different values of an attribute.
const MaxValues = 1000

// Find returns the structure with the given name, or nil.
func (v *Inventory) Find(name string) *StructInfo {
	for _, s := range v.Structs {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Find returns the attribute with the given name, or nil.
func (s *StructInfo) Find(name string) *AttrInfo {
	for _, a := range s.Attrs {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Scan reads a vertical to its end and returns its inventory.
func Scan(r *Reader) (*Inventory, error) {
	v := &Inventory{Doc: r.cfg.Doc}
	structs := map[string]*StructInfo{}
	depth := map[*StructInfo]int{}
	langs := map[string]int64{}
	seed := maphash.MakeSeed()
	lang, docs := "", 0
	for {
		l, err := r.Next()
		if err != nil {
			v.ReaderReport = r.report
			if err != io.EOF {
				return v, err
			}
			break
		}
		if l.Kind == Token || l.Kind == Text {
			v.Columns = max(v.Columns, len(l.Fields))
			if docs == 0 {
				v.Outside++
			} else {
				langs[lang]++
			}
			continue
		}
		s := structs[string(l.Name)]
		if s == nil {
			s = &StructInfo{Name: string(l.Name)}
			structs[s.Name] = s
			v.Structs = append(v.Structs, s)
		}
		switch l.Kind {
		case Close:
			depth[s]--
			if s.Name == v.Doc {
				docs--
			}
			continue
		case Empty:
			s.Empty++
		case Open:
			s.Nested = s.Nested || depth[s] > 0
			depth[s]++
			if s.Name == v.Doc {
				docs++
				lang = string(l.Value("lang"))
			}
		}
		s.Count++
		for i := range l.Attrs {
			s.see(&l.Attrs[i], seed)
		}
	}
	for lang, n := range langs {
		v.Langs = append(v.Langs, LangTokens{lang, n})
	}
	sorts.Func(v.Langs, func(a, b LangTokens) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Lang, b.Lang))
	})
	return v, nil
}

// see counts an attribute.
func (s *StructInfo) see(at *Attr, seed maphash.Seed) {
	var a *AttrInfo
	for _, b := range s.Attrs {
		if string(at.Name) == b.Name {
			a = b
		}
	}
	if a == nil {
		a = &AttrInfo{Name: string(at.Name), Numeric: true, seen: map[uint64]struct{}{}}
		s.Attrs = append(s.Attrs, a)
	}
	a.Count++
	a.Longest = max(a.Longest, len(at.Value))
	if a.Numeric {
		_, err := strconv.ParseInt(string(at.Value), 10, 64)
		a.Numeric = err == nil
	}
	if a.Values < MaxValues {
		a.seen[maphash.Bytes(seed, at.Value)] = struct{}{}
		a.Values = len(a.seen)
	}
}
