package parquet

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"chaffinch/internal/jsonscan"
)

// valueOf returns the appender for the values of a leaf. It uses the logical type if that
// type matches the physical type. Bytes without a logical type are text if they are valid
// UTF-8. If text is set, they are written verbatim in any encoding.
func valueOf(e *format.SchemaElement, text bool) appender {
	physical := e.Type.V
	wide := physical == format.Int64
	if wide || physical == format.Int32 {
		return integerOf(e, wide)
	}
	switch physical {
	case format.Boolean:
		return func(dst []byte, v parquet.Value) []byte { return strconv.AppendBool(dst, v.Boolean()) }
	case format.Float:
		return func(dst []byte, v parquet.Value) []byte { return appendFloat(dst, float64(v.Float()), 32) }
	case format.Double:
		return func(dst []byte, v parquet.Value) []byte { return appendFloat(dst, v.Double(), 64) }
	case format.Int96:
		return appendInt96
	}
	return bytesOf(e, text)
}

// integerOf returns the appender for a leaf of 64 bits if wide is set, otherwise of 32 bits.
func integerOf(e *format.SchemaElement, wide bool) appender {
	read := func(v parquet.Value) int64 { return int64(v.Int32()) }
	if wide {
		read = func(v parquet.Value) int64 { return v.Int64() }
	}
	switch t := logicalType(e).(type) {
	case *format.IntType:
		switch {
		case t.IsSigned:
		case wide:
			return func(dst []byte, v parquet.Value) []byte { return strconv.AppendUint(dst, uint64(v.Int64()), 10) }
		default:
			return func(dst []byte, v parquet.Value) []byte {
				return strconv.AppendUint(dst, uint64(uint32(v.Int32())), 10)
			}
		}
	case *format.TimestampType:
		unit := unitOf(t.Unit)
		return func(dst []byte, v parquet.Value) []byte {
			return appendTimestamp(dst, read(v), unit, t.IsAdjustedToUTC)
		}
	case *format.TimeType:
		unit := unitOf(t.Unit)
		return func(dst []byte, v parquet.Value) []byte { return appendTime(dst, read(v), unit) }
	case *format.DateType:
		return func(dst []byte, v parquet.Value) []byte { return appendDate(dst, read(v)) }
	case *format.DecimalType:
		return func(dst []byte, v parquet.Value) []byte {
			return appendDecimal(dst, strconv.FormatInt(read(v), 10), t.Scale)
		}
	}
	return func(dst []byte, v parquet.Value) []byte { return strconv.AppendInt(dst, read(v), 10) }
}

// bytesOf returns the appender for a leaf of bytes, with or without a fixed length.
func bytesOf(e *format.SchemaElement, text bool) appender {
	fixed := e.Type.V == format.FixedLenByteArray
	switch t := logicalType(e).(type) {
	case *format.StringType, *format.EnumType:
		return appendText
	case *format.JsonType:
		return appendJSON
	case *format.DecimalType:
		return func(dst []byte, v parquet.Value) []byte { return appendBigDecimal(dst, v.ByteArray(), t.Scale) }
	case *format.Float16Type:
		return func(dst []byte, v parquet.Value) []byte { return appendFloat16(dst, v.ByteArray()) }
	case *format.UUIDType:
		return func(dst []byte, v parquet.Value) []byte { return appendUUID(dst, v.ByteArray()) }
	case *format.BsonType, *format.GeometryType, *format.GeographyType:
		return appendBytes
	}
	switch {
	case e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Interval:
		return appendInterval
	case fixed:
		return appendBytes
	case text:
		return appendVerbatim
	}
	return func(dst []byte, v parquet.Value) []byte {
		if utf8.Valid(v.ByteArray()) {
			return appendText(dst, v)
		}
		return appendBytes(dst, v)
	}
}

