package table

import (
	"archive/zip"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a sheet ("Excel specifications and limits").
const (
	sheetRows = 1 << 20
	cellChars = 32_767
)

const (
	officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	spreadsheet    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationships  = "http://schemas.openxmlformats.org/package/2006/relationships"
	contentTypes   = "http://schemas.openxmlformats.org/package/2006/content-types"
	xmlHead        = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
)

// writeXLSX writes a workbook (ECMA-376) with inline strings, so that it can be streamed row
// by row. Rows beyond the limit of a sheet are written to further sheets, each with a header
// row.
func writeXLSX(w io.Writer, t Table) error { return writeSheets(w, t, sheetRows) }

func writeSheets(w io.Writer, t Table, rows int) error {
	z := zip.NewWriter(w)
	sheets, row := 0, rows
	var sheet io.Writer
	finish := func() error {
		if sheet == nil {
			return nil
		}
		_, err := io.WriteString(sheet, "</sheetData></worksheet>")
		return err
	}
	head := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = c
	}
	next := func() (err error) {
		if err = finish(); err != nil {
			return err
		}
		sheets++
		if sheet, err = z.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", sheets)); err != nil {
			return err
		}
		_, err = io.WriteString(sheet, xmlHead+`<worksheet xmlns="`+spreadsheet+`"><sheetData>`+sheetRow(head))
		row = 1
		return err
	}
	if err := next(); err != nil {
		return err
	}
	for values, err := range t.Rows {
		if err != nil {
			return err
		}
		if row == rows {
			if err := next(); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(sheet, sheetRow(values)); err != nil {
			return err
		}
		row++
	}
	if err := finish(); err != nil {
		return err
	}
	for _, f := range parts(t.Name, sheets) {
		p, err := z.Create(f.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(p, xmlHead+f.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// sheetRow returns a row of a sheet.
func sheetRow(values []any) string {
	var b strings.Builder
	b.WriteString("<row>")
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			b.WriteString(`<c><v>` + strconv.FormatInt(v, 10) + `</v></c>`)
			continue
		case float64:
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				b.WriteString(`<c><v>` + strconv.FormatFloat(v, 'g', -1, 64) + `</v></c>`)
				continue
			}
		case bool:
			b.WriteString(`<c t="b"><v>` + map[bool]string{true: "1", false: "0"}[v] + `</v></c>`)
			continue
		}
		b.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">` + escaped(cell(text(v))) + `</t></is></c>`)
	}
	b.WriteString("</row>")
	return b.String()
}

// cell truncates a text to the limit of a cell.
func cell(s string) string {
	if utf8.RuneCountInString(s) <= cellChars {
		return s
	}
	return string([]rune(s)[:cellChars-1]) + "…"
}

// sheetName returns a name that a sheet may have.
func sheetName(name string, n int) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) {
			return '_'
		}
		return r
	}, name)
	if n > 1 {
		name += " " + strconv.Itoa(n)
	}
	if r := []rune(name); len(r) > 31 {
		name = string(r[len(r)-31:])
	}
	return name
}

type part struct{ name, text string }

// parts returns the files of a workbook other than its sheets.
func parts(name string, sheets int) []part {
	var types, rels, list strings.Builder
	for i := 1; i <= sheets; i++ {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`, i)
		fmt.Fprintf(&rels, `<Relationship Id="s%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i, officeDocument)
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="s%[2]d"/>`, escaped(sheetName(name, i)), i)
	}
	return []part{
		{"[Content_Types].xml", `<Types xmlns="` + contentTypes + `"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + relationships + `"><Relationship Id="w" Type="` + officeDocument + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + relationships + `">` + rels.String() + `</Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + officeDocument + `"><sheets>` + list.String() + `</sheets></workbook>`},
	}
}
