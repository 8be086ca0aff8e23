// Command pdfroles trains and evaluates the model of roles of PDF paragraphs:
//
//	go run ./lab/eval/pdfroles -pdf FOLDER -train lab/eval/pdfroles/train.tsv -o model/data/pdfroles.chf
//	go run ./lab/eval/pdfroles -pdf FOLDER -test lab/eval/pdfroles/test.tsv
//
// FOLDER holds the documents of sources.tsv, each named SHA256.pdf. With -cross N, the training
// documents are evaluated N-fold by publisher.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"chaffinch/format/pdf"
	"chaffinch/format/pdf/roles"
	"chaffinch/format/pdf/worker"
	"chaffinch/lab/train/pdfroles"
)

func main() {
	worker.Main()
	c := command{cfg: pdfroles.Default}
	flag.StringVar(&c.pdf, "pdf", "", "folder of the documents")
	flag.StringVar(&c.train, "train", "", "annotations to train on")
	flag.StringVar(&c.test, "test", "", "annotations to evaluate on")
	flag.StringVar(&c.second, "second", "", "second annotations of some of the test documents")
	flag.StringVar(&c.out, "o", "", "file of the trained model")
	flag.StringVar(&c.model, "model", "", "file of the model to evaluate (default: the embedded one)")
	flag.IntVar(&c.cross, "cross", 0, "folds of cross-validation on the training documents")
	config := flag.String("config", "", "settings of the training as JSON")
	flag.Parse()
	if *config != "" {
		if err := json.Unmarshal([]byte(*config), &c.cfg); err != nil {
			fmt.Fprintln(os.Stderr, "pdfroles: -config:", err)
			os.Exit(2)
		}
	}
	if c.pdf == "" || c.train == "" && c.test == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := c.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pdfroles:", err)
		os.Exit(1)
	}
}

type command struct {
	pdf, train, test, second, out, model string
	cross                                int
	cfg                                  pdfroles.Config
}

func (c *command) load(ctx context.Context, w io.Writer, r *pdf.Reader, name string) ([]*pdfroles.Doc, error) {
	docs, err := pdfroles.Read(name)
	if err != nil {
		return nil, err
	}
	missing, err := pdfroles.Load(ctx, r, c.pdf, docs)
	if missing > 0 {
		fmt.Fprintf(w, "%s: %d paragraphs are not found any more\n", name, missing)
	}
	return docs, err
}

func (c *command) run(ctx context.Context, w io.Writer) error {
	r := &pdf.Reader{}
	defer r.Close()
	var m *roles.Model
	var err error
	if c.train != "" {
		docs, err := c.load(ctx, w, r, c.train)
		if err != nil {
			return err
		}
		if c.cross > 0 {
			return c.crossValidate(ctx, w, docs)
		}
		if m, err = pdfroles.Train(ctx, c.cfg, docs); err != nil {
			return err
		}
		if c.out != "" {
			if err := pdfroles.Save(c.out, m, docs, c.cfg); err != nil {
				return err
			}
		}
	}
	if c.test == "" {
		return nil
	}
	switch {
	case m != nil:
	case c.model != "":
		m, err = roles.Open(c.model)
	default:
		m, err = roles.Embedded()
	}
	if err != nil {
		return err
	}
	docs, err := c.load(ctx, w, r, c.test)
	if err != nil {
		return err
	}
	outcomes := evaluate(docs, m)
	report(w, outcomes)
	if c.second != "" {
		second, err := pdfroles.Read(c.second)
		if err != nil {
			return err
		}
		return reportSecond(w, docs, second)
	}
	return nil
}

// crossValidate evaluates the documents of each fold of publishers with a model of the others.
func (c *command) crossValidate(ctx context.Context, w io.Writer, docs []*pdfroles.Doc) error {
	var outcomes []*outcome
	for k := range c.cross {
		var train, held []*pdfroles.Doc
		for _, d := range docs {
			if foldOf(d.Owner, c.cross) == k {
				held = append(held, d)
			} else {
				train = append(train, d)
			}
		}
		m, err := pdfroles.Train(ctx, c.cfg, train)
		if err != nil {
			return err
		}
		outcomes = append(outcomes, evaluate(held, m)...)
	}
	report(w, outcomes)
	return nil
}
