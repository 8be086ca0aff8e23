// Package merge combines the reports of parts of a job into one report with [Add].
package merge

import (
	"fmt"
	"reflect"
)

// Add adds the counts of src to dst, pointers to one type of plain data. Numbers are added, maps
// are merged by key, structs by field, and slices are concatenated. Other values of dst change only
// if they are zero. A field with the tag merge:"max" becomes the larger of both values; a field
// with merge:"-" does not change.
func Add[T any](dst, src *T) { add(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()) }

func add(dst, src reflect.Value) {
	switch dst.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		dst.SetInt(dst.Int() + src.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		dst.SetUint(dst.Uint() + src.Uint())
	case reflect.Float32, reflect.Float64:
		dst.SetFloat(dst.Float() + src.Float())
	case reflect.Struct:
		for i := range dst.NumField() {
			f := dst.Type().Field(i)
			switch tag := f.Tag.Get("merge"); {
			case !f.IsExported() || tag == "-":
			case tag == "max":
				if larger(src.Field(i), dst.Field(i)) {
					dst.Field(i).Set(src.Field(i))
				}
			default:
				add(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Map:
		addMap(dst, src)
	case reflect.Pointer:
		if src.IsNil() {
			return
		}
		if dst.IsNil() {
			dst.Set(reflect.New(dst.Type().Elem()))
		}
		add(dst.Elem(), src.Elem())
	case reflect.Slice:
		dst.Set(reflect.AppendSlice(dst, src))
	default:
		if dst.IsZero() {
			dst.Set(src)
		}
	}
}

func addMap(dst, src reflect.Value) {
	if dst.IsNil() && src.Len() > 0 {
		dst.Set(reflect.MakeMap(dst.Type()))
	}
	for _, key := range src.MapKeys() {
		sum := reflect.New(dst.Type().Elem()).Elem()
		if sum.Kind() == reflect.Pointer { // src keeps its own value
			sum.Set(reflect.New(sum.Type().Elem()))
		}
		if v := dst.MapIndex(key); v.IsValid() {
			add(sum, v)
		}
		add(sum, src.MapIndex(key))
		dst.SetMapIndex(key, sum)
	}
}

// larger reports whether the number a is larger than b.
func larger(a, b reflect.Value) bool {
	switch {
	case a.CanInt():
		return a.Int() > b.Int()
	case a.CanUint():
		return a.Uint() > b.Uint()
	case a.CanFloat():
		return a.Float() > b.Float()
	}
	panic(fmt.Sprintf("merge: no number but %s", a.Type()))
}
