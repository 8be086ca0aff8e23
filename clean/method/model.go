package method

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"chaffinch/internal/files"
	"chaffinch/model"
)

// withModels returns the names of the methods with a single model file, for error messages.
func withModels() string {
	return strings.Join(namesWith(func(m Method) bool { return m.Kind != "" }), ", ")
}

// WithModel sets the model of a method to a file or an embedded model. It returns the
// method's name and its configuration with the model added. If name is "", it selects the
// method that the file is for. It is an error if the file is for another method, or if
// config already names a model.
func WithModel(name, which string, config json.RawMessage) (string, json.RawMessage, error) {
	made, err := methodOf(which)
	switch {
	case err != nil:
		return "", nil, err
	case name == "" && made == "":
		return "", nil, fmt.Errorf("model %s: no file of that name: an embedded model needs the name of its method", which)
	case name == "":
		name = made
	case made != "" && made != name && name != "all":
		return "", nil, fmt.Errorf("model %s: it is one of the method %s, wanted one of %s", which, made, name)
	}
	if !slices.ContainsFunc(Table, func(m Method) bool { return m.Name == name && m.Kind != "" }) {
		return "", nil, fmt.Errorf("model %s: the method %s has no model of one file: take one of %s", which, name, withModels())
	}
	fields := map[string]json.RawMessage{}
	if len(config) > 0 {
		if err := json.Unmarshal(config, &fields); err != nil {
			return "", nil, fmt.Errorf("config: %w", err)
		}
	}
	if given, ok := fields["model"]; ok {
		return "", nil, fmt.Errorf("model %s: the config names the model %s: leave out one of them", which, given)
	}
	if fields["model"], err = json.Marshal(which); err != nil {
		return "", nil, err
	}
	config, err = json.Marshal(fields)
	return name, config, err
}

// methodOf returns the method that a model file is for, or "" for the name of an embedded
// model.
func methodOf(which string) (string, error) {
	f, err := os.Open(which)
	if err != nil {
		if os.IsNotExist(err) && !bytes.ContainsAny([]byte(which), "/\\.") {
			return "", nil
		}
		return "", fmt.Errorf("model %s: %w", which, files.Cause(err))
	}
	defer f.Close()
	head := make([]byte, 64)
	n, err := f.Read(head)
	if err != nil {
		return "", fmt.Errorf("model %s: %w", which, err)
	}
	if !model.Is(head[:n]) {
		return "perplexity", nil // ARPA or PyPlexity format; the reader reports errors
	}
	m, err := model.OpenUnverified(which)
	if err != nil {
		return "", fmt.Errorf("model %s: %w", which, err)
	}
	defer m.Close()
	for _, labels := range Table {
		if labels.Kind == m.Kind && m.Kind != "" {
			return labels.Name, nil
		}
	}
	return "", fmt.Errorf("model %s: a model of the kind %q labels nothing: take one of the methods %s", which, m.Kind, withModels())
}
