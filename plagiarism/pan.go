package plagiarism

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/archive"
	"chaffinch/text/charset"
)

// Annotation is a passage of a PAN XML file with its annotations.
type Annotation struct {
	Passage
	// Kind is the attribute type ("artificial", "simulated", ...). Obfuscation is
	// the degree of change ("none", "low", "high", ...). Both are "" if missing.
	Kind, Obfuscation string
}

// DetectedFeature is the feature name of detections in PAN XML. GoldFeature is the
// feature name of annotated cases. PAN readers check only the end of the name.
const (
	DetectedFeature = "detected-plagiarism"
	GoldFeature     = "plagiarism"
)

// maxPAN is the maximum size of a PAN XML file in bytes.
var maxPAN int64 = 64 << 20

// ReadPAN reads the annotations of one document in the format of the PAN corpora:
// <document reference="..."> with elements <feature name="..." this_offset="..."
// this_length="..." source_reference="..." source_offset="..." source_length="..." />.
// It returns the document's reference and the features whose name ends in feature
// and that have a source. Files over 64 MiB are rejected.
func ReadPAN(r io.Reader, feature string) (reference string, cases []Annotation, err error) {
	whole, err := archive.ReadLimited(r, maxPAN)
	if err != nil {
		return "", nil, fmt.Errorf("PAN XML: %w", err)
	}
	d := xml.NewDecoder(bytes.NewReader(whole))
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		text, ok := charset.DecodeAs(b, label)
		if !ok {
			return nil, fmt.Errorf("encoding %q is not known", label)
		}
		return strings.NewReader(text.Text), nil
	}
	depth := 0
	for {
		at := d.InputOffset()
		t, err := d.Token()
		if err == io.EOF {
			if depth == 0 && reference == "" {
				return "", nil, errors.New("no element <document reference=\"...\">")
			}
			return reference, cases, nil
		}
		if err != nil {
			return "", nil, fmt.Errorf("PAN XML at byte %d: %w", at, err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			a := attrs(t)
			if depth == 1 {
				if reference = a["reference"]; reference == "" {
					return "", nil, fmt.Errorf("PAN XML at byte %d: element %q without an attribute reference: wanted <document reference=\"...\">", at, t.Name.Local)
				}
				continue
			}
			if depth > 2 || !strings.HasSuffix(a["name"], feature) {
				continue
			}
			if _, ok := a["source_reference"]; !ok {
				continue // a detection without a source (intrinsic)
			}
			c, err := annotation(a)
			if err != nil {
				return "", nil, fmt.Errorf("PAN XML at byte %d: %w", at, err)
			}
			c.Suspicious = reference
			cases = append(cases, c)
		case xml.EndElement:
			depth--
		}
	}
}

func attrs(t xml.StartElement) map[string]string {
	m := make(map[string]string, len(t.Attr))
	for _, a := range t.Attr {
		m[a.Name.Local] = a.Value
	}
	return m
}

// annotation parses the attributes of a feature.
func annotation(a map[string]string) (c Annotation, err error) {
	c.Source, c.Kind, c.Obfuscation = a["source_reference"], a["type"], a["obfuscation"]
	var n [4]int
	for i, name := range [4]string{"this_offset", "this_length", "source_offset", "source_length"} {
		v, err := strconv.ParseInt(strings.TrimSpace(a[name]), 10, 46)
		if err != nil || v < 0 {
			return c, fmt.Errorf("attribute %s=%q: wanted a number of characters", name, a[name])
		}
		n[i] = int(v)
	}
	c.SuspiciousStart, c.SuspiciousEnd = n[0], n[0]+n[1]
	c.SourceStart, c.SourceEnd = n[2], n[2]+n[3]
	return c, nil
}

// WritePAN writes the passages of one document as PAN XML. It ignores Suspicious and
// Score.
func WritePAN(w io.Writer, reference string, found []Passage) error {
	b := bufio.NewWriter(w)
	b.WriteString(xml.Header + `<document reference="` + escape(reference) + `">` + "\n")
	for _, p := range found {
		fmt.Fprintf(b, `<feature name="%s" this_offset="%d" this_length="%d" source_reference="%s" source_offset="%d" source_length="%d" />`+"\n",
			DetectedFeature, p.SuspiciousStart, p.SuspiciousEnd-p.SuspiciousStart, escape(p.Source), p.SourceStart, p.SourceEnd-p.SourceStart)
	}
	b.WriteString("</document>\n")
	return b.Flush()
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s))
	return b.String()
}

// maxName is the maximum length of a file name in bytes.
const maxName = 255

// PANFile returns the name of the XML file of a document. It replaces .txt by .xml and
// replaces characters that are invalid in file names. A name that is too long ends with a hash
// of the id.
func PANFile(id string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.TrimSuffix(id, ".txt"))
	name = cmp.Or(strings.TrimLeft(name, "."), "_")
	if most := maxName - len(".xml"); len(name) > most {
		hash := fmt.Sprintf("-%016x", xxh3.HashString(id))
		name = strings.ToValidUTF8(name[:most-len(hash)], "") + hash
	}
	return name + ".xml"
}
