package vertical

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/lazyregexp"
)

// RegistryConfig configures the registry of a corpus. Empty fields select defaults.
type RegistryConfig struct {
	// Name is the name shown to users. The name of the corpus in programs is the name of the
	// file.
	Name string
	// Path is the folder of Manatee's index. A path that begins with a dot is relative to
	// the registry file.
	Path string
	// Vertical is the path of the vertical, as Manatee finds it.
	Vertical string
	// Columns holds the names of the columns, such as "word", "lemma" and "tag".
	Columns []string
	// Lang is the language as a BCP 47 tag. Default: the language of most tokens.
	Lang string
	// Info describes the corpus in one sentence.
	Info string
	// Tagset is the URL of a description of the tagset.
	Tagset string
	// Dir is the output folder of WriteRegistry. Default: the folder of the vertical. Force
	// overwrites files that this program did not write.
	Dir   string
	Force bool
	// Only restricts WriteRegistry to "manatee" or "blacklab". Default: both.
	Only string
	// Aligned names the aligned corpora of Manatee, AlignDef their mapping files, and AlignStruct
	// the structure of the segments. Default: none.
	Aligned, AlignDef []string
	AlignStruct       string
}

// giga is the number of tokens from which the registry requests larger index files without a
// limit (FD_FGD). Without them, Manatee stops above about 250 million tokens.
const giga = 200_000_000

// manateeName matches names of attributes and structures that Manatee accepts.
var manateeName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,78}$`)

// ColumnNames completes the names of columns: word, the given names, then column2, column3
// and so on. It returns an error for more names than columns, or for a name that Manatee
// does not accept.
func (v *Inventory) ColumnNames(names []string) ([]string, error) {
	if len(names) > v.Columns {
		return nil, fmt.Errorf("%d names of columns (%s), but the vertical has %d: give one name a column", len(names), strings.Join(names, ", "), v.Columns)
	}
	out := slices.Clone(names)
	if len(out) == 0 && v.Columns > 0 {
		out = append(out, "word")
	}
	for len(out) < v.Columns {
		out = append(out, fmt.Sprintf("column%d", len(out)+1))
	}
	for i, n := range out {
		if !manateeName().MatchString(n) {
			return nil, fmt.Errorf("column %q: a name has letters, digits and _ and begins with no digit", n)
		}
		if slices.Contains(out[:i], n) {
			return nil, fmt.Errorf("column %q occurs twice: give each column a different name", n)
		}
	}
	return out, nil
}

// language returns the language of the corpus as a BCP 47 tag: the given language, or the
// language of more than half of the tokens. It returns "" if there is none. Varieties are
// counted as their language; the result is the tag of the most frequent variety.
func (v *Inventory) language(given string) string {
	if given != "" {
		return given
	}
	var all int64
	shares, tags := map[string]int64{}, map[string]string{}
	for _, l := range v.Langs { // most frequent first
		all += l.Tokens
		if base, _, _ := strings.Cut(l.Lang, "-"); known(base) {
			shares[base] += l.Tokens
			if tags[base] == "" {
				tags[base] = l.Lang
			}
		}
	}
	for base, n := range shares {
		if 2*n > all {
			return tags[base]
		}
	}
	return ""
}

// registry writes lines KEY "value".
type registry struct{ strings.Builder }

// set writes a key. It omits empty values. The format has no escapes: line breaks become
// blanks, and if a value has both kinds of quotes, they become one kind.
func (r *registry) set(indent, key, value string) {
	if value == "" {
		return
	}
	value = strings.Join(strings.Fields(value), " ")
	q := `"`
	if strings.Contains(value, q) {
		q = "'"
		value = strings.ReplaceAll(value, "'", "’")
	}
	fmt.Fprintf(r, "%s%s %s%s%s\n", indent, key, q, value, q)
}

// Registry returns the registry file of the vertical for Manatee, used by NoSketch Engine
// and Sketch Engine. See docs/reference/formats/registry.md.
func (v *Inventory) Registry(cfg RegistryConfig) ([]byte, error) {
	cols, err := v.ColumnNames(cfg.Columns)
	if err != nil {
		return nil, err
	}
	lang := v.language(cfg.Lang)
	base, _, _ := strings.Cut(lang, "-")
	r := &registry{}
	fmt.Fprintf(r, "%s\n", registryMark)
	r.set("", "NAME", cfg.Name)
	r.set("", "INFO", cfg.Info)
	r.set("", "PATH", cfg.Path)
	r.set("", "VERTICAL", cfg.Vertical)
	r.set("", "ENCODING", "UTF-8")
	name := language(lang)
	if name == "" {
		name = "-- other (UTF-8) --" // Manatee's name
	}
	r.set("", "LANGUAGE", name)
	if rightToLeft[base] {
		r.set("", "RIGHTTOLEFT", "1")
	}
	if caseless[base] {
		r.set("", "NOLETTERCASE", "1")
	}
	r.set("", "TAGSETDOC", cfg.Tagset)
	r.set("", "ALIGNED", strings.Join(cfg.Aligned, ","))
	r.set("", "ALIGNSTRUCT", cfg.AlignStruct)
	r.set("", "ALIGNDEF", strings.Join(cfg.AlignDef, ","))
	doc := v.Find(v.Doc)
	if doc == nil && len(v.Structs) > 0 {
		doc = v.Structs[0]
	}
	if doc != nil {
		r.set("", "DOCSTRUCTURE", doc.Name)
		full, short := references(doc)
		r.set("", "FULLREF", full)
		r.set("", "SHORTREF", short)
		r.set("", "SUBCORPATTRS", subcorpora(doc))
	}
	r.set("", "DEFAULTATTR", cols[0])
	large := v.Tokens >= giga
	for _, c := range cols {
		r.attribute(c, large)
		if lower := lowerNames[c]; lower != "" && !caseless[base] && !slices.Contains(cols, lower) {
			r.lowercase(c, lower, large)
		}
	}
	for _, s := range v.Structs {
		if err := r.structure(s, v.Tokens); err != nil {
			return nil, err
		}
	}
	return []byte(r.String()), nil
}

