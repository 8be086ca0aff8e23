package pdf

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/format/pdf/internal/wire"
)

// lineClasses are the classes of lines in hOCR.
var lineClasses = map[string]bool{"ocr_line": true, "ocr_header": true, "ocr_caption": true, "ocr_textfloat": true, "ocrx_line": true}

// hocrLines returns the lines of hOCR, with positions in units of scale points; false if the text
// is not hOCR.
func hocrLines(text []byte, scale float32) ([]ocrLine, bool) {
	if !bytes.Contains(text[:min(len(text), 4096)], []byte("ocr_page")) {
		return nil, false
	}
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(text, nil)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var lines []ocrLine
	depth, inLine, inWord := 0, 0, 0 // depths of the open line and word
	var lineBox wire.Box
	var loose strings.Builder // text of the line outside words
	for {
		t, err := d.Token()
		if err != nil { // the end, or the lines before the damage
			return lines, true
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			class, title := attrOf(t, "class"), attrOf(t, "title")
			switch box, ok := hocrBox(title, scale); {
			case !ok:
			case lineClasses[class]:
				lines = append(lines, ocrLine{base: box.Y1 + baseline(title, scale), size: hocrSize(title, box, scale)})
				inLine, lineBox = depth, box
				loose.Reset()
			case class == "ocrx_word" && len(lines) > 0:
				l := &lines[len(lines)-1]
				l.words = append(l.words, ocrWord{Box: box})
				inWord = depth
			}
		case xml.EndElement:
			if depth == inWord {
				inWord = 0
			}
			if depth == inLine {
				if l := &lines[len(lines)-1]; len(l.words) == 0 { // words are optional in hOCR
					l.words = spread(strings.Fields(loose.String()), lineBox)
				}
				inLine = 0
			}
			depth--
		case xml.CharData:
			if inWord > 0 {
				words := lines[len(lines)-1].words
				w := &words[len(words)-1]
				w.text += strings.Join(strings.Fields(string(t)), "")
			} else if inLine > 0 {
				loose.Write(t)
			}
		}
	}
}

// spread divides the box of a line among its words by their lengths.
func spread(words []string, line wire.Box) (out []ocrWord) {
	text := strings.Join(words, " ")
	step := (line.X1 - line.X0) / float32(max(utf8.RuneCountInString(text), 1))
	rtl := strings.ContainsFunc(text, isRTL)
	at := 0 // characters before the word
	for _, w := range words {
		end := at + utf8.RuneCountInString(w)
		b := line
		if b.X0, b.X1 = line.X0+float32(step*float32(at)), line.X0+float32(step*float32(end)); rtl {
			b.X0, b.X1 = line.X1-float32(step*float32(end)), line.X1-float32(step*float32(at))
		}
		out = append(out, ocrWord{b, w})
		at = end + 1
	}
	return out
}

func attrOf(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// property returns the numbers of a property of hOCR, such as "bbox 0 0 10 10".
func property(title, name string) []float32 {
	for part := range strings.SplitSeq(title, ";") {
		fields := strings.Fields(part)
		if len(fields) == 0 || fields[0] != name {
			continue
		}
		var out []float32
		for _, f := range fields[1:] {
			x, err := strconv.ParseFloat(f, 32)
			if err != nil || !(x > -1e5 && x < 1e5) {
				return nil
			}
			out = append(out, float32(x))
		}
		return out
	}
	return nil
}

func hocrBox(title string, scale float32) (wire.Box, bool) {
	b := property(title, "bbox")
	if len(b) != 4 || b[2] <= b[0] || b[3] <= b[1] {
		return wire.Box{}, false
	}
	return wire.Box{X0: b[0] * scale, Y0: b[1] * scale, X1: b[2] * scale, Y1: b[3] * scale}, true
}

// baseline returns the distance of the baseline from the lower edge of a line.
func baseline(title string, scale float32) float32 {
	if b := property(title, "baseline"); len(b) == 2 && b[1] < 0 && b[1] > -500 {
		return b[1] * scale
	}
	return 0
}

// hocrSize returns the size of the font of a line.
func hocrSize(title string, box wire.Box, scale float32) float32 {
	if x := property(title, "x_size"); len(x) == 1 && x[0] > 0 {
		return x[0] * scale
	}
	return box.Y1 - box.Y0
}
