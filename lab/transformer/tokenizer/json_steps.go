package tokenizer

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxNesting is the maximum nesting depth of sequences of steps.
const maxNesting = 8

var errNesting = fmt.Errorf("sequences nested deeper than %d", maxNesting)

// missing reports whether a part of the file is absent.
func missing(b json.RawMessage) bool {
	return len(b) == 0 || bytes.Equal(bytes.TrimSpace(b), []byte("null"))
}

// parseNormalizer returns the steps of a normalizer in order.
func parseNormalizer(b json.RawMessage, depth int) ([]normalizer, error) {
	if missing(b) {
		return nil, nil
	}
	if depth > maxNesting {
		return nil, errNesting
	}
	var n struct {
		Type        string            `json:"type"`
		Normalizers []json.RawMessage `json:"normalizers"`
		Charsmap    *string           `json:"precompiled_charsmap"`
		StripLeft   bool              `json:"strip_left"`
		StripRight  bool              `json:"strip_right"`
		Prepend     string            `json:"prepend"`
		Content     string            `json:"content"`
		Pattern     struct {
			String *string `json:"String"`
			Regex  *string `json:"Regex"`
		} `json:"pattern"`
	}
	if err := json.Unmarshal(b, &n); err != nil {
		return nil, err
	}
	one := func(n normalizer) ([]normalizer, error) { return []normalizer{n}, nil }
	switch n.Type {
	case "Sequence":
		var all []normalizer
		for i, step := range n.Normalizers {
			list, err := parseNormalizer(step, depth+1)
			if err != nil {
				return nil, fmt.Errorf("step %d: %w", i+1, err)
			}
			all = append(all, list...)
		}
		return all, nil
	case "Precompiled":
		if n.Charsmap == nil || *n.Charsmap == "" {
			return nil, nil // a model whose rule is "identity"
		}
		table, err := base64.StdEncoding.DecodeString(*n.Charsmap)
		if err != nil {
			return nil, fmt.Errorf("precompiled_charsmap: %w", err)
		}
		c, err := parseCharsmap(table)
		if err != nil {
			return nil, fmt.Errorf("precompiled_charsmap: %w", err)
		}
		return one(c)
	case "NFC":
		return one(form(norm.NFC))
	case "NFD":
		return one(form(norm.NFD))
	case "NFKC":
		return one(form(norm.NFKC))
	case "NFKD":
		return one(form(norm.NFKD))
	case "Lowercase":
		return one(lowercase{})
	case "Nmt":
		return one(nmt{})
	case "StripAccents":
		return one(stripAccents{})
	case "Strip":
		return one(strip{n.StripLeft, n.StripRight})
	case "Prepend":
		return one(prepend(n.Prepend))
	case "Replace":
		return parseReplace(n.Pattern.String, n.Pattern.Regex, n.Content)
	}
	return nil, fmt.Errorf("type %q, wanted Precompiled, NFC, NFD, NFKC, NFKD, Nmt, Lowercase, Strip, StripAccents, Prepend, Replace or Sequence", n.Type)
}

func parseReplace(text, regex *string, content string) ([]normalizer, error) {
	switch {
	case text != nil && *text != "":
		return []normalizer{replaceText{[]byte(*text), []byte(content)}}, nil
	case regex != nil && *regex != "":
		r, err := newReplace(*regex, content)
		if err != nil {
			return nil, fmt.Errorf("replace: %w: wanted a pattern of Go's regular expressions", err)
		}
		return []normalizer{r}, nil
	}
	return nil, errors.New("replace: no pattern, wanted a String or a Regex")
}

