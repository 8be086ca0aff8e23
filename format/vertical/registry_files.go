package vertical

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/packed"
)

// ErrNotOurs is the error for an existing file that this program did not write.
var ErrNotOurs = errors.New("is there and was not made by this program")

// unfit matches characters that are not allowed in names of corpora.
var unfit = lazyregexp.New(`[^a-z0-9_]+`)

// RegistryFiles returns the names of the files that [Inventory.WriteRegistry] writes for a
// vertical: for Manatee and for BlackLab.
func RegistryFiles(file string, cfg RegistryConfig) []string {
	if cfg.Dir == "" {
		cfg.Dir = filepath.Dir(file)
	}
	_, name := registryName(file)
	return []string{filepath.Join(cfg.Dir, name), filepath.Join(cfg.Dir, name+".blf.yaml")}
}

// registryName returns the name of a file without suffixes, and the name of its corpus.
func registryName(file string) (base, corpus string) {
	_, base = packed.CutSuffix(filepath.Base(file))
	base = strings.TrimSuffix(base, filepath.Ext(base))
	corpus = strings.Trim(unfit().ReplaceAllString(strings.ToLower(base), "_"), "_")
	if corpus == "" {
		corpus = "corpus"
	}
	return base, corpus
}

// ErrNoTokens is wrapped by the error of [Inventory.WriteRegistry] for a vertical without
// tokens.
var ErrNoTokens = errors.New("no tokens")

// WriteRegistry writes the files with which corpus managers index a vertical, which may be
// compressed: NAME for Manatee and NAME.blf.yaml for BlackLab. Missing settings are derived
// from the file name. It returns the names of the written files.
func (v *Inventory) WriteRegistry(file string, cfg RegistryConfig) (written []string, err error) {
	if v.Tokens == 0 {
		return nil, fmt.Errorf("%s: %w: nothing to index", file, ErrNoTokens)
	}
	base, name := registryName(file)
	if cfg.Vertical == "" {
		if cfg.Vertical, err = source(file, cmp.Or(cfg.Dir, filepath.Dir(file))); err != nil {
			return nil, err
		}
	}
	if cfg.Name == "" {
		cfg.Name = base
	}
	if cfg.Path == "" {
		cfg.Path = "./" + name + ".manatee/"
	}
	if cfg.Dir != "" {
		if err := disk.MkdirAll(cfg.Dir); err != nil {
			return nil, err
		}
	}
	paths := RegistryFiles(file, cfg)
	for i, out := range []struct {
		of, mark string
		make     func(RegistryConfig) ([]byte, error)
	}{{"manatee", registryMark, v.Registry}, {"blacklab", blackLabMark, v.BlackLab}} {
		if cfg.Only != "" && cfg.Only != out.of {
			continue
		}
		b, err := out.make(cfg)
		if err != nil {
			return written, fmt.Errorf("%s: %w", file, err)
		}
		path := paths[i]
		if err := mayWrite(path, out.mark, cfg.Force); err != nil {
			return written, err
		}
		if err := files.WriteFile(path, b); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

// source returns Manatee's setting to read a file from the folder dir of the registry file,
// so that both can be moved together. For a compressed file it is a command, whose output
// encodevert reads.
func source(file, dir string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(dir, file); err == nil { // no relative path exists between volumes
		file = "." + string(filepath.Separator) + rel
	}
	if kind, _ := packed.CutSuffix(file); kind != packed.Plain {
		return fmt.Sprintf("|%s -dc %s", kind, shellQuote(file)), nil
	}
	return file, nil
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// mayWrite returns an error if the file exists and this program did not write it.
func mayWrite(path, mark string, force bool) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s is to be a file, but is a folder: write to another folder", path)
	}
	if force {
		return nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, int64(len(mark))))
	if err != nil {
		return err
	}
	if string(old) != mark {
		return fmt.Errorf("%s %w: force overwriting it, or write to another folder", path, ErrNotOurs)
	}
	return nil
}
