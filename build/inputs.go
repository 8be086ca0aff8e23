package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chaffinch/internal/files"
)

// inputs returns the files and folders to read.
func (c *Config) inputs() []string {
	if c.Inputs != nil {
		return c.Inputs
	}
	return c.Recipe.Inputs
}

// inputBytes returns the size of the input files. For a sample it is the size of all input files.
func (c *Config) inputBytes() (n int64) {
	if c.Pieces == nil {
		for _, f := range files.List(c.inputs()) {
			n += f.Size
		}
		return n
	}
	if n = total(c.Pieces); c.share > 0 {
		n = int64(float64(n) / c.share)
	}
	return n
}

// checkInputs returns the first error in the inputs, before any step runs.
func (c *Config) checkInputs() error {
	in := c.inputs()
	if c.Pieces != nil || c.stored {
		return nil
	}
	if len(in) == 0 {
		return errors.New("no input: name files or folders, or write them into the recipe as inputs")
	}
	var places []files.Place
	for _, name := range in {
		if name == "-" {
			return errors.New("standard input cannot be read again: save it as a file and name that")
		}
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("input %s: %w", name, files.Cause(err))
		}
		if _, err := os.Stat(filepath.Join(name, StateName)); err == nil {
			return fmt.Errorf("input %s: the folder of a build, which holds its text several times: name an export in it", name)
		}
		places = append(places, files.Place{What: "the input", Path: name})
	}
	out := []files.Place{{What: "the folder of the corpus", Path: c.Out}}
	if err := files.CheckDistinct(places, out); err != nil {
		return err
	}
	for _, p := range places {
		if files.Within(p.Path, c.Out) {
			return fmt.Errorf("the input %s lies in the folder %s of the corpus: wanted another folder", p.Path, c.Out)
		}
	}
	return files.CheckNotWithin(places, out)
}
