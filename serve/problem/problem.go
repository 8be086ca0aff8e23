// Package problem writes errors as problem details for HTTP APIs (RFC 9457), and registers
// operations that answer so.
//
// Unstable: this package may change in any release.
package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Problem is an error with the status of its answer.
type Problem struct {
	huma.ErrorModel
	// At is the byte of a query at which it cannot be understood; nil elsewhere.
	At *int `json:"at,omitempty" doc:"Byte offset of the error in the query."`
	// Hint is a suggested fix, or "".
	Hint string `json:"hint,omitempty" doc:"Suggested fix."`
	// Try is a similar query without the error, or "".
	Try string `json:"try,omitempty" doc:"Similar query without the error."`
	// Retry is the time after which a client should retry, 0 if unknown.
	Retry time.Duration `json:"-"`
}

// New returns a problem with a status and a message.
func New(status int, format string, args ...any) *Problem {
	return &Problem{ErrorModel: huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: fmt.Sprintf(format, args...)}}
}

// Parameter returns the problem that a parameter cannot be used.
func Parameter(name string, value any, err error) *Problem {
	p := New(http.StatusUnprocessableEntity, "%s: %v", name, err)
	p.Errors = []*huma.ErrorDetail{{Message: err.Error(), Location: "query." + name, Value: value}}
	return p
}

// GetHeaders returns the headers of the answer.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.Retry > 0 {
		h.Set("Retry-After", retryAfter(p.Retry))
	}
	return h
}

// retryAfter returns d in whole seconds, rounded up, at least one.
func retryAfter(d time.Duration) string {
	return strconv.FormatInt(int64(max((d+time.Second-1)/time.Second, 1)), 10)
}

// Write answers with the problem.
func (p *Problem) Write(w http.ResponseWriter) {
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // plain data
	}
	w.Write(append(b, '\n')) // a client that is gone needs no answer
}

// Of converts err to a problem. Problems are returned unchanged, timeouts get status 504, a
// disconnected client 499 (for logs), a full disk 507, other errors 500.
func Of(err error) *Problem {
	var p *Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, context.DeadlineExceeded):
		return New(http.StatusGatewayTimeout, "the request took too long: narrow it, or allow more time per request")
	case errors.Is(err, context.Canceled):
		return New(StatusLeft, "the client disconnected")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		text := err.Error()
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			text = strings.ReplaceAll(text, e.Path, filepath.Base(e.Path))
		}
		return New(http.StatusInsufficientStorage, "%s: the disk of the server is full: free space there", text)
	}
	return New(http.StatusInternalServerError, "%v", err)
}

// StatusLeft is the status of a request whose client left, as logs have it.
const StatusLeft = 499

// Register registers an operation whose errors are made problems. Its numbers are finite.
func Register[I, O any](api huma.API, op huma.Operation, do func(context.Context, *I) (*O, error)) {
	numbers := numbersOf(reflect.TypeFor[I]())
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		if err := checkFinite(reflect.ValueOf(in).Elem(), numbers); err != nil {
			return nil, err
		}
		out, err := do(ctx, in)
		if err != nil {
			return nil, Of(err)
		}
		return out, nil
	})
}

// Answers documents an operation that writes its own responses: the type of each media type,
// nil for no schema. A type without a name gets the name of the operation.
func Answers(api huma.API, op *huma.Operation, description string, types map[string]reflect.Type) {
	content := map[string]*huma.MediaType{}
	for media, t := range types {
		content[media] = &huma.MediaType{}
		if t != nil {
			content[media].Schema = api.OpenAPI().Components.Schemas.Schema(t, true, op.OperationID)
		}
	}
	op.Responses = map[string]*huma.Response{"200": {Description: description, Content: content}}
}

// numbersOf returns the fields of query parameters that are floating-point numbers.
func numbersOf(input reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(input), func(f reflect.StructField) bool {
		return f.Type.Kind() != reflect.Float64 || f.Tag.Get("query") == ""
	})
}

// checkFinite returns a problem if a number is infinite or not a number.
func checkFinite(input reflect.Value, numbers []reflect.StructField) error {
	for _, f := range numbers {
		if x := input.FieldByIndex(f.Index).Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			text := strconv.FormatFloat(x, 'g', -1, 64)
			return Parameter(f.Tag.Get("query"), text, fmt.Errorf("%q: wanted a finite number", text))
		}
	}
	return nil
}
