package vertical

import (
	"fmt"
	"strconv"
	"strings"
)

// blackLabMark is the first line of format files written by this program.
const blackLabMark = "# Format of a vertical for BlackLab, made by chaffinch vertical registry."

// BlackLab returns the file that configures BlackLab to index the vertical (NAME.blf.yaml).
// Attributes of documents become metadata automatically. See docs/reference/formats/registry.md.
func (v *Inventory) BlackLab(cfg RegistryConfig) ([]byte, error) {
	cols, err := v.ColumnNames(cfg.Columns)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", blackLabMark)
	yaml(&b, "", "displayName", cfg.Name)
	yaml(&b, "", "description", cfg.Info)
	b.WriteString(`fileType: tabular
fileTypeOptions:
  type: tsv
  inlineTags: true
  glueTags: true
`)
	if v.Find(v.Doc) != nil {
		yaml(&b, "", "documentPath", v.Doc)
	}
	b.WriteString("annotatedFields:\n  contents:\n    annotations:\n")
	for i, c := range cols {
		yaml(&b, "    - ", "name", c)
		fmt.Fprintf(&b, "      valuePath: %d\n", i+1)
		if c == "word" || c == "lemma" {
			b.WriteString("      sensitivity: sensitive_insensitive\n")
		} else {
			b.WriteString("      sensitivity: sensitive\n")
		}
	}
	special := ""
	if doc := v.Find(v.Doc); doc != nil {
		for _, s := range [][2]string{{"pidField", "id"}, {"titleField", "title"}, {"authorField", "author"}, {"dateField", "date"}} {
			if doc.Find(s[1]) != nil {
				special += "    " + s[0] + ": " + s[1] + "\n"
			}
		}
	}
	dir := ""
	if base, _, _ := strings.Cut(v.language(cfg.Lang), "-"); rightToLeft[base] {
		dir = "  textDirection: rtl\n"
	}
	if special != "" {
		special = "  specialFields:\n" + special
	}
	if special+dir != "" {
		b.WriteString("corpusConfig:\n" + dir + special)
	}
	return []byte(b.String()), nil
}

// yaml writes a key with a quoted value. It omits empty values.
func yaml(b *strings.Builder, indent, key, value string) {
	if value = strings.Join(strings.Fields(value), " "); value != "" {
		if strings.TrimLeft(value, "abcdefghijklmnopqrstuvwxyz_") != "" {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(b, "%s%s: %s\n", indent, key, value)
	}
}
