package table

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
)

// Types returns the media types of [Send]: JSON of a type, and all formats.
func Types(body reflect.Type) map[string]reflect.Type {
	types := map[string]reflect.Type{"application/json": body}
	for _, f := range Formats {
		media, _, _ := strings.Cut(f.MediaType, ";")
		types[media] = nil
	}
	return types
}

// Send writes a response: t in a format, as a file with a name without extension, or body as JSON if
// no format has the name.
func Send(w http.ResponseWriter, format, file string, body any, t Table) {
	f, ok := Named(format)
	if !ok {
		w.Header().Set("Content-Type", "application/json")
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		if err := e.Encode(body); errors.As(err, new(*json.UnsupportedValueError)) {
			panic(err) // nothing was sent; another error is of a client that is gone
		}
		return
	}
	w.Header().Set("Content-Type", f.MediaType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+file+"."+f.Name+`"`)
	if err := f.Write(w, t); err != nil {
		panic(http.ErrAbortHandler) // the client must not take it for whole
	}
}
