package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"chaffinch/internal/testkit/must"
)

// The files in testdata were written with pyarrow and DuckDB by
// lab/compare/parquet/logical.py, whose tables the ones of these tests repeat.

func testFile(t testing.TB, name string) []string {
	t.Helper()
	return lines(openReader(t, must.Read(t, filepath.Join("testdata", name))))
}

// object decodes the top of a row.
func object(t testing.TB, line string) map[string]json.RawMessage {
	t.Helper()
	var o map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return o
}

// TestLogicalTypes wants each logical type at the top, in a list, a struct, a map and
// deep in all of them.
func TestLogicalTypes(t *testing.T) {
	leaves := map[string][]string{
		"bool": {"true", "false"},
		"int8": {"-128", "127"}, "int16": {"-32768", "32767"}, "int32": {"-2147483648", "2147483647"},
		"int64": {"-9223372036854775808", "9223372036854775807"},
		"uint8": {"128", "255"}, "uint16": {"32768", "65535"}, "uint32": {"2147483648", "4294967295"},
		"uint64":  {"9223372036854775808", "18446744073709551615"},
		"float16": {"1.5", "-65504", "null", "null", "5.960464477539063e-8"},
		"float32": {"0.1", "3.4028235e+38", "null"}, "float64": {"0.1", "1e+300", "null"},
		"string": {`"Fähre 🚢 \"a\"\\b\n"`, `""`}, "enum": {`"a"`, `"b"`},
		"binary": {`"/wAB"`, `"text"`}, "fixed": {`"/wABAg=="`, `"dGV4dA=="`},
		"day":    {`"0001-01-01"`, `"2024-01-01"`, `"9999-12-31"`},
		"time32": {`"00:00:00"`, `"23:59:59.999"`}, "time64us": {`"00:00:00.000001"`, `"23:59:59.999999"`},
		"time64ns": {`"00:00:00.000000001"`, `"23:59:59.999999999"`},
		"stamp_ms": {`"1969-12-31T23:59:59.999"`, `"2024-01-02T03:04:05.678"`}, "stamp_ms_utc": {`"1969-12-31T23:59:59.999Z"`, `"2024-01-02T03:04:05.678Z"`},
		"stamp_us": {`"1969-12-31T23:59:59.999999"`, `"2024-01-02T03:04:05.678901"`}, "stamp_us_utc": {`"1969-12-31T23:59:59.999999Z"`, `"2024-01-02T03:04:05.678901Z"`},
		"stamp_ns": {`"1969-12-31T23:59:59.999999999"`, `"2024-01-02T03:04:05.678901234"`}, "stamp_ns_utc": {`"1969-12-31T23:59:59.999999999Z"`, `"2024-01-02T03:04:05.678901234Z"`},
		"duration": {"-1", "10000000000"},
		"decimal9": {"-1234567.89", "0.05"}, "decimal18": {"-999999999999999999", "7"},
		"decimal38": {"-1234567890123456789012345678.0123456789", "0.0000000001"},
		"decimal76": {"-12345678901234567890123456789012345678901234567890.5"},
		"uuid":      {`"00112233-4455-6677-8899-aabbccddeeff"`}, "nothing": {"null"},
	}
	shapes := map[string]string{
		"": "V", "_list": "[V,null,V]", "_struct": `{"x":V,"n":1}`, "_map": `{"k":V,"none":null}`, "_deep": `[{"l":[[V],[],null,[V,V]]},null,{"l":null}]`,
	}
	rows := testFile(t, "types.parquet")
	if len(rows) != 8 {
		t.Fatalf("%d rows, want 8", len(rows))
	}
	for i, line := range rows {
		row := object(t, line)
		for name, values := range leaves {
			for shape, in := range shapes {
				want := strings.ReplaceAll(in, "V", values[i%len(values)])
				if i%4 == 3 || want == "null" {
					want = "" // a column that is null is left out
				}
				if atTop := name == "uuid" || name == "enum"; shape != "" && atTop { // pyarrow writes them at the top alone
					continue
				}
				if got := string(row[name+shape]); got != want {
					t.Errorf("row %d: %s%s is %s, want %s", i, name, shape, got, want)
				}
			}
		}
		for name, want := range map[string]string{"map_of_int32": `{"-2147483648":1,"2147483647":1}`, "map_of_uint64": `{"9223372036854775808":1,"18446744073709551615":1}`, "map_of_day": `{"0001-01-01":1,"2024-01-01":1,"9999-12-31":1}`} {
			if i%2 == 1 {
				want = "{}"
			}
			if string(row[name]) != want {
				t.Errorf("row %d: %s is %s, want %s", i, name, row[name], want)
			}
		}
	}
}

