package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"chaffinch/corpus"
)

type corpusInfoCmd struct {
	Index string `arg:"" help:"Folder of an index."`
	JSON  bool   `help:"Print JSON."`
	Check bool   `help:"Read the whole index and verify its checksum; small indexes are always verified."`
}

// corpusInfo is what the command prints.
type corpusInfo struct {
	Index      string             `json:"index"`
	Tokens     int64              `json:"tokens"`
	Bytes      int64              `json:"bytes"`
	Tool       string             `json:"tool"`
	DataSHA256 string             `json:"data_sha256"`
	Attributes []corpusAttrInfo   `json:"attributes"`
	Structures []corpusStructInfo `json:"structures"`
}

type corpusAttrInfo struct {
	Name   string `json:"name"`
	Values int    `json:"values"`
}

type corpusStructInfo struct {
	Name       string           `json:"name"`
	Count      int              `json:"count"`
	Attributes []corpusAttrInfo `json:"attributes"`
}

// Run prints what is in the index.
func (c *corpusInfoCmd) Run(con *console) error {
	x, err := corpus.Open(c.Index)
	if err != nil {
		return err
	}
	defer x.Close()
	if c.Check {
		if err := x.Verify(); err != nil {
			return err
		}
	}
	h := x.Header()
	info := corpusInfo{Index: c.Index, Tokens: x.Size(), Bytes: x.Bytes(), Tool: h.Tool, DataSHA256: h.DataSHA256}
	for _, name := range x.Attrs() {
		a, err := x.Attr(name)
		if err != nil {
			return err
		}
		info.Attributes = append(info.Attributes, corpusAttrInfo{name, a.Len()})
	}
	for _, name := range x.Structs() {
		s, err := x.Struct(name)
		if err != nil {
			return err
		}
		si := corpusStructInfo{Name: name, Count: s.Len()}
		for _, an := range s.Attrs() {
			a, err := s.Attr(an)
			if err != nil {
				return err
			}
			si.Attributes = append(si.Attributes, corpusAttrInfo{an, a.Len()})
		}
		info.Structures = append(info.Structures, si)
	}
	if c.JSON {
		b, err := json.MarshalIndent(info, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.out, "%s\n", b)
		return err
	}
	fmt.Fprintf(con.out, "tokens      %s\nsize        %.1f MB, %.2f bytes per token\nmade by     %s\ndata        SHA-256 %s\n",
		number(info.Tokens), float64(info.Bytes)/1e6, float64(info.Bytes)/float64(max(info.Tokens, 1)), info.Tool, info.DataSHA256)
	for _, a := range info.Attributes {
		fmt.Fprintf(con.out, "attribute   %s, %s\n", a.Name, count(int64(a.Values), "value"))
	}
	for _, s := range info.Structures {
		var as []string
		for _, a := range s.Attributes {
			as = append(as, fmt.Sprintf("%s (%s)", a.Name, number(int64(a.Values))))
		}
		_, err = fmt.Fprintf(con.out, "structure   %s, %s%s\n", s.Name, number(int64(s.Count)), prefixed(": ", strings.Join(as, ", ")))
	}
	return err
}

// prefixed returns s behind prefix, or nothing if s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