// logicalType returns the logical type of a leaf, or nil. If an older writer wrote only a
// converted type, it returns the corresponding logical type.
func logicalType(e *format.SchemaElement) format.LogicalTypeValue {
	if t := e.LogicalType.Value; t != nil || !e.ConvertedType.Valid {
		return t
	}
	millis, micros := format.TimeUnit{Value: new(format.MilliSeconds)}, format.TimeUnit{Value: new(format.MicroSeconds)}
	switch e.ConvertedType.V {
	case deprecated.UTF8:
		return new(format.StringType)
	case deprecated.Enum:
		return new(format.EnumType)
	case deprecated.Json:
		return new(format.JsonType)
	case deprecated.Bson:
		return new(format.BsonType)
	case deprecated.Decimal:
		return &format.DecimalType{Scale: e.Scale.V, Precision: e.Precision.V}
	case deprecated.Date:
		return new(format.DateType)
	case deprecated.TimeMillis:
		return &format.TimeType{Unit: millis}
	case deprecated.TimeMicros:
		return &format.TimeType{Unit: micros}
	case deprecated.TimestampMillis:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: millis}
	case deprecated.TimestampMicros:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: micros}
	case deprecated.Uint8:
		return &format.IntType{BitWidth: 8}
	case deprecated.Uint16:
		return &format.IntType{BitWidth: 16}
	case deprecated.Uint32:
		return &format.IntType{BitWidth: 32}
	case deprecated.Uint64:
		return &format.IntType{BitWidth: 64}
	}
	return nil
}

func unitOf(u format.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.MicroSeconds:
		return time.Microsecond
	}
	return time.Nanosecond
}

// appendFloat appends a number as encoding/json does. NaN and infinities, which JSON cannot
// represent, become null.
func appendFloat(dst []byte, x float64, bits int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return append(dst, "null"...)
	}
	var b []byte
	if bits == 32 {
		b, _ = json.Marshal(float32(x))
	} else {
		b, _ = json.Marshal(x)
	}
	return append(dst, b...)
}

// appendFloat16 appends a little-endian IEEE 754 half-precision number.
func appendFloat16(dst, b []byte) []byte {
	if len(b) != 2 {
		return appendBase64(dst, b)
	}
	h := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(h>>10&31), float64(h&1023)
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		return append(dst, "null"...)
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 == 1 {
		x = -x
	}
	return appendFloat(dst, x, 64)
}

// appendTimestamp appends a time in RFC 3339 format, without an offset if the time zone is
// unknown. If the year does not have four digits, it appends the number n.
func appendTimestamp(dst []byte, n int64, unit time.Duration, utc bool) []byte {
	var t time.Time
	switch unit {
	case time.Millisecond:
		t = time.UnixMilli(n)
	case time.Microsecond:
		t = time.UnixMicro(n)
	default:
		t = time.Unix(0, n)
	}
	layout := "2006-01-02T15:04:05.999999999"
	if utc {
		layout = time.RFC3339Nano
	}
	if out, ok := appendDay(dst, t, layout); ok {
		return out
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendDay appends t in quotation marks and reports whether its year has four digits. If
// not, it appends nothing.
func appendDay(dst []byte, t time.Time, layout string) ([]byte, bool) {
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return dst, false
	}
	return append(t.AppendFormat(append(dst, '"'), layout), '"'), true
}

// appendDate appends a date, given in days since 1970-01-01. If the year does not have four
// digits, it appends the number of days.
func appendDate(dst []byte, days int64) []byte {
	if out, ok := appendDay(dst, time.Unix(days*24*3600, 0), time.DateOnly); ok {
		return out
	}
	return strconv.AppendInt(dst, days, 10)
}

// appendTime appends a time of day, or the number n if it is not within a day.
func appendTime(dst []byte, n int64, unit time.Duration) []byte {
	if n < 0 || n >= int64(24*time.Hour/unit) {
		return strconv.AppendInt(dst, n, 10)
	}
	t := time.Unix(0, n*int64(unit)).UTC()
	return append(t.AppendFormat(append(dst, '"'), "15:04:05.999999999"), '"')
}

// appendInt96 appends a time in the format of Impala, Hive and Spark: nanoseconds of the day
// and Julian day number. Its time zone is unknown.
func appendInt96(dst []byte, v parquet.Value) []byte {
	const epoch = 2440588 // 1970-01-01
	i := v.Int96()
	nanos, days := int64(i[1])<<32|int64(i[0]), int64(i[2])-epoch
	if out, ok := appendDay(dst, time.Unix(days*24*3600, nanos), "2006-01-02T15:04:05.999999999"); ok {
		return out
	}
	n := new(big.Int).Mul(big.NewInt(days), big.NewInt(int64(24*time.Hour)))
	return n.Add(n, big.NewInt(nanos)).Append(dst, 10)
}

// appendInterval appends months, days and milliseconds as an ISO 8601 duration.
func appendInterval(dst []byte, v parquet.Value) []byte {
	b := v.ByteArray()
	if len(b) != 12 {
		return appendBase64(dst, b)
	}
	part := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(b[4*i:])) }
	dst = append(dst, `"P`...)
	dst = append(strconv.AppendUint(dst, part(0), 10), 'M')
	dst = append(strconv.AppendUint(dst, part(1), 10), "DT"...)
	dst = strconv.AppendFloat(dst, float64(part(2))/1000, 'f', -1, 64)
	return append(dst, `S"`...)
}