// TestInt96 reads the times of old writers, at every depth.
func TestInt96(t *testing.T) {
	row := object(t, testFile(t, "int96.parquet")[1])
	for name, want := range map[string]string{
		"stamp_us": `"2024-01-02T03:04:05.678901"`, "stamp_ns_list": `["2024-01-02T03:04:05.678901234",null,"2024-01-02T03:04:05.678901234"]`,
		"stamp_ns_deep": `[{"l":[["2024-01-02T03:04:05.678901234"],[],null,["2024-01-02T03:04:05.678901234","2024-01-02T03:04:05.678901234"]]},null,{"l":null}]`,
	} {
		if string(row[name]) != want {
			t.Errorf("%s is %s, want %s", name, row[name], want)
		}
	}
	far := parquet.ValueOf(deprecated.Int96{1, 0, 1 << 31})
	if got := string(appendInt96(nil, far)); got != "185331720384000000000001" {
		t.Errorf("a day that has no date is %s", got)
	}
}

// TestEmptyGroups: a row group without rows is empty, not damaged.
func TestEmptyGroups(t *testing.T) {
	if got := testFile(t, "empty.parquet"); len(got) != 0 {
		t.Errorf("an empty table has %q", got)
	}
	one := `{"text":"one","n":[18446744073709551615]}`
	if got := testFile(t, "groups.parquet"); len(got) != 2 || got[0] != one || got[1] != one {
		t.Errorf("between empty groups there are %q", got)
	}
	b := must.Read(t, "testdata/groups.parquet")
	for n := range 3 {
		r := openReader(t, b)
		must.Succeed(t, r.Goto(int64(n)))
		if got := lines(r); len(got) != 2-n {
			t.Errorf("from row %d on there are %q", n, got)
		}
	}
}

