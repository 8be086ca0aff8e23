package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/internal/report"
)

type corpusInfoCmd struct {
	Index string `arg:"" help:"Folder of an index."`
	JSON  bool   `help:"Print JSON."`
	Check bool   `help:"Verify the checksum of the whole index; small indexes are always verified."`
}

// Run prints the attributes, structures and sizes of the index.
func (c *corpusInfoCmd) Run(con *console) error {
	x, err := openIndex(c.Index)
	if err != nil {
		return err
	}
	defer x.Close()
	if c.Check {
		if err := x.Verify(); err != nil {
			return err
		}
	}
	info, err := x.Info()
	if err != nil {
		return err
	}
	if c.JSON {
		b, err := json.MarshalIndent(struct {
			Index string `json:"index"`
			corpus.Info
		}{c.Index, info}, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.out, "%s\n", b)
		return err
	}
	fmt.Fprintf(con.out, "tokens      %s\nsize        %s, %.2f bytes per token\nmade by     %s\ndata        SHA-256 %s\n",
		number(info.Tokens), report.Size(info.Bytes), float64(info.Bytes)/float64(max(info.Tokens, 1)), info.Tool, info.DataSHA256)
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
	if err != nil {
		return err
	}
	for _, name := range x.Alignments() {
		a, err := x.Aligned(name)
		if err != nil {
			fmt.Fprintf(con.err, "chaffinch: %v\n", err)
			continue
		}
		unit, _ := a.Units()
		fmt.Fprintf(con.out, "aligned     %s, %s of %s\n", name, count(int64(a.Beads()), "pair"), unit.Name())
	}
	k, err := sketch.Open(x)
	if errors.Is(err, sketch.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	var records int64
	for _, r := range k.Relations() {
		records += r.Count
	}
	_, err = fmt.Fprintf(con.out, "sketches    %s of %s, %s\n", count(records, "instance"), count(int64(len(k.Relations())), "relation"), report.Size(int64(k.Bytes())))
	return err
}

// prefixed returns prefix and s, or "" if s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
