package method

import (
	"encoding/json"
	"fmt"

	"chaffinch/clean"
	"chaffinch/clean/justext"
	"chaffinch/internal/settings"
)

// JustextConfig is the Options.Config of the method justext: thresholds that override a
// preset.
type JustextConfig struct {
	// Preset is the name of one of justext.Presets. Default: justext.Default.
	Preset string `json:"preset,omitempty"`
	// Stopwords is the path of a file of stop lists, or of one list with one word per line.
	// Default: the embedded lists.
	Stopwords string `json:"stopwords,omitempty"`
	justext.Config
}

func newJustext(o Options) (clean.Labeller, error) {
	c := JustextConfig{Config: justext.Default}
	if len(o.Config) > 0 {
		var p struct{ Preset string }
		if err := json.Unmarshal(o.Config, &p); err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
		if p.Preset != "" {
			preset, err := justext.PresetByName(p.Preset)
			if err != nil {
				return nil, err
			}
			c.Config = preset
		}
	}
	if err := settings.Apply(o.Config, &c); err != nil {
		return nil, err
	}
	if o.Lang != "" {
		c.Lang = o.Lang
	}
	if c.Stopwords != "" {
		if err := c.Load(c.Stopwords); err != nil {
			return nil, err
		}
	}
	return justext.New(c.Config)
}