// parsePreTokenizer returns the steps of a pre-tokenizer in order.
func parsePreTokenizer(b json.RawMessage, depth int) ([]pretokenizer, error) {
	if missing(b) {
		return nil, nil
	}
	if depth > maxNesting {
		return nil, errNesting
	}
	var p struct {
		Type           string            `json:"type"`
		Pretokenizers  []json.RawMessage `json:"pretokenizers"`
		Replacement    string            `json:"replacement"`
		AddPrefixSpace *bool             `json:"add_prefix_space"`
		PrependScheme  *string           `json:"prepend_scheme"`
		Split          *bool             `json:"split"`
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return nil, err
	}
	switch p.Type {
	case "Sequence":
		var all []pretokenizer
		for i, step := range p.Pretokenizers {
			list, err := parsePreTokenizer(step, depth+1)
			if err != nil {
				return nil, fmt.Errorf("step %d: %w", i+1, err)
			}
			all = append(all, list...)
		}
		return all, nil
	case "WhitespaceSplit":
		return []pretokenizer{whitespaceSplit{}}, nil
	case "Metaspace":
		m := metaspace{mark: []byte(p.Replacement), split: p.Split == nil || *p.Split}
		if utf8.RuneCountInString(p.Replacement) != 1 {
			return nil, fmt.Errorf("metaspace: replacement %q, wanted one character", p.Replacement)
		}
		scheme := "always"
		if p.PrependScheme != nil {
			scheme = *p.PrependScheme
		} else if p.AddPrefixSpace != nil && !*p.AddPrefixSpace {
			scheme = "never"
		}
		switch scheme {
		case "always":
			m.prefix = prefixAlways
		case "first":
			m.prefix = prefixFirst
		case "never":
			m.prefix = prefixNever
		default:
			return nil, fmt.Errorf("metaspace: prepend_scheme %q, wanted always, first or never", scheme)
		}
		return []pretokenizer{m}, nil
	}
	return nil, fmt.Errorf("type %q, wanted WhitespaceSplit, Metaspace or Sequence", p.Type)
}

// parsePostProcessor sets the special tokens around a single text.
func (t *Tokenizer) parsePostProcessor(b json.RawMessage, depth int) error {
	if missing(b) {
		return nil
	}
	if depth > maxNesting {
		return errNesting
	}
	var p struct {
		Type       string            `json:"type"`
		Processors []json.RawMessage `json:"processors"`
		Single     []templatePiece   `json:"single"`
		Special    map[string]struct {
			IDs []int64 `json:"ids"`
		} `json:"special_tokens"`
		Sep []json.RawMessage `json:"sep"`
		Cls []json.RawMessage `json:"cls"`
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	switch p.Type {
	case "Sequence":
		for i, step := range p.Processors {
			if err := t.parsePostProcessor(step, depth+1); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
		}
		return nil
	case "RobertaProcessing", "BertProcessing":
		cls, err := pairID(p.Cls)
		if err != nil {
			return fmt.Errorf("cls: %w", err)
		}
		sep, err := pairID(p.Sep)
		if err != nil {
			return fmt.Errorf("sep: %w", err)
		}
		t.before, t.behind = append([]int64{cls}, t.before...), append(t.behind, sep)
		return t.checkSpecial()
	case "TemplateProcessing":
		var before, behind []int64
		text := false
		for _, piece := range p.Single {
			switch {
			case piece.Sequence != nil && piece.Sequence.ID == "A" && !text:
				text = true
			case piece.Special != nil:
				special, ok := p.Special[piece.Special.ID]
				if !ok {
					return fmt.Errorf("template: no ids for %q among its special_tokens", piece.Special.ID)
				}
				if text {
					behind = append(behind, special.IDs...)
				} else {
					before = append(before, special.IDs...)
				}
			default:
				return errors.New(`template "single": wanted special tokens and the text $A once`)
			}
		}
		if !text {
			return errors.New(`template "single": no $A`)
		}
		t.before, t.behind = append(before, t.before...), append(t.behind, behind...)
		return t.checkSpecial()
	}
	return fmt.Errorf("type %q, wanted TemplateProcessing, RobertaProcessing, BertProcessing or Sequence", p.Type)
}

// checkSpecial checks the ids of the special tokens.
func (t *Tokenizer) checkSpecial() error {
	for _, list := range [][]int64{t.before, t.behind} {
		for _, id := range list {
			if id < 0 || id >= int64(len(t.names)) {
				return fmt.Errorf("special token with id %d, wanted one below %d", id, len(t.names))
			}
		}
	}
	return nil
}

type templatePiece struct {
	Sequence *templateID `json:"Sequence"`
	Special  *templateID `json:"SpecialToken"`
}

type templateID struct {
	ID string `json:"id"`
}

// pairID parses the id of ["</s>", 2].
func pairID(pair []json.RawMessage) (id int64, err error) {
	if len(pair) != 2 {
		return 0, fmt.Errorf("%d values, wanted a token and its id", len(pair))
	}
	return id, json.Unmarshal(pair[1], &id)
}
