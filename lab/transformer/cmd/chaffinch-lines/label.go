package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
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

// batchDocs is how many documents are labelled together.
const batchDocs = 64

// Run labels the documents, some at a time.
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
		n := min(len(files), batchDocs)
		docs := make([][]string, n)
		for i, name := range files[:n] {
			if docs[i], err = readLines(name, con.in); err != nil {
				return err
			}
		}
		files = files[n:]
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

// readLines reads the lines of a file, "-" for in.
func readLines(name string, in io.Reader) ([]string, error) {
	var b []byte
	var err error
	if name == "-" {
		b, err = io.ReadAll(in)
	} else {
		b, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("read lines: %w", err)
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}
