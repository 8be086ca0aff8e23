package decontaminate

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"chaffinch/dedup/shingle"
	"chaffinch/input/records"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

// load reads the test sets, one field at a time.
func (m *Method) load() error {
	fields := m.cfg.Fields
	if len(fields) == 0 {
		fields = []string{records.Default.TextField}
	}
	for _, path := range m.cfg.Against {
		for _, field := range fields {
			if err := m.loadPath(path, field); err != nil {
				return inFields(fmt.Errorf("test set %w", err))
			}
		}
	}
	slices.Sort(m.whole)
	m.whole = slices.Compact(m.whole)
	if m.stats.Examples == 0 {
		return &settings.FieldError{Field: "against_fields", Err: fmt.Errorf("test sets: no example of at least %d words was found: name the fields that hold their text, or lower the minimum of words", m.cfg.MinWords)}
	}
	return nil
}

// inFields returns err, attributed to the setting Fields if a field is missing.
func inFields(err error) error {
	if errors.Is(err, records.ErrNoText) {
		return &settings.FieldError{Field: "against_fields", Err: err}
	}
	return err
}

func (m *Method) loadPath(path, field string) error {
	var bad error
	r, err := records.Open([]string{path}, records.Config{TextField: field, Parquet: m.cfg.Parquet, OnError: func(e *page.Error) {
		if m.cfg.OnError != nil {
			m.cfg.OnError(e)
		} else {
			bad = cmp.Or(bad, error(e))
		}
	}})
	if err != nil {
		return err
	}
	defer r.Close()
	w := newWords(m.cfg.Ngram)
	var grams []uint64
	for {
		d, err := r.Next()
		if err == io.EOF || bad != nil {
			return bad
		}
		if err != nil {
			return err
		}
		w.read(d)
		n := m.cfg.Ngram
		if words := len(w.tokens); words < n {
			n = words
			if words < m.cfg.MinWords {
				if words > 0 {
					m.stats.TooShort++
				}
				r.Release(d)
				continue
			}
			m.stats.Whole++
			m.whole = append(m.whole, words)
		}
		m.stats.Examples++
		if len(m.names) == 1<<31-1 {
			return errors.Join(errors.New("more than 2 billion examples"), r.Close())
		}
		grams = shingle.NGrams(grams[:0], w.tokens, n)
		for _, h := range grams {
			// While the table grows, the old one is in memory too.
			if most := m.cfg.Memory; m.set.full() && most > 0 && 3*m.set.bytes()+m.nameBytes > most {
				return fmt.Errorf("%s: the n-grams of the test sets up to %s take more than %d MB: give more memory, or compare with fewer test sets at a time",
					path, d.ID, (most+999_999)/1_000_000)
			}
			m.set.add(h, uint32(len(m.names)))
			m.sum = m.sum*31 + h
		}
		m.names = append(m.names, strings.Clone(d.ID))
		m.nameBytes += int64(len(d.ID)) + 16
		r.Release(d)
	}
}
