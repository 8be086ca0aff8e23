package pdfroles

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"chaffinch/format/pdf/roles"
	"chaffinch/model"
)

// Save writes a trained model with the training information.
func Save(path string, m *roles.Model, docs []*Doc, cfg Config) error {
	config, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	sum := sha256.New()
	parts := 0
	for _, d := range docs {
		fmt.Fprintf(sum, "%s %v\n", d.SHA256, d.Roles)
		parts += len(d.Roles)
	}
	card, err := json.Marshal(map[string]any{"documents": len(docs), "paragraphs": parts, "data": "PDF documents of public repositories; lab/eval/pdfroles/sources.tsv lists them with their licences"})
	if err != nil {
		return err
	}
	return m.Save(path, model.Header{Name: "pdfroles", Config: config, DataSHA256: hex.EncodeToString(sum.Sum(nil)), Tool: "chaffinch lab/eval/pdfroles", Card: card})
}
