package ncleaner

import (
	"sync"

	"chaffinch/model/data"
)

// embedded holds the embedded model pairs by name.
var embedded = map[string]func() (*Model, error){
	"en":         sync.OnceValues(func() (*Model, error) { return Parse("ncleaner en", data.NCleanerEnglish) }),
	"nonlexical": sync.OnceValues(func() (*Model, error) { return Parse("ncleaner nonlexical", data.NCleanerNonLexical) }),
}

// open returns the embedded pair of that name or reads the model file.
func open(name string) (*Model, error) {
	if m, ok := embedded[name]; ok {
		return m()
	}
	return Load(name)
}