// maxDecimal is the maximum length of a decimal in bytes, which bounds the conversion time,
// and the maximum scale that is written with zeros.
const maxDecimal = 1 << 10

// appendBigDecimal appends a big-endian two's complement decimal. It appends a decimal of
// more than maxDecimal bytes in base64.
func appendBigDecimal(dst, b []byte, scale int32) []byte {
	if len(b) > maxDecimal {
		return appendBase64(dst, b)
	}
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return appendDecimal(dst, n.String(), scale)
}

// appendDecimal appends a decimal with scale digits after the point. The digits may begin
// with a minus sign. A scale outside of 0 to maxDecimal becomes an exponent.
func appendDecimal(dst []byte, digits string, scale int32) []byte {
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if scale < 0 || scale > maxDecimal {
		return strconv.AppendInt(append(append(dst, digits...), 'e'), -int64(scale), 10)
	}
	point := len(digits) - int(scale)
	if point <= 0 {
		dst = append(dst, "0."...)
		for ; point < 0; point++ {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	if dst = append(dst, digits[:point]...); scale == 0 {
		return dst
	}
	return append(append(dst, '.'), digits[point:]...)
}

// appendUUID appends a UUID in the text format of RFC 9562.
func appendUUID(dst, b []byte) []byte {
	if len(b) != 16 {
		return appendBase64(dst, b)
	}
	dst = append(dst, '"')
	for i, c := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
	}
	return append(dst, '"')
}

func appendText(dst []byte, v parquet.Value) []byte {
	return jsonscan.AppendString(dst, string(v.ByteArray()))
}

// appendVerbatim appends text in its original encoding, which must be an extension of ASCII.
func appendVerbatim(dst []byte, v parquet.Value) []byte {
	b := v.ByteArray()
	if utf8.Valid(b) {
		return appendText(dst, v)
	}
	dst = append(dst, '"')
	for _, c := range b {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', '0'+c>>4, "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func appendBytes(dst []byte, v parquet.Value) []byte { return appendBase64(dst, v.ByteArray()) }

func appendBase64(dst, b []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"')
}

// appendJSON appends a JSON document on one line. Invalid JSON becomes a string.
func appendJSON(dst []byte, v parquet.Value) []byte {
	var line bytes.Buffer
	if json.Compact(&line, v.ByteArray()) != nil {
		return appendText(dst, v)
	}
	return append(dst, line.Bytes()...)
}
