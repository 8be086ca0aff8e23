package propose

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/lazyregexp"
	"chaffinch/page/weburl"
)

const (
	// maxLanguageFile is the most bytes of a file about a language.
	maxLanguageFile = 4 << 20
	// maxLanguageFiles is the most files in a folder that are read.
	maxLanguageFiles = 100_000
)

var (
	languageTitle = lazyregexp.New(`(?m)\A\s*# Web Language:`)
	languageCode  = lazyregexp.New(`(?m)^- ISO-639-3 code:\s*([a-z]{3})\b`)
	listedURL     = lazyregexp.New(`https?://[^\s<>"\]]+`)
)

// otherSections begin the names of sections without pages in the language.
var otherSections = []string{"additional names", "informative links", "additional information", "scripts", "thank you"}

// Languages returns the pages that a copy of the Web Languages project lists for a language. Path is
// the folder of the project or the file of a language. Links that inform about the language in English
// are left out.
func Languages(ctx context.Context, path, lang string) (list []Proposal, err error) {
	m, err := newMatcher(lang)
	if err != nil {
		return nil, err
	}
	files, found := 0, 0
	seen := map[string]bool{}
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		if !d.Type().IsRegular() || filepath.Ext(name) != ".md" {
			return nil
		}
		if files++; files > maxLanguageFiles {
			return fmt.Errorf("%s: more than %d files: wanted a copy of the Web Languages project", path, maxLanguageFiles)
		}
		text, err := readLimited(name)
		if err != nil || !languageTitle().Match(text) {
			return err
		}
		if code := languageCode().FindSubmatch(text); code == nil || !m.has(string(code[1])) {
			return nil
		}
		found++
		for _, p := range languagePages(text) {
			if !seen[p.URL] {
				seen[p.URL] = true
				list = append(list, p)
			}
		}
		return nil
	})
	if err == nil && found == 0 {
		err = fmt.Errorf("%s: no file about %q among %s: wanted the folder of the Web Languages project, or its file of the language", path, lang, count(files, "Markdown file"))
	}
	return list, err
}

// languagePages returns the pages in the file of a language.
func languagePages(text []byte) (list []Proposal) {
	section, skip := "", true
	for line := range bytes.Lines(text) {
		s := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(s, "## "): // instructions for contributors
			return list
		case !strings.HasPrefix(s, "-") && strings.HasSuffix(s, ":"):
			section = strings.TrimSuffix(s, ":")
			skip = slices.ContainsFunc(otherSections, func(p string) bool { return strings.HasPrefix(strings.ToLower(section), p) })
			continue
		}
		if skip {
			continue
		}
		for _, found := range listedURL().FindAllString(s, -1) {
			if u, err := weburl.Parse(trimURL(found), nil); err == nil {
				list = append(list, Proposal{u.Normalize().String(), "web-languages: " + section})
			}
		}
	}
	return list
}

// trimURL removes punctuation after a URL, and a parenthesis that was opened before it.
func trimURL(s string) string {
	for {
		cut := strings.TrimRight(s, ".,;:*")
		if strings.HasSuffix(cut, ")") && strings.Count(cut, "(") < strings.Count(cut, ")") {
			cut = cut[:len(cut)-1]
		}
		if cut == s {
			return s
		}
		s = cut
	}
}

func readLimited(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxLanguageFile+1))
	if err == nil && len(b) > maxLanguageFile {
		err = fmt.Errorf("%s: more than %d bytes: wanted a smaller file about a language", name, maxLanguageFile)
	}
	return b, err
}
