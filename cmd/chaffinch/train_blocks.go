package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"chaffinch/clean/blocks"
	"chaffinch/internal/archive"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	trainblocks "chaffinch/lab/train/blocks"
	"chaffinch/model"
)

type trainBlocksCmd struct {
	Sets []string `arg:"" name:"set" help:"Pages with their gold text: SET[=POLICY]. SET is a folder or archive in the data folder, or a path, in the layout of lab/results/data.md. POLICY is what the gold text holds: text (all content), main (main content of any page), article (the article alone), running (running text). Default: the policy recorded for the set, else article."`
	Data string   `default:"../shared/data" placeholder:"DIR" help:"The data folder; sets are in its folder eval."`
	Out  string   `short:"o" placeholder:"FILE" help:"Model file to write."`

	Roles []string `placeholder:"FILE" help:"Annotated roles of blocks of the pages, in tables such as lab/eval/roles/dev.tsv. Without them roles are learned, less accurately, from markup and from the text that the sets keep."`

	Adapt  string `placeholder:"MODEL" help:"Adapt a model (a file or \"embedded\") to its errors on the pages; 30 of your own pages are enough."`
	Config string `placeholder:"{JSON}" help:"Training settings that differ from the defaults."`
	Seed   uint64 `default:"1" placeholder:"N" help:"Seed of the samples: the same seed and pages give the same bytes."`
	Jobs   int    `short:"j" placeholder:"N" help:"Cores to use. Default: all. Does not change the model."`

	IDs     string `name:"ids" placeholder:"FILE" help:"Use only the pages listed in the file, by ID or SET/ID."`
	Exclude string `placeholder:"FILE" help:"Skip the pages listed in the file."`

	CrossValidate int `placeholder:"K" help:"Also run a K-fold cross-validation by site; the figures are printed and stored in the model card."`

	Name  string `default:"blocks" placeholder:"NAME" help:"Name of the model in its header. Default: ${default}."`
	About string `was:"card" placeholder:"TEXT" help:"Description of the pages, for the model card."`
}

// Help is the long text of --help.
func (trainBlocksCmd) Help() string {
	return `Examples:
  chaffinch train blocks mypages/=main -o my.chf
  chaffinch train blocks mypages/=main --adapt embedded -o my.chf --cross-validate 5
  chaffinch train blocks cleaneval-en-dev wcxb-dev dragnet --cross-validate 5
  chaffinch clean --config '{"model":"my.chf"}' page.html`
}

// blocksCard is the model card in the header of the file.
type blocksCard struct {
	About string       `json:"about,omitempty"`
	Data  []blocksData `json:"data"`
	// Base is the card of the model that was adapted.
	Base json.RawMessage `json:"adapted_from,omitempty"`
	// Pages is the number of pages learned from.
	Pages int          `json:"pages"`
	Cross *cardFigures `json:"cross_validation,omitempty"`
}

// blocksData is a set in the card, without its path.
type blocksData struct {
	Name    string `json:"name"`
	Policy  string `json:"policy"`
	Licence string `json:"licence,omitempty"`
	Pages   int    `json:"pages"`
	SHA256  string `json:"sha256"`
}

// cardFigures holds the figures of the cross-validation, in percent.
type cardFigures struct {
	Folds   int                           `json:"folds"`
	By      string                        `json:"by"`
	Figures map[string]map[string]float64 `json:"figures"`
}

// carded are the figures that the model card shows.
var carded = []string{"lev", "w_f", "sh_f", "bw_f", "com_f"}

// saver is implemented by trained methods that can be written to a file.
type saver interface {
	Save(path string, h model.Header) error
}

// Run trains and writes the model.
func (c *trainBlocksCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	if c.Out == "" && c.CrossValidate == 0 {
		return errors.New("no output: give -o FILE or --cross-validate K")
	}
	sets, err := c.open(con)
	if err != nil {
		return err
	}
	learner, err := c.learner()
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(tightGC))
	steps := startSteps(con)
	defer steps.stop()
	pages, err := collectPages(ctx, sets, "", gold.CollectConfig{Workers: c.Jobs}, steps)
	if err != nil {
		return err
	}
	if err := addRoles(pages, c.Roles, steps.errors); err != nil {
		return err
	}
	trainer, err := learner.Prepare(ctx, pages.Items, steps.show)
	if err != nil {
		return err
	}
	card := blocksCard{About: c.About}
	if learner.Base != nil {
		card.Base = learner.Base.Card()
	}
	if c.CrossValidate > 0 {
		if card.Cross, err = c.crossValidate(ctx, con, steps, sets, pages, trainer); err != nil {
			return err
		}
	}
	if c.Out == "" {
		return nil
	}
	use, sum := card.add(pages)
	if len(use) == 0 {
		return errors.New("no pages to learn from: wanted html/ID.html with matching gold/ID.txt")
	}
	trained, err := trainer.Train(ctx, use, steps.show)
	if err != nil {
		return err
	}
	return c.save(con, learner, trained, card, sum)
}

// addRoles gives the pages of a collection the roles of tables.
func addRoles(c *gold.Collection, tables []string, errors io.Writer) error {
	for _, path := range tables {
		roles, err := gold.ReadRolePages(path)
		if err != nil {
			return err
		}
		n, err := c.Annotate(roles)
		if err != nil {
			return fmt.Errorf("--roles %s: %w", path, err)
		}
		if n < len(roles) {
			fmt.Fprintf(errors, "chaffinch: %s: %d of %s are in the sets\n", path, n, count(int64(len(roles)), "annotated page"))
		}
	}
	return nil
}

