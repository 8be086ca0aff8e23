package jsonl

import (
	"math"
	"strconv"

	"chaffinch/internal/jsonscan"
	"chaffinch/page"
)

// object builds a JSON object field by field, in the order of the calls. It omits empty
// fields.
type object struct {
	b     []byte
	comma bool
}

func (o *object) key(k string) {
	if o.comma {
		o.b = append(o.b, ',')
	}
	o.comma = true
	o.b = append(o.b, '"')
	o.b = append(o.b, k...)
	o.b = append(o.b, '"', ':')
}

func (o *object) open(c byte)  { o.b, o.comma = append(o.b, c), false }
func (o *object) close(c byte) { o.b, o.comma = append(o.b, c), true }

// item starts an element of an array.
func (o *object) item() {
	if o.comma {
		o.b = append(o.b, ',')
	}
}

func (o *object) str(k, v string) {
	if v != "" {
		o.key(k)
		o.b = jsonscan.AppendString(o.b, v)
	}
}

// raw writes a field whose value is already JSON.
func (o *object) raw(f *page.Field) {
	if o.comma {
		o.b = append(o.b, ',')
	}
	o.comma = true
	o.b = append(jsonscan.AppendString(o.b, f.Name), ':')
	o.b = append(o.b, f.Value...)
}

// strs writes a list of strings.
func (o *object) strs(k string, list []string) {
	if len(list) == 0 {
		return
	}
	o.key(k)
	o.open('[')
	for _, v := range list {
		o.item()
		o.b = jsonscan.AppendString(o.b, v)
		o.comma = true
	}
	o.close(']')
}

func (o *object) num(k string, v int64) {
	o.key(k)
	o.b = strconv.AppendInt(o.b, v, 10)
}

func (o *object) numIf(k string, v int64) {
	if v != 0 {
		o.num(k, v)
	}
}

func (o *object) boolIf(k string, v bool) {
	if v {
		o.key(k)
		o.b = append(o.b, "true"...)
	}
}

// float writes v with at most 9 digits. It omits infinity and NaN, which JSON does not
// support.
func (o *object) float(k string, v float64) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return
	}
	o.key(k)
	f := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
		f = 'e'
	}
	if f == 'f' && v == math.Trunc(v) {
		o.b = strconv.AppendFloat(o.b, v, 'f', -1, 64)
		return
	}
	if f == 'e' {
		short := strconv.AppendFloat(nil, v, 'g', digits, 64)
		back, _ := strconv.ParseFloat(string(short), 64)
		o.b = strconv.AppendFloat(o.b, back, f, -1, 64)
		return
	}
	o.b = appendDigits(o.b, v)
}

// digits is the number of significant digits of a float.
const digits = 9

// appendDigits appends v with the given number of digits, without zeros at the end and without an
// exponent. v is neither 0 nor an integer.
func appendDigits(dst []byte, v float64) []byte {
	var room [32]byte
	e := strconv.AppendFloat(room[:0], v, 'e', digits-1, 64) // -1.23456789e-01
	if e[0] == '-' {
		dst, e = append(dst, '-'), e[1:]
	}
	point, _ := strconv.Atoi(string(e[digits+2:])) // the exponent
	e[1], e = e[0], e[1:digits+1]                  // the digits
	for len(e) > 1 && e[len(e)-1] == '0' {
		e = e[:len(e)-1]
	}
	switch point++; {
	case point <= 0:
		dst = append(dst, "0.000000"[:2-point]...)
		return append(dst, e...)
	case point >= len(e):
		dst = append(dst, e...)
		for range point - len(e) {
			dst = append(dst, '0')
		}
		return dst
	}
	return append(append(append(dst, e[:point]...), '.'), e[point:]...)
}

// share writes v, 0 to 1, with three digits, unless it is 0.
func (o *object) share(k string, v float64) {
	if v = math.Round(1000*v) / 1000; v > 0 {
		o.float(k, v)
	}
}
