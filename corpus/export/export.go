// Package export writes an index as the input of other programs: verticals with the registry of
// Manatee or the format file of BlackLab, the input of CWB, TEI and CoNLL-U.
//
// Unstable: this package may change in any release.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"chaffinch/corpus"
	"chaffinch/format/cwb"
	"chaffinch/format/tei"
	"chaffinch/format/vertical"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// Formats lists the formats.
var Formats = []string{"vertical", "manatee", "blacklab", "cwb", "tei", "conllu"}

// Config configures an export.
type Config struct {
	// Format is one of Formats.
	Format string
	// Dir is the output folder, which is created if missing.
	Dir string
	// Name is the name of the corpus and of its files. Default: the name of the folder of the index
	// without suffix, in lower case, with ASCII letters, digits, _ and - only.
	Name string
	// Force overwrites registry and format files that this program did not write.
	Force bool
}

// Report lists the files written, and the commands that index them in the other program.
type Report struct {
	Files    []string
	Commands []string
}

// writer writes the files of one export.
type writer struct {
	ctx context.Context
	c   *corpus.Corpus
	cfg Config
	rep Report
}

// Write writes a corpus, which must be whole.
func Write(ctx context.Context, c *corpus.Corpus, cfg Config) (Report, error) {
	if cfg.Name == "" {
		base := filepath.Base(c.Dir())
		cfg.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	cfg.Name = cwb.ID(cfg.Name)
	w := &writer{ctx: ctx, c: c, cfg: cfg}
	if c.Condition() != "" {
		return w.rep, errors.New("export: a part of a corpus, wanted the whole one")
	}
	if err := disk.MkdirAll(cfg.Dir); err != nil {
		return w.rep, &corpus.ConfigError{Field: "Dir", Err: fmt.Errorf("%w: wanted a folder", err)}
	}
	var err error
	switch cfg.Format {
	case "vertical":
		err = w.file(w.path(".vert"), func(out io.Writer) error { return c.WriteVertical(ctx, out) })
	case "manatee":
		err = w.manatee()
	case "blacklab":
		err = w.blacklab()
	case "cwb":
		err = w.cwb()
	case "tei":
		err = w.convert(".xml", func(out io.Writer, r *vertical.Reader) error {
			return tei.Words{Title: cfg.Name, Columns: c.Columns(), Doc: c.Document()}.Write(out, r)
		})
	case "conllu":
		err = w.convert(".conllu", func(out io.Writer, r *vertical.Reader) error {
			_, err := vertical.ToConllu(out, r, c.Columns())
			return err
		})
	default:
		err = fmt.Errorf("export: format %q, wanted one of %s", cfg.Format, strings.Join(Formats, ", "))
	}
	return w.rep, err
}

// path returns the path of a file with a suffix.
func (w *writer) path(suffix string) string { return filepath.Join(w.cfg.Dir, w.cfg.Name+suffix) }

// file writes a file.
func (w *writer) file(path string, write func(io.Writer) error) error {
	if err := files.Replace(path, write); err != nil {
		return err
	}
	w.rep.Files = append(w.rep.Files, path)
	return nil
}

// convert writes a file from the vertical of the corpus.
func (w *writer) convert(suffix string, do func(io.Writer, *vertical.Reader) error) error {
	return w.file(w.path(suffix), func(out io.Writer) error {
		return w.c.ReadVertical(w.ctx, func(in io.Reader) error { return do(out, w.reader(in)) })
	})
}

// reader reads the vertical of the corpus.
func (w *writer) reader(in io.Reader) *vertical.Reader {
	return vertical.NewReader(in, vertical.ReaderConfig{Name: w.c.Dir(), Columns: len(w.c.Columns()), Doc: w.c.Document()})
}

// registry writes the vertical and a file that describes it for a corpus manager.
func (w *writer) registry(only string, cfg vertical.RegistryConfig) error {
	var v *vertical.Inventory
	err := w.file(w.path(".vert"), func(out io.Writer) error {
		return w.c.ReadVertical(w.ctx, func(in io.Reader) (err error) {
			v, err = vertical.Scan(w.reader(io.TeeReader(in, out)))
			return err
		})
	})
	if err != nil {
		return err
	}
	cfg.Columns, cfg.Force, cfg.Only = w.c.Columns(), w.cfg.Force, only
	written, err := v.WriteRegistry(w.path(".vert"), cfg)
	w.rep.Files = append(w.rep.Files, written...)
	return err
}

func (w *writer) manatee() error {
	var cfg vertical.RegistryConfig
	err := w.eachAligned(func(a *corpus.Alignment) error {
		unit, other := a.Units()
		if cfg.AlignStruct != "" && cfg.AlignStruct != unit.Name() || other.Name() != unit.Name() {
			return fmt.Errorf("export: alignment with %s: structures <%s> and <%s>, but Manatee has one structure for all alignments: align the corpora by the same structure", a.Name(), unit.Name(), other.Name())
		}
		path := w.path("-" + cwb.ID(a.Name()) + ".map")
		cfg.AlignStruct, cfg.Aligned = unit.Name(), append(cfg.Aligned, cwb.ID(a.Name()))
		cfg.AlignDef = append(cfg.AlignDef, absolute(path))
		return w.file(path, a.WriteMapping)
	})
	if err != nil {
		return err
	}
	if err := w.registry("manatee", cfg); err != nil {
		return err
	}
	w.command("compilecorp", w.rep.Files[len(w.rep.Files)-1])
	return nil
}

func (w *writer) blacklab() error {
	if err := w.registry("blacklab", vertical.RegistryConfig{}); err != nil {
		return err
	}
	w.command("java", "-cp", "blacklab.jar", "nl.inl.blacklab.tools.IndexTool", "create", w.path(".index"), w.path(".vert"), w.cfg.Name)
	return nil
}

func (w *writer) cwb() error {
	d := cwb.Corpus{Name: w.cfg.Name, Title: w.cfg.Name, Columns: w.c.Columns(), Home: absolute(w.path(".cwb"))}
	for _, name := range w.c.Structs() {
		s, err := w.c.Struct(name)
		if err != nil {
			return err
		}
		if name == "g" || name == "sp" {
			continue
		}
		d.Structures = append(d.Structures, cwb.Structure{Name: name, Attrs: s.Columns()})
	}
	d.Lang = w.language()
	if err := d.Check(); err != nil {
		return err
	}
	if err := disk.MkdirAll(d.Home); err != nil {
		return err
	}
	if err := w.convert(".vrt", d.Write); err != nil {
		return err
	}
	registry := filepath.Join(w.cfg.Dir, "registry")
	w.command(d.Encode(w.path(".vrt"), w.path(".cwb"))...)
	w.command("cwb-makeall", "-r", registry, "-V", strings.ToUpper(d.Name))
	err := w.eachAligned(func(a *corpus.Alignment) error {
		other := cwb.ID(a.Name())
		d.Aligned = append(d.Aligned, other)
		path := w.path("-" + other + ".align")
		w.command("cwb-align-encode", "-D", "-r", registry, path)
		return w.file(path, func(out io.Writer) error { return w.beads(out, a, other) })
	})
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(registry); err != nil {
		return err
	}
	return w.file(filepath.Join(registry, d.Name), func(out io.Writer) error {
		_, err := out.Write(d.Registry())
		return err
	})
}

// beads writes the input of cwb-align-encode: the first and the last token on both sides.
func (w *writer) beads(out io.Writer, a *corpus.Alignment, other string) error {
	unit, there := a.Units()
	buf := fmt.Appendf(nil, "%s %s %s %s\n", w.cfg.Name, cwb.ID(unit.Name()), other, cwb.ID(there.Name()))
	for b := range a.Beads() {
		start, end, oStart, oEnd := a.Spans(b)
		if start < end && oStart < oEnd {
			first, last, oFirst, oLast := a.Segments(b)
			buf = fmt.Appendf(buf, "%d\t%d\t%d\t%d\t%d:%d\n", start, end-1, oStart, oEnd-1, last-first, oLast-oFirst)
		}
		if len(buf) >= 1<<16 || b == a.Beads()-1 {
			if _, err := out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
}

// language returns the language of most documents, or "".
func (w *writer) language() string {
	doc, err := w.c.Struct(w.c.Document())
	if err != nil {
		return ""
	}
	a, err := doc.Attr("lang")
	if err != nil || a.Len() == 0 {
		return ""
	}
	best := uint32(0)
	for id := range uint32(a.Len()) {
		if a.Freq(id) > a.Freq(best) {
			best = id
		}
	}
	return a.Word(best)
}

// eachAligned calls do for each alignment.
func (w *writer) eachAligned(do func(*corpus.Alignment) error) error {
	for _, name := range w.c.Alignments() {
		a, err := w.c.Aligned(name)
		if err != nil {
			return err
		}
		if err := do(a); err != nil {
			return err
		}
	}
	return nil
}

// command adds a command of the other program, quoted for a shell.
func (w *writer) command(args ...string) {
	quoted := make([]string, len(args))
	for i, a := range args {
		if quoted[i] = a; a == "" || strings.ContainsFunc(a, func(r rune) bool {
			return !strings.ContainsRune("+-_./:,=@%", r) && !('0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')
		}) {
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	w.rep.Commands = append(w.rep.Commands, strings.Join(quoted, " "))
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
