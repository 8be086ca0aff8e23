package main

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// numberRange is the values that a flag takes: a tag such as range:"(0,1]", a round
// bracket where the limit itself is excluded. Without a tag it is [0,).
type numberRange struct {
	min, max           float64
	aboveMin, belowMax bool // the limits are excluded
}

// rangeOf returns the range of a flag.
func rangeOf(f *kong.Flag) numberRange {
	tag := f.Tag.Get("range")
	if tag == "" {
		tag = "[0,)"
	}
	from, to, _ := strings.Cut(tag[1:len(tag)-1], ",")
	limit := func(s string, none float64) float64 {
		if s == "" {
			return none
		}
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(fmt.Sprintf("--%s: range %s: %v", f.Name, tag, err))
		}
		return x
	}
	return numberRange{limit(from, math.Inf(-1)), limit(to, math.Inf(1)), tag[0] == '(', strings.HasSuffix(tag, ")")}
}

// has reports whether x is in the range. NaN and infinite numbers are not.
func (r numberRange) has(x float64) bool {
	return (x > r.min || x == r.min && !r.aboveMin) && (x < r.max || x == r.max && !r.belowMax) && !math.IsInf(x, 0)
}

// String returns the range as messages describe it.
func (r numberRange) String() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	low, high := "at least "+number(r.min), "at most "+number(r.max)
	if r.aboveMin {
		low = "above " + number(r.min)
	}
	if r.belowMax {
		high = "below " + number(r.max)
	}
	switch {
	case math.IsInf(r.min, -1) && math.IsInf(r.max, 1):
		return "a finite number"
	case math.IsInf(r.max, 1):
		return low
	case math.IsInf(r.min, -1):
		return high
	case r.aboveMin || r.belowMax:
		return low + " and " + high
	}
	return number(r.min) + " to " + number(r.max)
}

// checkRanges is an error if the number of a flag is out of its range. It names the flag,
// the number and the range.
func checkRanges(k *kong.Context) error {
	for _, f := range k.Flags() {
		if !f.Target.IsValid() {
			continue
		}
		r := rangeOf(f)
		for _, v := range numbersOf(f.Target) {
			x, _ := floatOf(v)
			if !r.has(x) {
				return fmt.Errorf("--%s: %v (wanted %v)", f.Name, v, r)
			}
		}
	}
	return nil
}

// numbersOf returns the numbers that a flag was given: none if it takes no numbers.
func numbersOf(v reflect.Value) (list []reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return numbersOf(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, numbersOf(v.Index(i))...)
		}
	default:
		if _, ok := floatOf(v); ok {
			list = append(list, v)
		}
	}
	return list
}

// floatOf returns a number as float64; ok is false for other values.
func floatOf(v reflect.Value) (x float64, ok bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}
