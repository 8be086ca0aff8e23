package langid

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// Answer is the answer of a program for a piece of text.
type Answer struct {
	// Lang is a language tag; "" and "und" mean no answer.
	Lang string
	// Confidence is the confidence reported by the program, 0 to 1.
	Confidence float64
}

// Speed holds the work of a program on the pieces of one cut.
type Speed struct {
	Bytes int64 `json:"bytes"`
	// Seconds is the processor time in seconds, without loading.
	Seconds float64 `json:"cpu_s"`
}

// MB returns megabytes (10^6 bytes) per second of processor time, 0 if unknown.
func (s Speed) MB() float64 {
	if s.Seconds <= 0 {
		return 0
	}
	return float64(s.Bytes) / 1e6 / s.Seconds
}

// Answers holds the answers of a system for all pieces of a cut.
type Answers struct {
	System string
	// Langs holds the languages of the system, as returned by [Fold].
	Langs map[string]bool
	// Texts holds an answer for each piece of each text.
	Texts [][]Answer
	Speed Speed
}

// Run calls detect for each piece in order.
func Run(system string, langs []string, pieces [][]string, detect func(string) Answer) *Answers {
	a := &Answers{System: system, Langs: folded(langs), Texts: make([][]Answer, len(pieces))}
	for i := range pieces {
		a.Texts[i] = make([]Answer, 0, len(pieces[i]))
	}
	start := cputime.Used()
	for i, text := range pieces {
		for _, p := range text {
			a.Texts[i] = append(a.Texts[i], detect(p))
			a.Speed.Bytes += int64(len(p))
		}
	}
	a.Speed.Seconds = (cputime.Used() - start).Seconds()
	return a
}

func folded(langs []string) map[string]bool {
	m := make(map[string]bool, len(langs))
	for _, l := range langs {
		if f := Fold(l); f != "" {
			m[f] = true
		}
	}
	return m
}

// system is the file system.json in a folder of predictions.
type system struct {
	Name    string           `json:"name"`
	Version string           `json:"version"`
	Langs   []string         `json:"langs"`
	Speed   map[string]Speed `json:"speed"`
}

// ReadPredictions reads the answers of another program for the pieces of cut c, which [SavePieces]
// has written. The folder contains system.json (name, version, langs) and <by>/<code>.txt with a
// line for each piece: a tag and, optionally, a tab and the confidence.
func ReadPredictions(dir string, s *Set, c Cut, pieces [][]string) (*Answers, error) {
	b, err := archive.ReadFile(filepath.Join(dir, "system.json"))
	if err != nil {
		return nil, err
	}
	var sys system
	if err := json.Unmarshal(b, &sys); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "system.json"), err)
	}
	if len(sys.Langs) == 0 {
		return nil, fmt.Errorf("%s: no langs: list the languages of the program", filepath.Join(dir, "system.json"))
	}
	a := &Answers{System: strings.TrimSpace(sys.Name + " " + sys.Version), Langs: folded(sys.Langs), Texts: make([][]Answer, len(pieces)), Speed: sys.Speed[c.By]}
	for i, t := range s.Texts {
		file := filepath.Join(dir, c.By, t.Code+".txt")
		b, err := archive.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) && !a.Langs[Fold(t.Tag)] {
			a.Texts[i] = make([]Answer, len(pieces[i])) // no answers
			continue
		}
		if err != nil {
			return nil, err
		}
		said := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		if len(said) != len(pieces[i]) {
			return nil, fmt.Errorf("%s: %d answers for %d samples: save the samples again, as many as are compared, and run the program on them", file, len(said), len(pieces[i]))
		}
		for k, line := range said {
			tag, conf, ok := strings.Cut(line, "\t")
			an := Answer{Lang: strings.TrimSpace(tag), Confidence: 1}
			if ok {
				if an.Confidence, err = strconv.ParseFloat(strings.TrimSpace(conf), 64); err != nil {
					return nil, fmt.Errorf("%s:%d: confidence %q: wanted a number", file, k+1, conf)
				}
			}
			a.Texts[i] = append(a.Texts[i], an)
		}
	}
	return a, nil
}

// SavePieces writes the pieces for other programs: dir/<by>/<code>.txt, one per line.
func SavePieces(dir string, s *Set, c Cut, pieces [][]string) error {
	dir = filepath.Join(dir, c.By)
	if err := disk.MkdirAll(dir); err != nil {
		return err
	}
	for i, t := range s.Texts {
		err := files.ReplaceWith(filepath.Join(dir, t.Code+".txt"), files.Options{Unsynced: true}, func(f io.Writer) error {
			w := bufio.NewWriter(f)
			for _, p := range pieces[i] {
				w.WriteString(p)
				w.WriteByte('\n')
			}
			return w.Flush()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
