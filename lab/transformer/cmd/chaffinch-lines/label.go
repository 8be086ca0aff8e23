package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"chaffinch/internal/archive"
)

type labelCmd struct {
	Files []string `arg:"" optional:"" placeholder:"FILE" help:"Text files, each a document of one line a unit. Default: the standard input."`
	scorerFlags
	Text bool `help:"Print the lines of text only, without labels."`
}

// Help is the long text of --help.
func (labelCmd) Help() string {
	return `Prints for each line: 1 for text or 0 for boilerplate, the probability of text, and the line, with tabs between.

Example:
  chaffinch-lines label --transformer xlmr/model.onnx --model lines.chf page.txt`
}

// Limits of the documents in memory. A line uses the memory of its vector and its bytes.
const (
	batchDocs  = 64       // maximum number of documents that are labelled together
	batchLines = 1 << 13  // no document is added to a batch with this many lines
	maxLines   = 1 << 16  // of a document
	maxBytes   = 16 << 20 // of a document
)

// Run labels the documents in batches.
func (c *labelCmd) Run(ctx context.Context, con *console) error {
	s, done, err := c.open()
	if err != nil {
		return err
	}
	defer done()
	out := bufio.NewWriter(con.out)
	files := c.Files
	if len(files) == 0 {
		files = []string{"-"}
	}
	for len(files) > 0 {
		var docs [][]string
		for held := 0; len(files) > 0 && len(docs) < batchDocs && held < batchLines; files = files[1:] {
			lines, err := readLines(files[0], con.in)
			if err != nil {
				return fmt.Errorf("%s: %w", files[0], err)
			}
			docs = append(docs, lines)
			held += len(lines)
		}
		scores, err := s.ScoreDocs(ctx, docs, c.Cache)
		if err != nil {
			return err
		}
		for i, lines := range docs {
			for j, line := range lines {
				p := scores[i][j]
				text := float64(p) >= c.Threshold
				switch {
				case !c.Text:
					label := "0"
					if text {
						label = "1"
					}
					fmt.Fprintf(out, "%s\t%s\t%s\n", label, strconv.FormatFloat(float64(p), 'f', 4, 32), line)
				case text:
					out.WriteString(line + "\n")
				}
			}
		}
	}
	return out.Flush()
}

// readLines reads the lines of a document, or of in if name is "-".
func readLines(name string, in io.Reader) ([]string, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, errors.Unwrap(err) // the caller adds the name of the file
		}
		defer f.Close()
		in = f
	}
	b, err := archive.ReadLimited(in, maxBytes)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	if text == "" {
		return nil, nil
	}
	if n := strings.Count(text, "\n") + 1; n > maxLines {
		return nil, fmt.Errorf("%d lines, wanted at most %d: cut the document into several", n, maxLines)
	}
	return strings.Split(text, "\n"), nil
}
