package justext

import (
	"encoding/json"
	"strings"

	"github.com/klauspost/compress/zstd"

	"chaffinch/clean/justext"
	"chaffinch/model"
)

// Write writes a model file of stop lists.
func Write(path string, lists []Trained, cfg Config, dataSHA256, tool string) (err error) {
	config, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	var cards []justext.Card
	for _, l := range lists {
		cards = append(cards, justext.Card{Lang: l.Lang, Words: l.Len(), Cover: round3(l.Cover), TextWords: l.TextWords, Sources: l.Sources})
	}
	card, err := json.Marshal(cards)
	if err != nil {
		return err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return err
	}
	defer z.Close()
	var sections []model.Section
	for _, l := range lists {
		sections = append(sections, model.Section{Name: l.Lang, Bytes: z.EncodeAll([]byte(strings.Join(l.Words(), "\n")+"\n"), nil)})
	}
	return model.Save(path, model.Header{
		Kind: justext.Kind, Behaviour: justext.Behaviour, Name: "stopwords",
		Config: config, DataSHA256: dataSHA256, Tool: tool, Card: card,
	}, sections...)
}

func round3(v float64) float64 { return float64(int(float64(v*1000)+.5)) / 1000 }
