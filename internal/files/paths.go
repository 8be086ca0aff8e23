package files

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a file or folder that the user named.
type Place struct {
	// What is the description for messages, such as "the report" or "the input".
	What string
	Path string
}

// String returns the description and the path for messages.
func (p Place) String() string { return fmt.Sprintf("%s %s", p.What, p.Path) }

// CheckDistinct returns an error if an output is an input or another output. It compares files, not names:
// symbolic and hard links to the same file are equal. Pipes, devices, "-" and "" are ignored.
func CheckDistinct(inputs, outputs []Place) error {
	for i, out := range outputs {
		for _, in := range inputs {
			if sameFile(out.Path, in.Path) {
				return fmt.Errorf("%v is the same file as %v, which would be lost: name another one", out, in)
			}
		}
		for _, other := range outputs[:i] {
			if sameFile(out.Path, other.Path) {
				return fmt.Errorf("%v is the same file as %v: name another one", out, other)
			}
		}
	}
	return nil
}

// CheckOutputs returns the errors of CheckDistinct and CheckNotWithin for the inputs and all outputs, and an error if
// an output that must be a file is a folder.
func CheckOutputs(inputs []string, outputs, folders []Place) error {
	var read []Place
	for _, in := range inputs {
		read = append(read, Place{What: "the input", Path: in})
	}
	all := slices.Concat(outputs, folders)
	if err := CheckDistinct(read, all); err != nil {
		return err
	}
	if err := CheckNotWithin(read, all); err != nil {
		return err
	}
	for _, out := range outputs {
		if st, err := os.Stat(out.Path); out.Path != "" && err == nil && st.IsDir() {
			return fmt.Errorf("output %s is a folder: name a file in it", out.Path)
		}
	}
	return nil
}

// CheckNotWithin returns an error if an output is in a folder that is read as a whole: the next run would
// read it.
func CheckNotWithin(inputs, outputs []Place) error {
	for _, out := range outputs {
		for _, in := range inputs {
			if in.Path == "" || in.Path == "-" || out.Path == "" || out.Path == "-" || Special(out.Path) {
				continue
			}
			if st, err := os.Stat(in.Path); err != nil || !st.IsDir() && !st.Mode().IsRegular() {
				continue
			}
			if Within(out.Path, in.Path) {
				return fmt.Errorf("%v lies in the input %s, and another run would read it: write it elsewhere", out, in.Path)
			}
		}
	}
	return nil
}

// Within reports whether path is folder or is in it, after links are resolved.
func Within(path, folder string) bool {
	rel, err := filepath.Rel(RealPath(folder), RealPath(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// sameFile reports whether two paths name one file or folder, or would if it existed. It is false for
// pipes and devices.
func sameFile(a, b string) bool {
	if a == "" || b == "" || a == "-" || b == "-" || Special(a) || Special(b) {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	return errX != nil && errY != nil && RealPath(a) == RealPath(b)
}

// Special reports whether a path exists but is neither a file nor a folder: a pipe, a device, or a
// system name for an open file of this process, which other processes may also write.
func Special(path string) bool {
	clean := filepath.ToSlash(filepath.Clean(path))
	for _, open := range []string{"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"} {
		if strings.HasPrefix(clean, open) {
			return true
		}
	}
	st, err := os.Stat(path)
	return err == nil && !st.IsDir() && !st.Mode().IsRegular()
}

// RealPath returns the absolute path without symbolic links, for the existing part of the path.
func RealPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for there, rest := path, ""; ; {
		if p, err := filepath.EvalSymlinks(there); err == nil {
			return filepath.Join(p, rest)
		}
		up := filepath.Dir(there)
		if up == there {
			return path
		}
		there, rest = up, filepath.Join(filepath.Base(there), rest)
	}
}
