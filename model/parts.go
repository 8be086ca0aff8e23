package model

import "fmt"

// Load opens the model file at path, calls read and closes the file. Use it for models that
// keep none of the file's bytes.
func Load[T any](path string, read func(f *File) (T, error)) (T, error) {
	f, err := Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return read(f)
}

// Decode is like [Load] for a file in memory. name is used in errors.
func Decode[T any](name string, b []byte, read func(f *File) (T, error)) (T, error) {
	f, err := Parse(name, b)
	if err != nil {
		var none T
		return none, err
	}
	return read(f)
}

// Path returns the path of the file, or its name if it is in memory, for errors.
func (f *File) Path() string { return f.path }

// Part describes how a section is read.
type Part struct {
	Name string
	// Optional reports whether the section may be missing. Read is not called then.
	Optional bool
	Read     func(b []byte) error
}

// ReadParts reads the sections in the order of parts. Errors name the model and the section.
func (f *File) ReadParts(parts ...Part) error {
	for _, p := range parts {
		b, ok := f.Section(p.Name)
		switch {
		case !ok && p.Optional:
			continue
		case !ok:
			return fmt.Errorf("model %s: no section %q", f.path, p.Name)
		}
		if err := p.Read(b); err != nil {
			return fmt.Errorf("model %s: section %s: %w", f.path, p.Name, err)
		}
	}
	return nil
}

// Section is a named section of a model file.
type Section struct {
	Name  string
	Bytes []byte
}

// Save writes a model file whose sections are in memory. The same header and sections always
// produce the same bytes.
func Save(path string, h Header, sections ...Section) error {
	w, err := Create(path, h)
	if err != nil {
		return err
	}
	for _, s := range sections {
		w.Section(s.Name)
		w.Write(s.Bytes) // Close reports errors
	}
	return w.Close()
}
