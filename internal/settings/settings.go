// Package settings reads and writes configuration files with [Parse] and [Format]: JSON objects
// with keys in snake_case, durations such as 30s and sizes such as 64MiB. An unknown key is an
// error that names the nearest known key.
//
// A key is the json tag of a field, or its name in snake_case if it has no tag. A field of type
// time.Duration is written as a duration; an integer whose key ends in "_bytes" as a size. The tag
// was:"OLD" is a former key of the field, which is used only in errors.
package settings

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Parse decodes the JSON object b into the struct that v points to. Fields that are not in b keep
// their values.
func Parse(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		at := d.InputOffset()
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = syntax.Offset
		} else if err == io.ErrUnexpectedEOF || err == io.EOF {
			at = int64(len(b))
		}
		line := 1 + bytes.Count(bytes.TrimRight(b[:min(int(at), len(b))], "\n"), []byte("\n"))
		return fmt.Errorf("not a JSON object: line %d: %w", line, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON object")
	}
	b, err := plain(raw, reflect.TypeOf(v), position{})
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// Apply decodes config, a JSON object or empty, over the defaults in cfg, as [Parse] does.
func Apply(config json.RawMessage, cfg any) error {
	if len(config) == 0 {
		return nil
	}
	if err := Parse(config, cfg); err != nil {
		return fmt.Errorf("config: %w", err)
	}
	return nil
}

// Names returns the keys of the fields of cfg, a struct or a pointer to one.
func Names(cfg any) (names []string) {
	t := reflect.TypeOf(cfg)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, f := range fieldsOf(t) {
		names = append(names, f.key)
	}
	return names
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	ownJSON      = reflect.TypeFor[json.Unmarshaler]()
	ownText      = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// plain checks the keys in the JSON of a value of type t at a position, and replaces durations and
// sizes with numbers.
func plain(raw json.RawMessage, t reflect.Type, at position) (json.RawMessage, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if p := reflect.PointerTo(t); string(raw) == "null" || p.Implements(ownJSON) {
		return raw, nil
	} else if p.Implements(ownText) {
		if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
			return nil, at.errorf("%w", err)
		}
		return raw, nil
	}
	switch raw[0] {
	case '{':
		return plainObject(raw, t, at)
	case '[':
		return plainList(raw, t, at)
	case '"':
		return plainString(raw, t, at)
	case 't', 'f':
		if t.Kind() != reflect.Bool {
			return nil, at.errorf("%s, wanted %s", raw, kind(t, at))
		}
	default:
		if t == durationType && string(raw) != "0" {
			return nil, at.errorf("%s, wanted a duration with its unit, such as 500ms, 30s or 2m", raw)
		}
		if t.Kind() < reflect.Int || t.Kind() > reflect.Float64 {
			return nil, at.errorf("%s, wanted %s", raw, kind(t, at))
		}
	}
	return raw, nil
}

func plainString(raw json.RawMessage, t reflect.Type, at position) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	switch {
	case t == durationType:
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 {
			return nil, at.errorf("%q, wanted a duration such as 500ms, 30s or 2m", s)
		}
		return strconv.AppendInt(nil, int64(d), 10), nil
	case isSize(t, at.names):
		n, err := ParseSize(s)
		if err != nil {
			return nil, at.errorf("%w", err)
		}
		return strconv.AppendInt(nil, n, 10), nil
	case t.Kind() != reflect.String && t.Kind() != reflect.Interface:
		return nil, at.errorf("%q, wanted %s", s, kind(t, at))
	}
	return raw, nil
}

func plainList(raw json.RawMessage, t reflect.Type, at position) (json.RawMessage, error) {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		return nil, at.errorf("a list, wanted %s", kind(t, at))
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	for i := range list {
		var err error
		if list[i], err = plain(list[i], t.Elem(), at.item(i)); err != nil {
			return nil, err
		}
	}
	return json.Marshal(list)
}

