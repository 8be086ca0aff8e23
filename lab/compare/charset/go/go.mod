// The rivals of chaffinch eval charset written in Go: a module of its own, so that
// they are no dependencies of the project.
module chaffinch/lab/compare/charset/go

go 1.26.0

require (
	github.com/gogs/chardet v0.0.0-20211120154057-b7413eaefb8f
	github.com/saintfish/chardet v0.0.0-20230101081208-5e3ef4b5456d
	github.com/wlynxg/chardet v1.0.5
	golang.org/x/net v0.62.0
)

require golang.org/x/text v0.43.0 // indirect
