// Package settings lays settings given as JSON over defaults.
package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Lay lays the JSON object over the defaults in cfg. An unknown field is
// an error, so that a slip of the pen does not pass for a setting.
func Lay(config json.RawMessage, cfg any) error {
	if len(config) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(config))
	d.DisallowUnknownFields()
	if err := d.Decode(cfg); err != nil && strings.Contains(err.Error(), "unknown field") {
		return fmt.Errorf("config: %w: there are %s", err, strings.Join(fieldNames(reflect.TypeOf(cfg)), ", "))
	} else if err != nil {
		return fmt.Errorf("config: %w", err)
	}
	if d.More() {
		return errors.New("config: more than one JSON object")
	}
	return nil
}

// Names returns the names that the fields of the struct cfg have in JSON.
func Names(cfg any) []string { return fieldNames(reflect.TypeOf(cfg)) }

// fieldNames returns the names that a struct, or what points to one, has in JSON.
func fieldNames(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, fieldNames(f.Type)...)
		case f.IsExported() && name != "-":
			names = append(names, cmp.Or(name, f.Name))
		}
	}
	return names
}