func plainObject(raw json.RawMessage, t reflect.Type, at position) (json.RawMessage, error) {
	if t.Kind() != reflect.Struct && t.Kind() != reflect.Map {
		return nil, at.errorf("an object, wanted %s", kind(t, at))
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, err
	}
	var fields []field
	if t.Kind() == reflect.Struct {
		fields = fieldsOf(t)
	}
	out := map[string]json.RawMessage{}
	keys := make([]string, 0, len(given))
	for key := range given {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		name, typ := key, t
		if t.Kind() == reflect.Map {
			typ = t.Elem()
		} else if i := slices.IndexFunc(fields, func(f field) bool { return f.key == key }); i >= 0 {
			name, typ = fields[i].json, fields[i].typ
		} else {
			return nil, at.unknown(key, hint(key, fields))
		}
		value, err := plain(given[key], typ, at.key(key))
		if err != nil {
			return nil, err
		}
		out[name] = value
	}
	return json.Marshal(out)
}

// kind describes the form of a value of type t at a position.
func kind(t reflect.Type, at position) string {
	switch {
	case t == durationType:
		return "a duration such as 30s"
	case isSize(t, at.names):
		return "a size such as 64MiB"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number"
}

// field describes a field of a struct and its JSON key.
type field struct {
	key, was  string
	json      string // the key for encoding/json
	omitEmpty bool
	typ       reflect.Type
	index     []int
}

// fieldsOf returns the fields of a struct, including promoted fields of embedded structs.
func fieldsOf(t reflect.Type) (fields []field) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			for _, in := range fieldsOf(f.Type) {
				in.index = append(slices.Clone(f.Index), in.index...)
				fields = append(fields, in)
			}
		case f.IsExported() && name != "-":
			key := name
			if name == "" {
				key, name = snake(f.Name), f.Name
			}
			fields = append(fields, field{key, f.Tag.Get("was"), name, strings.Contains(options, "omitempty"), f.Type, f.Index})
		}
	}
	hidden := func(f field) bool {
		return slices.ContainsFunc(fields, func(g field) bool { return g.json == f.json && len(g.index) < len(f.index) })
	}
	return slices.DeleteFunc(slices.Clone(fields), hidden)
}

// snake returns the name of a Go field, such as MaxTime or IDs, in snake case: max_time, ids.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && i+2 < len(name) && (unicode.IsLower(rune(name[i-1])) || unicode.IsLower(rune(name[i+2]))) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// hint returns the nearest key, or all keys.
func hint(key string, fields []field) string {
	var names []string
	for _, f := range fields {
		if f.was == key {
			return "it is called " + f.key + " now"
		}
		names = append(names, f.key)
	}
	if name := Nearest(key, names); name != "" {
		return "did you mean " + name + "?"
	}
	if len(names) == 0 {
		return "there are no settings"
	}
	return "there are " + strings.Join(names, ", ")
}

// Format returns v, a struct or a pointer to one, as indented JSON for [Parse].
func Format(v any) ([]byte, error) {
	tree, err := jsonValue(reflect.ValueOf(v), "")
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(tree, "", "  ")
}

// object is a JSON object with ordered members.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, '"'), m.key...), '"', ':')
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

// jsonValue returns the representation of a value under a key.
func jsonValue(v reflect.Value, key string) (any, error) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, nil
		}
		v = v.Elem()
	}
	if _, own := v.Interface().(json.Marshaler); own {
		return v.Interface(), nil
	}
	if _, own := v.Interface().(encoding.TextMarshaler); own {
		return v.Interface(), nil
	}
	switch {
	case v.Type() == durationType:
		return time.Duration(v.Int()).String(), nil
	case isSize(v.Type(), key):
		return formatSize(v.Int()), nil
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		all := make([]any, v.Len())
		for i := range all {
			var err error
			if all[i], err = jsonValue(v.Index(i), key); err != nil {
				return nil, err
			}
		}
		return all, nil
	case v.Kind() != reflect.Struct:
		return v.Interface(), nil
	}
	o := object{}
	for _, f := range fieldsOf(v.Type()) {
		in := v.FieldByIndex(f.index)
		if f.omitEmpty && empty(in) {
			continue
		}
		value, err := jsonValue(in, f.key)
		if err != nil {
			return nil, err
		}
		o = append(o, member{f.key, value})
	}
	return o, nil
}

// empty reports whether omitempty omits v.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
