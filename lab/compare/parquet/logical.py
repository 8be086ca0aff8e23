"""Writes Parquet files with every logical type at every depth, and checks that
chaffinch reads the values that pyarrow and DuckDB read from them.

    logical.py write FOLDER              # the files
    logical.py check FOLDER CHAFFINCH    # the same, then compares; exit code 1 if anything differs

The files of `write` are those of format/parquet/testdata."""

import base64
import datetime
import decimal
import json
import pathlib
import subprocess
import sys
import uuid

import duckdb
import numpy
import pyarrow as pa
import pyarrow.parquet as pq

D = decimal.Decimal
EPOCH = datetime.datetime(1970, 1, 1)
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}

# Leaf types with their values, the smallest and the largest among them.
LEAVES = {
    "bool": (pa.bool_(), [True, False]),
    **{f"int{b}": (getattr(pa, f"int{b}")(), [-(2 ** (b - 1)), 2 ** (b - 1) - 1]) for b in (8, 16, 32, 64)},
    **{f"uint{b}": (getattr(pa, f"uint{b}")(), [2 ** (b - 1), 2**b - 1]) for b in (8, 16, 32, 64)},
    "float16": (pa.float16(), [1.5, -65504.0, float("inf"), float("nan"), 2.0**-24]),
    "float32": (pa.float32(), [0.1, 3.4028234663852886e38, float("-inf")]),
    "float64": (pa.float64(), [0.1, 1e300, float("nan")]),
    "string": (pa.string(), ["Fähre 🚢 \"a\"\\b\n", ""]),
    "enum": (pa.dictionary(pa.int32(), pa.string()), ["a", "b"]),
    "binary": (pa.binary(), [b"\xff\x00\x01", b"text"]),
    "fixed": (pa.binary(4), [b"\xff\x00\x01\x02", b"text"]),
    "day": (pa.date32(), [-719162, 19723, 2932896]),
    "time32": (pa.time32("ms"), [0, 86399999]),
    "time64us": (pa.time64("us"), [1, 86399999999]),
    "time64ns": (pa.time64("ns"), [1, 86399999999999]),
    "stamp_ms": (pa.timestamp("ms"), [-1, 1704164645678]),
    "stamp_us": (pa.timestamp("us"), [-1, 1704164645678901]),
    "stamp_ns": (pa.timestamp("ns"), [-1, 1704164645678901234]),
    "stamp_ms_utc": (pa.timestamp("ms", "UTC"), [-1, 1704164645678]),
    "stamp_us_utc": (pa.timestamp("us", "UTC"), [-1, 1704164645678901]),
    "stamp_ns_utc": (pa.timestamp("ns", "UTC"), [-1, 1704164645678901234]),
    "duration": (pa.duration("ms"), [-1, 10**10]),
    "decimal9": (pa.decimal128(9, 2), [D("-1234567.89"), D("0.05")]),
    "decimal18": (pa.decimal128(18, 0), [D("-999999999999999999"), D("7")]),
    "decimal38": (pa.decimal128(38, 10), [D("-1234567890123456789012345678.0123456789"), D("0.0000000001")]),
    "decimal76": (pa.decimal256(60, 1), [D("-12345678901234567890123456789012345678901234567890.5")]),
    "uuid": (pa.uuid(), [uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")]),
    "nothing": (pa.null(), [None]),
}
FLOATS = ["float32", "float64", "float32_list.list.element"]
# Types that DuckDB reads as other values than pyarrow, and why.
NOT_DUCKDB = {
    "nothing": "is an integer column", "duration": "is a number", "time64ns": "truncates to microseconds", "stamp_ns": "truncates to microseconds",
    "stamp_ns_utc": "truncates to microseconds", "decimal76": "has 38 digits", "binary": "bytes are bytes, also where they are text",
}
SHAPES = {
    "": (lambda t: t, lambda v: v),
    "_list": (pa.list_, lambda v: [v, None, v]),
    "_struct": (lambda t: pa.struct([("x", t), ("n", pa.int8())]), lambda v: {"x": v, "n": 1}),
    "_map": (lambda t: pa.map_(pa.string(), t), lambda v: [("k", v), ("none", None)]),
    "_deep": (lambda t: pa.list_(pa.struct([("l", pa.list_(pa.list_(t)))])), lambda v: [{"l": [[v], [], None, [v, v]]}, None, {"l": None}]),
}


def array(typ, values):
    """An array of numbers for times, which Python has no type for in full."""
    def plain(t):
        if pa.types.is_temporal(t):
            return pa.int32() if t.bit_width == 32 else pa.int64()
        return t
    if pa.types.is_temporal(typ):
        return pa.array(values, plain(typ)).cast(typ)
    return pa.array(values, typ)


def column(name, shape, rows):
    typ, values = LEAVES[name]
    wrap, of = SHAPES[shape]
    leaves = array(typ, values).to_pylist() if not pa.types.is_temporal(typ) else list(array(typ, values))
    out = [None if i % 4 == 3 else of(leaves[i % len(leaves)]) for i in range(rows)]
    return pa.array(out, wrap(typ))


def table(rows, names=LEAVES):
    columns = {"text": pa.array([f"Row {i} of the ferry." for i in range(rows)])}
    for name in names:
        for shape in SHAPES:
            if not (shape and name in ("enum", "uuid")):  # pyarrow builds these at the top alone
                columns[name + shape] = column(name, shape, rows)
    for key, typ in {"int32": pa.int32(), "uint64": pa.uint64(), "day": pa.date32()}.items():
        values = LEAVES[key][1]
        columns["map_of_" + key] = pa.array([[(v, 1) for v in array(typ, values)] if i % 2 == 0 else [] for i in range(rows)], pa.map_(typ, pa.int8()))
    return pa.table(columns)


def moment(n, unit, layout_of):
    """n units since 1970 as ISO 8601, with as many decimals as it needs."""
    seconds, rest = divmod(n, PER_SECOND[unit])
    text = layout_of(seconds)
    digits = f"{rest:0{len(str(PER_SECOND[unit])) - 1}d}".rstrip("0") if rest else ""
    return text + ("." + digits if digits else "")


def want(v):
    """What JSON has for a scalar of pyarrow."""
    if v is None or not v.is_valid:
        return None
    t = v.type
    if pa.types.is_dictionary(t):
        return v.as_py()
    if isinstance(v, pa.ExtensionScalar):
        return str(v.as_py())
    if pa.types.is_map(t):
        return {str(want(e["key"])): want(e["value"]) for e in v.values}
    if pa.types.is_list(t):
        return [want(e) for e in v.values]
    if pa.types.is_struct(t):
        return {f.name: want(v[f.name]) for f in t}
    if pa.types.is_floating(t):
        x = float(v.as_py())
        return x if abs(x) < float("inf") else None
    if pa.types.is_timestamp(t):
        return moment(v.value, t.unit, lambda s: (EPOCH + datetime.timedelta(seconds=s)).isoformat()) + ("Z" if t.tz else "")
    if pa.types.is_time(t):
        return moment(v.value, t.unit, lambda s: (EPOCH + datetime.timedelta(seconds=s)).time().isoformat())
    if pa.types.is_date(t):
        return v.as_py().isoformat()
    if pa.types.is_duration(t):
        return v.value
    return v.as_py()


def plain(v):
    """What JSON has for a value of Python, as DuckDB returns it."""
    match v:
        case bytes():
            return base64.b64encode(v).decode()
        case datetime.datetime():
            text = v.astimezone(datetime.timezone.utc).replace(tzinfo=None).isoformat() + "Z" if v.tzinfo else v.isoformat()
            return short(text)
        case datetime.time():
            return short(v.isoformat())
        case datetime.date():
            return v.isoformat()
        case uuid.UUID():
            return str(v)
        case float():
            return v if abs(v) < float("inf") else None
        case dict():
            return {str(plain(k)): plain(e) for k, e in v.items()}
        case list() | tuple():
            return [plain(e) for e in v]
    return v


def short(text):
    zone = "Z" if text.endswith("Z") else ""
    text = text.removesuffix("Z")
    return (text.rstrip("0") if "." in text else text) + zone


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bytes):
        try:
            return a.decode() == b or base64.b64encode(a).decode() == b
        except UnicodeDecodeError:
            return base64.b64encode(a).decode() == b
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, float) or isinstance(b, float):
        if a is None or b is None:
            return a is b
        return float(a) == float(b) or numpy.float32(a) == a and numpy.float32(float(b)) == a  # as few digits as a float32 needs
    return a == b


