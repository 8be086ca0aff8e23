package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"chaffinch/format/vertical"
	"chaffinch/internal/disk"
)

type verticalRegistryCmd struct {
	verticalFlags
	registryFlags
	Vertical string `arg:"" help:"The vertical, plain or packed."`
	Columns  string `placeholder:"NAME,..." help:"Names of the columns, such as word,lemma,tag. Default: word, column2, ..."`
	Lang     string `short:"l" placeholder:"TAG" help:"Language of the corpus. Default: that of most tokens by the documents' attribute lang."`
}

// registryFlags say what the vertical itself does not tell.
type registryFlags struct {
	Name   string `placeholder:"TEXT" help:"Name of the corpus for users. Default: that of the file."`
	Info   string `placeholder:"TEXT" help:"A sentence on the corpus."`
	Path   string `placeholder:"DIR" help:"Folder of Manatee's index. Default: NAME.manatee beside the registry file."`
	Tagset string `placeholder:"URL" help:"Address of a description of the tags."`
	Dir    string `placeholder:"DIR" help:"Folder to write NAME (for Manatee) and NAME.blf.yaml (for BlackLab) to. Default: that of the vertical."`
	Force  bool   `help:"Overwrite files that were not made by this command."`
}

// Run reads the vertical and writes both files.
func (c *verticalRegistryCmd) Run(ctx context.Context, con *console) error {
	if c.Vertical == "-" {
		return errors.New("the registry names the file of the vertical: give one, not standard input")
	}
	var columns []string
	if c.Columns != "" {
		columns = strings.Split(c.Columns, ",")
	}
	return c.registryFlags.write(ctx, c.Vertical, columns, c.Lang, c.config(c.Vertical, con), con)
}

// unfit are characters that names of corpora do not have.
var unfit = regexp.MustCompile(`[^a-z0-9_]+`)

// write scans the vertical and writes both files.
func (f *registryFlags) write(ctx context.Context, file string, columns []string, lang string, rc vertical.ReaderConfig, con *console) error {
	v, err := scanVertical(ctx, file, rc, false, con)
	if err != nil {
		return err
	}
	if n := v.Repaired(); n > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s: %s: the files describe the vertical as it is when that is mended: chaffinch vertical repair does it\n", file, v.Report.String())
	}
	if v.Tokens == 0 {
		return fmt.Errorf("%s: no tokens: nothing to index", file)
	}
	base := filepath.Base(file)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
	base = strings.TrimSuffix(base, filepath.Ext(base))
	name := strings.Trim(unfit.ReplaceAllString(strings.ToLower(base), "_"), "_")
	if name == "" {
		name = "corpus"
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	cfg := vertical.RegistryConfig{Name: f.Name, Path: f.Path, Vertical: abs, Columns: columns, Lang: lang, Info: f.Info, Tagset: f.Tagset}
	switch filepath.Ext(file) { // encodevert reads the output of a command too
	case ".gz":
		cfg.Vertical = "|gzip -dc " + shellQuote(abs)
	case ".zst":
		cfg.Vertical = "|zstd -dc " + shellQuote(abs)
	}
	if cfg.Name == "" {
		cfg.Name = base
	}
	if cfg.Path == "" {
		cfg.Path = "./" + name + ".manatee/"
	}
	dir := f.Dir
	if dir == "" {
		dir = filepath.Dir(file)
	} else if err := disk.MkdirAll(dir); err != nil {
		return err
	}
	for _, out := range []struct {
		name, mark string
		make       func(vertical.RegistryConfig) ([]byte, error)
	}{{name, vertical.RegistryMark, v.Registry}, {name + ".blf.yaml", vertical.BlackLabMark, v.BlackLab}} {
		b, err := out.make(cfg)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		path := filepath.Join(dir, out.name)
		if err := f.mayWrite(path, out.mark); err != nil {
			return err
		}
		if err := writeTo(path, con, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
		fmt.Fprintf(con.err, "%s\n", path)
	}
	return nil
}

// mayWrite refuses to overwrite what somebody else wrote.
func (f *registryFlags) mayWrite(path, mark string) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s is to be a file, but is a folder: chaffinch vertical registry --dir writes it elsewhere", path)
	}
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || f.Force:
		return nil
	case err != nil:
		return err
	case !bytes.HasPrefix(old, []byte(mark)):
		return fmt.Errorf("%s is there and was not made by this command: --force overwrites it, --dir writes elsewhere", path)
	}
	return nil
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