// open reads the sets.
func (c *trainBlocksCmd) open(con *console) ([]*evalclean.Set, error) {
	var sets []*evalclean.Set
	var of []*gold.Set
	for _, name := range c.Sets {
		name, policy, named := strings.Cut(name, "=")
		s, err := evalclean.Open(c.Data, name)
		if err != nil {
			return nil, err
		}
		if named {
			if err := s.Follow(policy); err != nil {
				return nil, err
			}
		}
		sets, of = append(sets, s), append(of, s.Set)
	}
	for _, f := range []struct {
		path string
		keep bool
	}{{c.IDs, true}, {c.Exclude, false}} {
		if f.path == "" {
			continue
		}
		b, err := archive.ReadFile(f.path)
		if err != nil {
			return nil, err
		}
		if unknown := gold.Select(of, strings.Fields(string(b)), f.keep); len(unknown) > 0 {
			fmt.Fprintf(con.err, "chaffinch: %s: %s of no set, first %s\n", f.path, count(int64(len(unknown)), "id"), unknown[0])
		}
	}
	for _, s := range sets {
		s.Refresh()
	}
	return sets, nil
}

// learner returns the method with the settings of the flags.
func (c *trainBlocksCmd) learner() (train.Blocks, error) {
	l := train.Blocks{TrainConfig: trainblocks.DefaultTrain, AdaptConfig: trainblocks.DefaultAdapt}
	var to any = &l.TrainConfig
	if c.Adapt != "" {
		to = &l.AdaptConfig
		var err error
		if l.Base, err = blocks.Load(c.Adapt); err != nil {
			return l, err
		}
	}
	if err := applyConfig(c.Config, to); err != nil {
		return l, err
	}
	l.TrainConfig.Trees.Seed, l.TrainConfig.Workers = c.Seed, c.Jobs
	l.AdaptConfig.Trees.Seed, l.AdaptConfig.Workers = c.Seed, c.Jobs
	return l, nil
}

// crossValidate prints the figures on pages that the model has not seen.
func (c *trainBlocksCmd) crossValidate(ctx context.Context, con *console, steps steps, sets []*evalclean.Set, pages *gold.Collection, t train.Trainer) (*cardFigures, error) {
	outputs, err := evalclean.CrossValidate(ctx, pages, "blocks", prepared{t}, evalclean.Cross{Folds: c.CrossValidate, By: "site", Workers: c.Jobs, Progress: steps.show})
	if err != nil {
		return nil, err
	}
	out := &cardFigures{c.CrossValidate, "site", map[string]map[string]float64{}}
	for i, s := range sets {
		r, err := evalclean.Measure(ctx, s, outputs[i], evalclean.Config{Workers: c.Jobs})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(con.out, "%s: %s, policy %s, figures in percent\n", s.Name, count(int64(len(s.Pages)), "page"), s.Policy)
		if err := evalclean.WriteTable(con.out, []*evalclean.Result{r}, false); err != nil {
			return nil, err
		}
		figures := map[string]float64{}
		for _, name := range carded {
			if v, ok := r.Values[name]; ok {
				figures[name] = float64(int(float64(1e4*v.Value)+.5)) / 100
			}
		}
		out.Figures[s.Name] = figures
	}
	fmt.Fprintf(con.out, "note: %s\n", outputs[0].Notes[0])
	return out, nil
}

// prepared is a method that was prepared already.
type prepared struct{ train.Trainer }

// Prepare returns the trainer.
func (p prepared) Prepare(context.Context, []*gold.Item, func(step string, done, total int)) (train.Trainer, error) {
	return p.Trainer, nil
}

// add lists the sets in the card. It returns the indexes of the training pages, and the
// SHA-256 of the sets with their policies and training pages.
func (card *blocksCard) add(pages *gold.Collection) (use []int, sum string) {
	h := sha256.New()
	count := map[*gold.Set]int{}
	for i, it := range pages.Items {
		if it.Gold.Fits(it.Set.Name) {
			use = append(use, i)
			count[it.Set]++
			fmt.Fprintf(h, "%s %q\n", it.Set.Name, it.Gold.ID)
		}
	}
	for _, s := range pages.Sets {
		card.Data = append(card.Data, blocksData{s.Name, s.Policy, gold.ConventionOf(s.Name).Licence, count[s], s.SHA256})
		fmt.Fprintf(h, "%s %s %s\n", s.Name, s.Policy, s.SHA256)
	}
	card.Pages = len(use)
	return use, hex.EncodeToString(h.Sum(nil))
}

// save writes the model with its card.
func (c *trainBlocksCmd) save(con *console, l train.Blocks, trained train.Trained, card blocksCard, dataSum string) error {
	m, ok := trained.(saver)
	if !ok {
		return fmt.Errorf("%T cannot be written to a file", trained)
	}
	b, err := json.Marshal(card)
	if err != nil {
		return err
	}
	var used any = l.TrainConfig
	if l.Base != nil {
		used = l.AdaptConfig
	}
	cfg, err := json.Marshal(used)
	if err != nil {
		return err
	}
	if err := m.Save(c.Out, model.Header{Name: c.Name, Config: cfg, DataSHA256: dataSum, Tool: "chaffinch " + version, Card: b}); err != nil {
		return err
	}
	st, err := os.Stat(c.Out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "%s of %s: %s, %d bytes\n", count(int64(card.Pages), "page"), count(int64(len(card.Data)), "set"), c.Out, st.Size())
	return err
}
