package filter

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestGroups checks what every row of the table must have: docs/contributing/filter-rule.md.
func TestGroups(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for i, g := range Groups {
		if !name.MatchString(g.Name) {
			t.Errorf("group %q: want a name of a-z, 0-9 and _: users type it, and verticals make attributes of it", g.Name)
		}
		if slices.ContainsFunc(Groups[:i], func(h Group) bool { return h.Name == g.Name }) {
			t.Errorf("group %s is in the table twice", g.Name)
		}
		if g.Help == "" || g.score == nil || len(g.Scores) == 0 {
			t.Errorf("group %s: want Help, score and Scores in its row of Groups", g.Name)
			continue
		}
		for k, s := range g.Scores {
			if !name.MatchString(s.Name) || s.Help == "" || slices.ContainsFunc(g.Scores[:k], func(o Score) bool { return o.Name == s.Name }) {
				t.Errorf("group %s: score %q: want a name of a-z, 0-9 and _ that no other score of the group has, and Help", g.Name, s.Name)
			}
		}
		for _, a := range g.absolute {
			if !slices.ContainsFunc(g.Scores, func(s Score) bool { return s.Name == a && s.Limit != (Limit{}) }) {
				t.Errorf("group %s: absolute names %q: want a score of the group with a limit", g.Name, a)
			}
		}
		cfg := Default
		cfg.Use = []string{g.Name}
		set, err := New(cfg)
		if g.NeedsFiles != (err != nil) {
			t.Errorf("group %s: NeedsFiles is %v, but without files its error is: %v", g.Name, g.NeedsFiles, err)
		}
		if err != nil {
			continue
		}
		s := set.Scorer()
		for _, text := range []string{"", "\n", "The mail came at nine.\n\nNobody saw the ferry in the fog.", "\xff\x00{", "船は九時に出て"} {
			in := Text{Lang: "en", Whole: text, Paras: parasOf(text)}
			s.Score(in)
			if _, d, drop := s.Judge(in); drop {
				s.Explain(d)
			}
		}
	}
}

// TestAddFile fills every setting of a file of rules: none gets lost when the file is added to
// other rules.
func TestAddFile(t *testing.T) {
	var all Config
	fill(reflect.ValueOf(&all).Elem())
	all.Use = []string{"c4"}
	text := must.Get(json.Marshal(all))(t)
	var c Config
	must.Succeed(t, c.AddFile(text))
	for i := range reflect.TypeFor[Config]().NumField() {
		name := reflect.TypeFor[Config]().Field(i).Name
		if got, want := reflect.ValueOf(c).Field(i).Interface(), reflect.ValueOf(all).Field(i).Interface(); !reflect.DeepEqual(got, want) {
			t.Errorf("Config.%s is %+v after AddFile of a file with %+v: merge it in Config.AddFile", name, got, want)
		}
	}
}

// fill sets v to a value that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	default:
		v.SetInt(1)
	}
}