def lines(chaffinch, file, *flags):
    out = subprocess.run([chaffinch, "convert", "-q", "-f", "jsonl", file, *flags], capture_output=True, text=True).stdout
    return [json.loads(line, parse_float=D) for line in out.splitlines()]


def write(folder):
    """Writes the files."""
    t, times = table(8), table(4, [n for n in LEAVES if n in ("stamp_us", "stamp_ns")])
    empty = pa.table({"text": pa.array([], pa.string()), "n": pa.array([], pa.list_(pa.uint64()))})
    pq.write_table(t, folder / "types.parquet", compression="zstd", row_group_size=5, store_schema=False, write_statistics=False, use_dictionary=False)
    pq.write_table(times, folder / "int96.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
    pq.write_table(empty, folder / "empty.parquet", store_schema=False)
    with pq.ParquetWriter(folder / "groups.parquet", empty.schema, store_schema=False) as w:
        some = pa.table({"text": ["one"], "n": pa.array([[2**64 - 1]], pa.list_(pa.uint64()))})
        for part in (empty, some, empty, some, empty):
            w.write_table(part)
    duckdb.sql(f"""copy (select * from (values
        ('a', {{'x': 1, 'y': 'two', 'z': [1, 2.5, null]}}::variant), ('b', {{'x': 'no', 'w': true}}::variant), ('c', null), ('d', [timestamp '2024-01-01 01:02:03']::variant)
        ) t(text, v)) to '{folder}/variant.parquet' (shredding {{'v': 'struct(x integer, y varchar)'}})""")
    duckdb.sql(f"""copy (select 'a' as text, {{'t': time '01:02:03.5', 'i': interval '1 month 2 days 3.25 seconds', 'u': '00112233-4455-6677-8899-aabbccddeeff'::uuid, 'd': 1.25::decimal(5, 2),
        'b': 'xx\\xFF'::blob, 'n': 18446744073709551615::ubigint, 'j': '{{"a": [1, 2.50]}}'::json}} as s, [timestamptz '2024-01-02 03:04:05+00'] as l) to '{folder}/duckdb.parquet'""")


VARIANTS = [
    '{"x":1,"y":"two","z":[1.0,2.5,null]}', '{"w":true,"x":"no"}', "null", '["2024-01-01T01:02:03"]',
]
NESTED = {"t": "01:02:03.5", "i": "P1M2DT3.25S", "u": "00112233-4455-6677-8899-aabbccddeeff", "d": D("1.25"), "b": "eHj/", "n": 2**64 - 1, "j": {"a": [1, D("2.50")]}}


class Checker:
    def __init__(self, chaffinch):
        self.chaffinch, self.values, self.bad = chaffinch, 0, 0

    def value(self, where, a, b):
        self.values += 1
        if not same(a, b):
            self.bad += 1
            print(f"{where}: {b!r}, wanted {a!r}")

    def pyarrow(self, file):
        """Compares with what pyarrow reads, also after a round trip through our own Parquet."""
        t = pq.read_table(file)
        back = file.with_suffix(".back.parquet")
        self.value(f"{file.name}: exit code", 0, subprocess.run([self.chaffinch, "convert", "-q", file, "-o", back], capture_output=True).returncode)
        fields = [json.loads(s or "{}", parse_float=D) for s in pq.read_table(back)["fields"].to_pylist()]
        back.unlink()
        for how, rows in {"": lines(self.chaffinch, file), " and back": fields}.items():
            self.value(f"{file.name}{how}: rows", t.num_rows, len(rows))
            for i, row in enumerate(rows):
                for name in t.column_names:
                    if name != "text":
                        self.value(f"{file.name}{how}: row {i + 1}: {name}", want(t[name][i]), row.get(name))

    def duckdb(self, file):
        duckdb.sql("set timezone = 'UTC'")
        cursor = duckdb.execute(f"select * from '{file}'")
        names = [d[0] for d in cursor.description]
        rows = cursor.fetchall()
        for i, (got, row) in enumerate(zip(lines(self.chaffinch, file), rows)):
            for name, v in zip(names, row):
                if name != "text" and not any(name.startswith(n) for n in NOT_DUCKDB):
                    self.value(f"{file.name}: DuckDB: row {i + 1}: {name}", plain(v), got.get(name))


def main(what, folder, chaffinch=None):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    write(folder)
    if what == "write":
        return 0
    c = Checker(chaffinch)
    for name in ("types", "int96", "empty", "groups"):
        c.pyarrow(folder / f"{name}.parquet")
        c.duckdb(folder / f"{name}.parquet")
    old = [n for n in LEAVES if not n.startswith("stamp_ns")]  # format 1.0 has no nanoseconds
    for i, options in enumerate([
        {"compression": "none", "data_page_version": "2.0"}, {"compression": "gzip", "version": "1.0"}, {"compression": "brotli", "use_dictionary": False},
        {"compression": "lz4", "write_page_checksum": True}, {"compression": "snappy", "data_page_size": 64}, {"use_compliant_nested_type": False},
        {"use_byte_stream_split": FLOATS, "use_dictionary": False}, {"store_decimal_as_integer": True}, {"flavor": "spark"},
    ]):
        file = folder / f"options{i}.parquet"
        pq.write_table(table(8, old if options.get("version") == "1.0" else LEAVES), file, **options)
        c.pyarrow(file)
        file.unlink()
    for got, line in zip(lines(chaffinch, folder / "variant.parquet"), VARIANTS):
        c.value("variant.parquet", json.loads(line, parse_float=D), got.get("v"))
    got = lines(chaffinch, folder / "duckdb.parquet")[0]
    c.value("duckdb.parquet: s", NESTED, got["s"])
    c.value("duckdb.parquet: l", ["2024-01-02T03:04:05Z"], got["l"])
    print(f"{c.values} values compared, {c.bad} differ")
    return 1 if c.bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
