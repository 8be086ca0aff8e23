package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"chaffinch/internal/archive"
	"chaffinch/model"
	"chaffinch/text/lm"
	"chaffinch/text/tag"
)

// modelCmd lists the commands that inspect models.
type modelCmd struct {
	Info modelInfoCmd `cmd:"" help:"Print a model's header and card."`
	Arpa modelArpaCmd `cmd:"" help:"Write a word model as ARPA text."`
	Pack modelPackCmd `cmd:"" help:"Put the taggers of several languages into one file."`
}

type modelInfoCmd struct {
	Model string `arg:"" help:"Model file of any kind, ARPA file, or name of an embedded word model, such as en."`
	JSON  bool   `help:"Print the header as JSON."`
}

// Run prints the header and card of the model.
func (c *modelInfoCmd) Run(con *console) error {
	if f, err := model.Open(c.Model); err == nil {
		defer f.Close()
		if f.Kind != lm.Kind {
			return c.print(con.out, f.Header, nil)
		}
	}
	m, err := lm.Open(c.Model) // also embedded ones and ARPA files
	if err != nil {
		return err
	}
	defer m.Close()
	return c.print(con.out, m.File.Header, m)
}

// print prints a header, and the figures of a word model, which may be nil.
func (c *modelInfoCmd) print(w io.Writer, h model.Header, m *lm.Model) error {
	if c.JSON {
		b, err := json.MarshalIndent(h, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", b)
		return err
	}
	fmt.Fprintf(w, "name       %s\nkind       %s, behaviour %d\nmade by    %s\n", h.Name, h.Kind, h.Behaviour, h.Tool)
	if m != nil {
		fmt.Fprintf(w, "estimator  %s, tokenizer %s\n", m.Estimator(), m.Tokeniser())
		for k := 1; k <= m.Order(); k++ {
			fmt.Fprintf(w, "%d-grams    %d\n", k, m.Ngrams(k))
		}
	}
	if h.DataSHA256 != "" {
		fmt.Fprintf(w, "data       SHA-256 %s\n", h.DataSHA256)
	}
	return errors.Join(printJSON(w, "config", h.Config), printJSON(w, "card", h.Card))
}

func printJSON(w io.Writer, name string, raw json.RawMessage) error {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s %s\n", name, b.Bytes())
	return err
}

type modelPackCmd struct {
	Models []string `arg:"" name:"model" help:"Model files from chaffinch train tagger, each of another language."`
	Out    string   `short:"o" required:"" placeholder:"FILE" help:"Output file, such as ${taggersFile}, which is found beside the program and in ~/.local/share/chaffinch."`
}

// Help is the long text of --help.
func (modelPackCmd) Help() string {
	return `Example:
  chaffinch model pack de.chf fr.chf -o chaffinch-taggers.chf`
}

// Run writes the file.
func (c *modelPackCmd) Run() error {
	models := map[string][]byte{}
	for _, name := range c.Models {
		b, err := archive.ReadFile(name)
		if err != nil {
			return err
		}
		m, err := tag.Parse(name, b)
		if err != nil {
			return err
		}
		lang := m.Config().Lang
		switch {
		case lang == "":
			return fmt.Errorf("%s: no language: train it with --lang", name)
		case models[lang] != nil:
			return fmt.Errorf("%s: a second tagger of the language %q: wanted one", name, lang)
		}
		models[lang] = b
	}
	return tag.SavePack(c.Out, model.Header{Name: "taggers", Tool: "chaffinch " + version}, models)
}

type modelArpaCmd struct {
	Model string `arg:"" help:"Word model file, or name of an embedded one, such as en."`
	Out   string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
}

// Run writes the ARPA file.
func (c *modelArpaCmd) Run(con *console) error {
	m, err := lm.Open(c.Model)
	if err != nil {
		return err
	}
	defer m.Close()
	return writeTo(c.Out, con, m.WriteARPA)
}