// TestDuckDB reads the types that pyarrow does not write.
func TestDuckDB(t *testing.T) {
	want := `{"text":"a","s":{"t":"01:02:03.5","i":"P1M2DT3.25S","u":"00112233-4455-6677-8899-aabbccddeeff","d":1.25,"b":"eHj/","n":18446744073709551615,"j":{"a":[1,2.50]}},"l":["2024-01-02T03:04:05Z"]}`
	if got := testFile(t, "duckdb.parquet"); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %s", got, want)
	}
	for i, want := range []string{
		`{"text":"a","v":{"x":1,"y":"two","z":[1.0,2.5,null]}}`, `{"text":"b","v":{"x":"no","w":true}}`, `{"text":"c"}`, `{"text":"d","v":["2024-01-01T01:02:03"]}`,
	} {
		if got := testFile(t, "variant.parquet")[i]; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestVariant decodes values of each type of the encoding, and refuses damaged ones.
func TestVariant(t *testing.T) {
	names := []string{"a", "b"}
	for value, want := range map[string]string{
		"\x00": "null", "\x04": "true", "\x08": "false", "\x0c\xff": "-1", "\x10\xfe\xff": "-2", "\x14\xfd\xff\xff\xff": "-3",
		"\x18\xfc\xff\xff\xff\xff\xff\xff\xff": "-4", "\x1c\x00\x00\x00\x00\x00\x00\xf8\x3f": "1.5",
		"\x20\x02\x85\xff\xff\xff": "-1.23", "\x24\x01\x05\x00\x00\x00\x00\x00\x00\x00": "0.5",
		"\x28\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00": "18446744073709551616",
		"\x2c\x01\x00\x00\x00": `"1970-01-02"`, "\x30\x01\x00\x00\x00\x00\x00\x00\x00": `"1970-01-01T00:00:00.000001Z"`,
		"\x34\x01\x00\x00\x00\x00\x00\x00\x00": `"1970-01-01T00:00:00.000001"`, "\x38\x00\x00\xc0\x3f": "1.5",
		"\x3c\x02\x00\x00\x00\xff\x00": `"/wA="`, "\x40\x02\x00\x00\x00ab": `"ab"`, "\x44\x01\x00\x00\x00\x00\x00\x00\x00": `"00:00:00.000001"`,
		"\x48\x01\x00\x00\x00\x00\x00\x00\x00": `"1970-01-01T00:00:00.000000001Z"`, "\x4c\x01\x00\x00\x00\x00\x00\x00\x00": `"1970-01-01T00:00:00.000000001"`,
		"\x50\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff": `"00112233-4455-6677-8899-aabbccddeeff"`,
		"\x09hi": `"hi"`, "\x03\x02\x00\x01\x02\x00\x04": "[null,true]", "\x02\x02\x00\x01\x00\x01\x02\x04\x08": `{"a":true,"b":false}`,
	} {
		d := variantDecoder{names: names, left: len(value)}
		if got := string(d.value(nil, []byte(value))); got != want || d.bad {
			t.Errorf("%q is %s (damaged: %v), want %s", value, got, d.bad, want)
		}
		for n := range value {
			d := variantDecoder{names: names, left: n}
			if d.value(nil, []byte(value[:n])); !d.bad {
				t.Errorf("%q is taken for a whole value", value[:n])
			}
		}
	}
	// Each array has two items in the same place: 2^40 values in 160 bytes.
	bomb := strings.Repeat("\x03\x02\x00\x00\x00", 40) + "\x00"
	d := variantDecoder{left: len(bomb)}
	if got := d.value(nil, []byte(bomb)); !d.bad || len(got) > 10*len(bomb) {
		t.Errorf("%d bytes of values of the same bytes", len(got))
	}
	deep := strings.Repeat("\x03\x01\x00\x00", 2000) + "\x00"
	d = variantDecoder{left: len(deep)}
	if d.value(nil, []byte(deep)); !d.bad {
		t.Error("a value of 2,000 levels is taken")
	}
	for _, damaged := range []string{"", "\x02", "\x01\x02\x00\x01", "\x01\x01\x00\x05a", "\x01\xff"} {
		if names, err := variantNames([]byte(damaged)); err == nil {
			t.Errorf("the dictionary %q is taken for %q", damaged, names)
		}
	}
}

// TestDecimals: neither many digits nor a large scale cost more than they hold.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		unscaled string
		scale    int32
		want     string
	}{
		{"\x7b", 0, "123"}, {"\x85", 2, "-1.23"}, {"\x05", 3, "0.005"}, {"\xff", 1 << 30, "-1e-1073741824"}, {"\x05", -2, "5e2"}, {"", 1, "0.0"},
		{"\x80", 0, "-128"}, {"\x00\x80", 2, "1.28"},
	} {
		if got := string(appendBigDecimal(nil, []byte(c.unscaled), c.scale)); got != c.want || !json.Valid([]byte(got)) {
			t.Errorf("%q with scale %d is %s, want %s", c.unscaled, c.scale, got, c.want)
		}
	}
	if got := appendBigDecimal(nil, bytes.Repeat([]byte{1}, 1<<20), 0); got[0] != '"' {
		t.Error("a decimal of a million bytes is converted")
	}
}

