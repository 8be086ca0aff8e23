// Package cwb writes the files from which the IMS Open Corpus Workbench (CWB) indexes a corpus: the
// input of cwb-encode, a registry file, and the input of cwb-align-encode. The format is described in
// docs/reference/formats/interchange.md.
//
// Unstable: this package may change in any release.
package cwb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"chaffinch/format/vertical"
)

// Structure is a structure with its attributes.
type Structure struct {
	Name  string
	Attrs []string
}

// Corpus describes a corpus for CWB.
type Corpus struct {
	// Name is the name of the corpus in lower case. CQP shows it in upper case.
	Name string
	// Title is the descriptive name.
	Title string
	// Lang is the language as a BCP 47 tag, or "".
	Lang string
	// Columns are the columns of the vertical. The first one is word.
	Columns []string
	// Structures are the structures to encode. Structures without tokens, such as g, are left out.
	Structures []Structure
	// Home is the absolute path of the folder of the binary files.
	Home string
	// Aligned are the names of the aligned corpora.
	Aligned []string
}

// ID returns the name of an attribute, a structure or a corpus in CWB: lower-case ASCII letters, digits,
// _ and -, not beginning with a digit.
func ID(name string) string {
	id := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	if id == "" || id[0] >= '0' && id[0] <= '9' || id[0] == '-' {
		id = "x" + id
	}
	return id
}

// Check returns an error if two names are equal in CWB.
func (c *Corpus) Check() error {
	if len(c.Columns) == 0 {
		return errors.New("cwb: no columns")
	}
	seen := map[string]string{}
	add := func(kind, name string) error {
		id := ID(name)
		if before, twice := seen[kind+id]; twice {
			return fmt.Errorf("cwb: the %ss %s and %s are both %s in CWB: rename one", strings.TrimSuffix(kind, " "), before, name, id)
		}
		seen[kind+id] = name
		return nil
	}
	for i, name := range c.Columns {
		if i == 0 {
			name = "word"
		}
		if err := add("attribute ", name); err != nil {
			return err
		}
	}
	for _, s := range c.Structures {
		if err := add("structure ", s.Name); err != nil {
			return err
		}
		for _, a := range s.Attrs {
			if err := add("structure ", s.Name+"_"+a); err != nil {
				return err
			}
		}
	}
	return nil
}

// Registry returns the registry file.
func (c *Corpus) Registry() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## registry entry of the corpus %s\n\nNAME %s\nID %s\nHOME %s\n\n##:: charset = \"utf8\"\n", strings.ToUpper(c.Name), quote(c.Title), c.Name, quote(c.Home))
	if c.Lang != "" {
		fmt.Fprintf(&b, "##:: language = %s\n", quote(c.Lang))
	}
	b.WriteString("\n")
	for i, name := range c.Columns {
		if i == 0 {
			name = "word"
		}
		fmt.Fprintf(&b, "ATTRIBUTE %s\n", ID(name))
	}
	for _, s := range c.Structures {
		fmt.Fprintf(&b, "\nSTRUCTURE %s\n", ID(s.Name))
		for _, a := range s.Attrs {
			fmt.Fprintf(&b, "STRUCTURE %s_%s # [annotations]\n", ID(s.Name), ID(a))
		}
	}
	for i, name := range c.Aligned {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "ALIGNED %s\n", name)
	}
	return b.Bytes()
}

// quote quotes a value of a registry file.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}

// Encode returns the arguments of cwb-encode for the input file. home is the folder of the binary files.
func (c *Corpus) Encode(file, home string) []string {
	args := []string{"cwb-encode", "-d", home, "-f", file, "-c", "utf8", "-xsB", "-U", ""}
	for _, name := range c.Columns[1:] {
		args = append(args, "-P", ID(name))
	}
	for _, s := range c.Structures {
		decl := ID(s.Name) + ":0"
		for _, a := range s.Attrs {
			decl += "+" + ID(a)
		}
		args = append(args, "-S", decl)
	}
	return args
}

// escaped replaces the characters that cwb-encode decodes with the option -x.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// Write reads a vertical and writes the input of cwb-encode. Each structure has all its attributes, in
// order. Tabs and control characters in values become spaces.
func (c *Corpus) Write(out io.Writer, r *vertical.Reader) error {
	var buf []byte
	text := func(b []byte) {
		buf = append(buf, escaped.Replace(strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, string(b)))...)
	}
	for {
		l, err := r.Next()
		if err == io.EOF || len(buf) >= 1<<16 {
			if _, err := out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if l.Kind == vertical.Token {
			for i, f := range l.Fields {
				if i > 0 {
					buf = append(buf, '\t')
				}
				text(f)
			}
			buf = append(buf, '\n')
			continue
		}
		at := slices.IndexFunc(c.Structures, func(s Structure) bool { return s.Name == string(l.Name) })
		switch {
		case at < 0 || l.Kind == vertical.Empty:
			continue
		case l.Kind == vertical.Close:
			buf = fmt.Appendf(buf, "</%s>\n", ID(string(l.Name)))
			continue
		}
		buf = fmt.Appendf(buf, "<%s", ID(string(l.Name)))
		for _, a := range c.Structures[at].Attrs {
			buf = fmt.Appendf(buf, " %s=\"", ID(a))
			text(l.Value(a))
			buf = append(buf, '"')
		}
		buf = append(buf, ">\n"...)
	}
}
