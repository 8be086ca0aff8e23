package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxFile is the maximum size of a tokenizer.json. The file of XLM-R with its 250,002 pieces has 17
// MB.
const maxFile = 256 << 20

// Load reads a tokenizer.json.
func Load(path string) (*Tokenizer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open tokenizer: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read tokenizer %s: %w", path, err)
	}
	if len(b) > maxFile {
		return nil, fmt.Errorf("tokenizer %s: larger than %d MB", path, maxFile>>20)
	}
	return Parse(filepath.Base(path), b)
}

// file is a tokenizer.json. Its "decoder" is ignored.
type file struct {
	Version       string          `json:"version"`
	Truncation    *truncation     `json:"truncation"`
	Padding       *padding        `json:"padding"`
	AddedTokens   []addedJSON     `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         *modelJSON      `json:"model"`
}

type truncation struct {
	Direction string `json:"direction"`
	MaxLength int    `json:"max_length"`
	Stride    int    `json:"stride"`
}

type padding struct {
	PadID int64 `json:"pad_id"`
}

type addedJSON struct {
	ID         int64  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	Lstrip     bool   `json:"lstrip"`
	Rstrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

type modelJSON struct {
	Type         string          `json:"type"`
	UnkID        *int64          `json:"unk_id"`
	Vocab        json.RawMessage `json:"vocab"`
	ByteFallback bool            `json:"byte_fallback"`
}

// Parse parses the bytes of a tokenizer.json. name is for messages.
func Parse(name string, b []byte) (*Tokenizer, error) {
	t, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("tokenizer %s: %w", name, err)
	}
	return t, nil
}

func parse(b []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(b, &f); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("byte %d: %w: wanted a tokenizer.json of the tokenizers library", syntax.Offset, err)
		}
		return nil, err
	}
	if f.Version != "1.0" {
		return nil, fmt.Errorf("version %q, wanted 1.0", f.Version)
	}
	if f.Model == nil {
		return nil, errors.New(`no "model": wanted a tokenizer.json of the tokenizers library`)
	}
	t := &Tokenizer{pad: -1}
	var err error
	if t.normalizers, err = parseNormalizer(f.Normalizer, 0); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	if t.splitters, err = parsePreTokenizer(f.PreTokenizer, 0); err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	if err := t.parseModel(f.Model); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if err := t.parseAdded(f.AddedTokens); err != nil {
		return nil, err
	}
	if err := t.parsePostProcessor(f.PostProcessor, 0); err != nil {
		return nil, fmt.Errorf("post_processor: %w", err)
	}
	if tr := f.Truncation; tr != nil {
		if tr.MaxLength < 0 || tr.Direction != "" && tr.Direction != "Left" && tr.Direction != "Right" {
			return nil, fmt.Errorf("truncation: length %d and direction %q, wanted a length from 0 and Left or Right", tr.MaxLength, tr.Direction)
		}
		t.maxLength, t.cutLeft = tr.MaxLength, tr.Direction == "Left"
	}
	if f.Padding != nil {
		if t.pad = f.Padding.PadID; t.pad < 0 || t.pad >= int64(len(t.names)) {
			return nil, fmt.Errorf("padding: id %d, wanted one below %d", t.pad, len(t.names))
		}
	}
	if t.pad < 0 {
		for i, n := range t.names {
			if n == "<pad>" || n == "[PAD]" {
				t.pad = int64(i)
			}
		}
	}
	if t.pad < 0 {
		return nil, errors.New(`no token for padding: wanted "padding" or a piece <pad>`)
	}
	return t, nil
}

// parseModel sets the unigram model.
func (t *Tokenizer) parseModel(m *modelJSON) error {
	if m.Type != "Unigram" {
		return fmt.Errorf("type %q, wanted Unigram (XLM-R, mT5, mDeBERTa): models of other types are not read here", m.Type)
	}
	vocab, err := parseVocab(m.Vocab)
	if err != nil {
		return fmt.Errorf("vocab: %w", err)
	}
	if m.UnkID == nil {
		return errors.New("no unk_id: wanted the id of the unknown piece")
	}
	if *m.UnkID < 0 || *m.UnkID >= int64(len(vocab)) {
		return fmt.Errorf("unk_id %d, wanted one below the %d pieces", *m.UnkID, len(vocab))
	}
	t.model = newUnigram(vocab, int32(*m.UnkID), m.ByteFallback)
	t.names = make([]string, len(vocab))
	for i, p := range vocab {
		t.names[i] = p.text
	}
	return nil
}

// parseVocab parses [["piece", score], ...].
func parseVocab(b []byte) ([]piece, error) {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '[' {
		return nil, errors.New("wanted a list of pairs [piece, score]")
	}
	var pairs []pair
	if err := json.Unmarshal(b, &pairs); err != nil {
		return nil, err
	}
	if len(pairs) == 0 || len(pairs) > math.MaxInt32/2 {
		return nil, fmt.Errorf("%d pieces, wanted at least 1", len(pairs))
	}
	vocab := make([]piece, len(pairs))
	for i, p := range pairs {
		vocab[i] = piece(p)
	}
	return vocab, nil
}

// pair is a piece in JSON.
type pair piece

// UnmarshalJSON parses ["piece", score].
func (p *pair) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil || len(parts) != 2 {
		return fmt.Errorf("%.40s: wanted [piece, score]", b)
	}
	if err := json.Unmarshal(parts[0], &p.text); err != nil {
		return fmt.Errorf("%.40s: wanted [piece, score]: %w", b, err)
	}
	var ok bool
	if p.score, ok = parseScore(parts[1]); !ok {
		return fmt.Errorf("%.40s: wanted [piece, score]: no number that is a score", b)
	}
	return nil
}

// parseScore parses a number like the tokenizers library (serde_json without exact rounding): the
// digits as a 64-bit integer, then one division or multiplication by a power of ten. The last bit
// may differ from the nearest number. It matters if two tokenizations of a text have the same
// pieces in different order.
func parseScore(b []byte) (f float64, ok bool) {
	var n json.Number
	if json.Unmarshal(b, &n) != nil || len(b) == 0 || b[0] == '"' || n == "" {
		return 0, false
	}
	digits, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	digits, negative := strings.CutPrefix(digits, "-")
	e := 0
	if exponent != "" {
		var err error
		if e, err = strconv.Atoi(exponent); err != nil || e > 1000 || e < -1000 {
			return 0, false
		}
	}
	var all uint64
	point, full := false, false
	for _, c := range []byte(digits) {
		if c == '.' {
			point = true
			continue
		}
		if d := uint64(c - '0'); !full && all <= (math.MaxUint64-d)/10 {
			all = 10*all + d
			if point {
				e--
			}
			continue
		}
		full = true // further digits are dropped
		if !point {
			e++
		}
	}
	f = float64(all)
	for ; e < -308; e += 308 {
		f /= 1e308
	}
	if e < 0 {
		f /= math.Pow10(-e)
	} else {
		f *= math.Pow10(e)
	}
	if negative {
		f = -f
	}
	return f, !math.IsInf(f, 0) && !math.IsNaN(f)
}

// parseAdded sets the tables of added tokens. A token that is also a piece has the id of the piece,
// regardless of the file, as in the tokenizers library.
func (t *Tokenizer) parseAdded(list []addedJSON) error {
	var raw, normalized []addedToken
	for i, a := range list {
		if a.Content == "" {
			continue
		}
		if !utf8.ValidString(a.Content) || a.ID < 0 || a.ID > math.MaxInt32/2 {
			return fmt.Errorf("added_tokens[%d]: id %d for %q, wanted one from 0", i, a.ID, a.Content)
		}
		id := t.model.trie.find([]byte(a.Content))
		if id < 0 {
			id = int32(a.ID)
			if n := len(t.names); int(id) > n+len(list) {
				return fmt.Errorf("added_tokens[%d]: id %d for %q, wanted one of the next after the %d pieces", i, id, a.Content, n)
			}
			for len(t.names) <= int(id) {
				t.names = append(t.names, "")
			}
			t.names[id] = a.Content
		}
		tok := addedToken{text: []byte(a.Content), id: id, singleWord: a.SingleWord, lstrip: a.Lstrip, rstrip: a.Rstrip}
		if !a.Normalized {
			raw = append(raw, tok)
			continue
		}
		for _, n := range t.normalizers {
			tok.text = n.normalize(nil, tok.text)
		}
		if len(tok.text) > 0 {
			normalized = append(normalized, tok)
		}
	}
	t.raw, t.normalized = newAddedTokens(raw), newAddedTokens(normalized)
	return nil
}
