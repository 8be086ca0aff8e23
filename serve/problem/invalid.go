package problem

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// Errors of huma are reported like all others: place, value found, value wanted.
func init() {
	huma.NewError = func(status int, text string, errs ...error) huma.StatusError {
		return invalid(nil, status, text, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, text string, errs ...error) huma.StatusError {
		// A body that cannot be read, such as one with a broken chunk, is the client's
		// fault; huma has it for one of the server.
		if status == http.StatusInternalServerError && text == "cannot read request body" {
			status = http.StatusBadRequest
		}
		var op *huma.Operation
		if ctx != nil {
			op = ctx.Operation()
		}
		return invalid(op, status, text, errs)
	}
	validation.MsgExpectedOneOf = "wanted one of %s"
	validation.MsgExpectedMinimumNumber = "wanted a number of at least %v"
	validation.MsgExpectedMaximumNumber = "wanted a number of at most %v"
	validation.MsgExpectedExclusiveMinimumNumber = "wanted a number above %v"
	validation.MsgExpectedMaxLength = "wanted at most %d characters"
	validation.MsgExpectedRequiredProperty = "wanted the property %s"
	validation.MsgUnexpectedProperty = "no such property"
	validation.MsgExpectedBoolean = "wanted true or false"
	validation.MsgExpectedNumber = "wanted a number"
	validation.MsgExpectedInteger = "wanted a whole number"
	validation.MsgExpectedString = "wanted a string"
	validation.MsgExpectedArray = "wanted an array"
	validation.MsgExpectedObject = "wanted an object"
}

// invalid returns the errors that huma found in a request to an operation, nil if they are
// unknown.
func invalid(op *huma.Operation, status int, text string, errs []error) *Problem {
	p := New(status, "%s", text)
	var found []string
	for _, err := range errs {
		if err == nil {
			continue
		}
		d := &huma.ErrorDetail{Message: err.Error()}
		if e, ok := err.(huma.ErrorDetailer); ok {
			d = e.ErrorDetail()
		}
		d.Message = describeWanted(op, d)
		if value := shown(d.Value); value == "" {
			d.Value = nil // missing, or too long to be repeated
		} else {
			d.Message = value + ": " + d.Message
		}
		p.Errors = append(p.Errors, d)
		_, place, inside := strings.Cut(d.Location, ".")
		if !inside {
			place = cmp.Or(d.Location, "request")
		}
		found = append(found, place+": "+d.Message)
	}
	switch {
	case len(found) > 0:
		p.Detail = strings.Join(found, "; ")
	case text == "request body is required":
		p.Detail = "body: missing" + media(op)
	case strings.HasPrefix(text, "request body is too large") && op != nil:
		p.Detail = fmt.Sprintf("body: too large: wanted at most %d bytes", op.MaxBodyBytes)
	case text == "request body read timeout":
		p.Detail = "body: no data arrived in time"
	}
	return p
}

// Repeated returns a middleware that refuses parameters with several values, of which only the first
// would count, and queries with a percent sign that is not encoded, whose parameters would be left out.
func Repeated(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		at := ctx.URL()
		query, err := url.ParseQuery(at.RawQuery)
		if errors.As(err, new(url.EscapeError)) {
			huma.WriteErr(api, ctx, http.StatusBadRequest, "unreadable query", &huma.ErrorDetail{Location: "query", Message: fmt.Sprintf("%v: wanted %%25 for a percent sign", err)})
			return
		}
		var errs []error
		for _, p := range parameters(ctx.Operation(), "query") {
			if n := len(query[p.Name]); n > 1 {
				want := "wanted one"
				if p.Schema != nil && p.Schema.Type == huma.TypeArray {
					want = "wanted one list with commas between its items"
				}
				errs = append(errs, &huma.ErrorDetail{Location: "query." + p.Name, Message: fmt.Sprintf("%d values: %s", n, want)})
			}
		}
		if errs != nil {
			huma.WriteErr(api, ctx, http.StatusUnprocessableEntity, "validation failed", errs...)
			return
		}
		next(ctx)
	}
}

// describeWanted describes the valid values for an invalid detail.
func describeWanted(op *huma.Operation, d *huma.ErrorDetail) string {
	kind, name, _ := strings.Cut(d.Location, ".")
	switch what := d.Message; {
	case what == "invalid integer":
		return validation.MsgExpectedInteger
	case what == "invalid float":
		return validation.MsgExpectedNumber
	case what == "invalid boolean":
		return validation.MsgExpectedBoolean
	case strings.HasPrefix(what, "required "):
		for _, p := range parameters(op, kind) {
			if p.Name == name && p.Description != "" {
				return "missing: " + p.Description
			}
		}
		return "missing"
	case what == "unknown query parameter":
		var names []string
		for _, p := range parameters(op, kind) {
			names = append(names, p.Name)
		}
		if names == nil {
			return "unknown parameter: this operation has none"
		}
		return "unknown parameter: wanted some of " + strings.Join(names, ", ")
	case strings.HasPrefix(what, "unknown content type"):
		return what + media(op)
	}
	return d.Message
}

// media lists the media types of an operation's body, as the end of a sentence.
func media(op *huma.Operation) string {
	if op == nil || op.RequestBody == nil {
		return ""
	}
	return ": wanted " + strings.Join(slices.Sorted(maps.Keys(op.RequestBody.Content)), ", ")
}

// parameters returns the parameters of an operation in the query, the path or the headers.
func parameters(op *huma.Operation, in string) (found []*huma.Param) {
	if op != nil {
		for _, p := range op.Parameters {
			if p.In == in {
				found = append(found, p)
			}
		}
	}
	return found
}

// shown returns a value as quoted in errors, or "" for a missing, compound or long value.
func shown(value any) string {
	switch v := value.(type) {
	case nil, map[string]any, []any:
		return ""
	case string:
		if v == "" || len(v) > 100 {
			return ""
		}
		return fmt.Sprintf("%q", v)
	}
	b, err := json.Marshal(value)
	if err != nil || len(b) > 100 {
		return ""
	}
	return string(b)
}