// registryMark is the first line of registry files written by this program.
const registryMark = "# Registry file for Manatee, made by chaffinch vertical registry."

// attribute writes a positional attribute.
func (r *registry) attribute(name string, large bool) {
	if !large {
		fmt.Fprintf(r, "\nATTRIBUTE %s\n", quoteName(name))
		return
	}
	fmt.Fprintf(r, "\nATTRIBUTE %s {\n", quoteName(name))
	r.set("\t", "TYPE", "FD_FGD")
	r.WriteString("}\n")
}

// lowerNames are the names of the attributes that hold other attributes in lower case, for
// case-insensitive queries.
var lowerNames = map[string]string{"word": "lc", "lemma": "lemma_lc"}

// lowercase writes an attribute that holds another attribute in lower case.
func (r *registry) lowercase(from, name string, large bool) {
	fmt.Fprintf(r, "\nATTRIBUTE %s {\n", name)
	for _, kv := range [][2]string{
		{"LABEL", from + " (lowercase)"}, {"DYNAMIC", "utf8lowercase"}, {"DYNLIB", "internal"}, {"ARG1", "C"},
		{"FUNTYPE", "s"}, {"FROMATTR", from}, {"DYNTYPE", "index"}, {"TRANSQUERY", "yes"},
	} {
		r.set("\t", kv[0], kv[1])
	}
	if large {
		r.set("\t", "TYPE", "FD_FGD")
	}
	r.WriteString("}\n")
}

// structure writes a structure with its attributes.
func (r *registry) structure(s *StructInfo, tokens int64) error {
	if !manateeName().MatchString(s.Name) {
		return fmt.Errorf("structure <%s>: Manatee takes names of letters, digits and _: rename it, or write the token so that it reads as one (&lt;%s)", s.Name, s.Name)
	}
	var in registry
	if tokens > 1<<31-1 {
		in.set("\t", "TYPE", "file64")
	}
	if s.Nested {
		in.set("\t", "NESTED", "1")
	}
	switch s.Name {
	case "g":
		in.set("\t", "DISPLAYTAG", "0")
		in.set("\t", "DISPLAYBEGIN", "_EMPTY_") // no blank before the next token
	case "sp":
		in.set("\t", "DISPLAYTAG", "0")
	}
	for _, a := range s.Attrs {
		if !manateeName().MatchString(a.Name) {
			continue // encodevert does not read it either
		}
		if !a.Numeric || a.Values <= 1 {
			fmt.Fprintf(&in, "\tATTRIBUTE %s\n", quoteName(a.Name))
			continue
		}
		fmt.Fprintf(&in, "\tATTRIBUTE %s {\n", quoteName(a.Name))
		in.set("\t\t", "NUMERIC", "1")
		in.WriteString("\t}\n")
	}
	for _, part := range [][2]string{{"year", "4"}, {"month", "7"}, {"day", "10"}} {
		if s.Find("date") == nil || s.Find(part[0]) != nil {
			continue
		}
		fmt.Fprintf(&in, "\tATTRIBUTE %s {\n", part[0])
		for _, kv := range [][2]string{{"DYNAMIC", "firstn"}, {"DYNLIB", "internal"}, {"ARG1", part[1]}, {"FUNTYPE", "i"}, {"FROMATTR", "date"}, {"DYNTYPE", "index"}} {
			in.set("\t\t", kv[0], kv[1])
		}
		in.WriteString("\t}\n")
	}
	if in.Len() == 0 {
		fmt.Fprintf(r, "\nSTRUCTURE %s\n", quoteName(s.Name))
	} else {
		fmt.Fprintf(r, "\nSTRUCTURE %s {\n%s}\n", quoteName(s.Name), in.String())
	}
	return nil
}

// quoteName quotes names with a capital letter, which would be read as keywords.
func quoteName(n string) string {
	if n[0] >= 'a' && n[0] <= 'z' {
		return n
	}
	return `"` + n + `"`
}

// references returns the attributes that identify a document in a concordance: all of them,
// and the short one.
func references(doc *StructInfo) (full, short string) {
	var refs []string
	for _, n := range []string{"title", "author", "date", "url", "id", "lang", "file", "offset"} {
		if doc.Find(n) != nil {
			refs = append(refs, doc.Name+"."+n)
		}
	}
	if len(refs) == 0 {
		for _, a := range doc.Attrs {
			refs = append(refs, doc.Name+"."+a.Name)
		}
	}
	for _, n := range []string{"urldomain", "title", "id"} {
		if a := doc.Find(n); a != nil && a.Count*2 > doc.Count {
			return strings.Join(refs, ","), "=" + doc.Name + "." + n
		}
	}
	return strings.Join(refs, ","), ""
}

// subcorpora returns the attributes of documents for selecting subcorpora: attributes with
// more than one and not too many values.
func subcorpora(doc *StructInfo) string {
	var names []string
	for _, a := range doc.Attrs {
		few := a.Values < MaxValues && int64(a.Values)*2 <= a.Count || a.Name == "urldomain"
		if manateeName().MatchString(a.Name) && few && (!a.Numeric || a.Values <= 50) && a.Values > 1 {
			names = append(names, doc.Name+"."+a.Name)
		}
	}
	if doc.Find("date") != nil && doc.Find("year") == nil {
		names = append(names, doc.Name+".year") // a dynamic attribute
	}
	return strings.Join(names, ",")
}
