package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrSum is returned for a sealed object whose checksum does not match.
var ErrSum = errors.New("checksum does not match: the file was changed or is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const (
	sumField  = `,"sum":"`
	sumEnding = `"}`
	sumDigits = 8
)

// Seal appends a last field "sum" to a JSON object that has at least one field: the CRC-32C of the
// bytes before it, in hexadecimal digits. A newline follows.
func Seal(object []byte) []byte {
	b := bytes.TrimRight(object, "\n")
	b = bytes.TrimRight(b[:len(b)-1], "\n ") // without its closing brace
	return fmt.Appendf(b[:len(b):len(b)], "%s%0*x%s\n", sumField, sumDigits, crc32.Checksum(b, castagnoli), sumEnding)
}

// checkSeal returns [ErrSum] if the field "sum" of a JSON object does not match. Objects without
// the field, which earlier versions wrote, are accepted.
func checkSeal(object []byte) error {
	b := bytes.TrimRight(object, "\n")
	at := len(b) - len(sumEnding) - sumDigits - len(sumField)
	if at < 0 || !bytes.HasPrefix(b[at:], []byte(sumField)) {
		return nil
	}
	sum := b[at+len(sumField) : len(b)-len(sumEnding)]
	if string(sum) != fmt.Sprintf("%0*x", sumDigits, crc32.Checksum(b[:at], castagnoli)) {
		return ErrSum
	}
	return nil
}

// WriteSealed replaces a file with v as a sealed JSON object. indent is the indentation; "" selects
// the compact form.
func WriteSealed(name string, v any, indent string) error {
	b, err := json.MarshalIndent(v, "", indent)
	if indent == "" {
		b, err = json.Marshal(v)
	}
	if err != nil {
		return err
	}
	return WriteFile(name, Seal(b))
}

// Unseal decodes a JSON object into v and checks its seal. With [ErrSum], v is decoded.
func Unseal(object []byte, v any) error {
	if err := json.Unmarshal(object, v); err != nil {
		return err
	}
	return checkSeal(object)
}
