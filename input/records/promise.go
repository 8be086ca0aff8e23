package records

import (
	"fmt"

	"chaffinch/format/suffix"
)

// CheckOutputs returns an error if the name of an output implies another format than the format
// of the inputs, in which documents are written. It detects the format as a Reader does. Inputs
// that cannot be read are not an error here.
func CheckOutputs(inputs []string, cfg Config, outputs ...string) error {
	promises := false
	for _, name := range outputs {
		promises = promises || suffix.Of(name).Suffix != ""
	}
	if !promises {
		return nil
	}
	for _, name := range outputs {
		if name == "" {
			continue
		}
		err := suffix.Check(name, written(inputs, cfg)...)
		if p := suffix.Of(name).Format; err != nil && suffix.Written(p) {
			return fmt.Errorf("%w, and make %s of it with chaffinch convert", err, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// written returns the names of the formats in which documents of the inputs are written. It
// returns all formats if the inputs hold no documents, and both vertical formats if few words
// do not distinguish them.
func written(inputs []string, cfg Config) []string {
	cfg.OnError, cfg.Outside = nil, nil
	r, err := Open(inputs, cfg)
	if err == nil {
		defer r.Close()
		err = r.begin()
	}
	if err != nil || r.format == "" {
		all := make([]string, len(Formats))
		for i, f := range Formats {
			all[i] = string(f)
		}
		return all
	}
	formats := []string{string(r.format)}
	if own := Format(suffix.Of(r.files.Current().Name).Format); (r.format == Vertical || r.format == Prevertical) && (own == Vertical || own == Prevertical) && own != r.format {
		formats = append(formats, string(own))
	}
	return formats
}
