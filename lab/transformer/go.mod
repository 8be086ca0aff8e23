// The transformer line encoder: a module of its own, since it needs cgo and,
// when it runs, the shared library of ONNX Runtime.
module chaffinch/lab/transformer

go 1.26.0

require (
	chaffinch v0.0.0-00010101000000-000000000000
	github.com/alecthomas/kong v1.17.0
	github.com/clipperhouse/uax29/v2 v2.7.0
	golang.org/x/text v0.43.0
)

require (
	github.com/rogpeppe/go-internal v1.16.0
	github.com/yalue/onnxruntime_go v1.27.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)

replace chaffinch => ../../