// TestOlderSchemas reads lists and maps as older writers write them, and types that
// are only given as converted types.
func TestOlderSchemas(t *testing.T) {
	v := func(n, rep, def, column int) parquet.Value { return parquet.ValueOf(int64(n)).Level(rep, def, column) }
	null := func(rep, def, column int) parquet.Value { return parquet.Value{}.Level(rep, def, column) }
	number := func(name string, column, rep, def int) *node {
		n := &node{name: name, key: []byte(`"` + name + `":`), rep: rep, def: def, first: column, end: column + 1}
		n.value = valueOf(&format.SchemaElement{Type: thrift.New(format.Int64)}, false)
		return n
	}
	listOf := func(item *node) *node {
		item.repeated, item.rep, item.def = true, 1, 1
		n := &node{kind: group, name: "l", first: item.first, end: item.end, children: []*node{item}}
		item.setItem("l")
		n.setKind(&format.SchemaElement{ConvertedType: thrift.New(deprecated.List)})
		return n
	}
	inGroup := func(name string, children ...*node) *node {
		return &node{kind: group, name: name, key: []byte(`"` + name + `":`), first: children[0].first, end: children[len(children)-1].end, children: children}
	}
	entry := inGroup("map", number("key", 0, 1, 1), number("value", 1, 1, 1))
	entry.repeated, entry.rep, entry.def = true, 1, 1
	entries := inGroup("m", entry)
	entries.setKind(&format.SchemaElement{ConvertedType: thrift.New(deprecated.MapKeyValue)})
	bare := number("r", 0, 1, 1)
	bare.repeated = true
	two := parquet.Row{v(1, 0, 1, 0), v(2, 1, 1, 0)}
	for _, c := range []struct {
		name string
		node *node
		row  parquet.Row
		want string
	}{
		{"a repeated field", bare, two, "[1,2]"},
		{"no item", bare, parquet.Row{null(0, 0, 0)}, "[]"},
		{"a list of two levels", listOf(number("element", 0, 1, 1)), two, "[1,2]"},
		{"a list of three levels", listOf(inGroup("list", number("element", 0, 1, 1))), two, "[1,2]"},
		{"a list of structs of one field", listOf(inGroup("array", number("x", 0, 1, 1))), two, `[{"x":1},{"x":2}]`},
		{"a list of tuples", listOf(inGroup("l_tuple", number("x", 0, 1, 1))), two, `[{"x":1},{"x":2}]`},
		{"a list of structs", listOf(inGroup("element", number("x", 0, 1, 1), number("y", 1, 1, 1))), parquet.Row{v(1, 0, 1, 0), v(2, 1, 1, 0), v(3, 0, 1, 1), v(4, 1, 1, 1)}, `[{"x":1,"y":3},{"x":2,"y":4}]`},
		{"a map", entries, parquet.Row{v(1, 0, 1, 0), v(2, 1, 1, 0), v(3, 0, 1, 1), v(4, 1, 1, 1)}, `{"1":3,"2":4}`},
	} {
		var r rows
		must.Succeed(t, r.set(c.row, c.node.end))
		got := string(r.append(nil, c.node))
		if err := r.end(); err != nil || got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, err, c.want)
		}
	}
	var r rows // the value of an entry is missing
	r.set(parquet.Row{v(1, 0, 1, 0), v(2, 1, 1, 0), v(3, 0, 1, 1)}, 2)
	if r.append(nil, entries); r.end() == nil {
		t.Error("columns that contradict each other are taken")
	}
	if r.set(parquet.Row{v(1, 0, 1, 7)}, 2) == nil {
		t.Error("a value of a column that is not there is taken")
	}
	for converted, want := range map[deprecated.ConvertedType]string{
		deprecated.Uint64: "18446744073709551615", deprecated.Decimal: "-0.01", deprecated.TimestampMicros: `"1969-12-31T23:59:59.999999Z"`, deprecated.TimeMicros: "-1", deprecated.Int64: "-1",
	} {
		e := &format.SchemaElement{Type: thrift.New(format.Int64), ConvertedType: thrift.New(converted), Scale: thrift.New(int32(2))}
		if got := string(valueOf(e, false)(nil, parquet.ValueOf(int64(-1)))); got != want {
			t.Errorf("-1 of the converted type %d is %s, want %s", converted, got, want)
		}
	}
}

// TestBytes: bytes that are not UTF-8 are base64, but for a column that holds pages,
// whose encoding the page may declare.
func TestBytes(t *testing.T) {
	type row struct {
		Page []byte `parquet:"page"`
		Hash []byte `parquet:"hash"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	must.Succeed(t, must.Err(w.Write([]row{{[]byte("caf\xe9 \"\n"), []byte("caf\xe9")}})))
	must.Succeed(t, w.Close())
	r := must.Get(NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "page"))(t)
	if got, want := fmt.Sprint(lines(r)), "[{\"page\":\"caf\xe9 \\\"\\u000a\",\"hash\":\"Y2Fm6Q==\"}]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
