package lines

import (
	"testing"

	"chaffinch/internal/truth"
)

// TestMeasure measures single lines.
func TestMeasure(t *testing.T) {
	s := new(sheet)
	for _, c := range []struct {
		line string
		want map[string]float32
	}{
		{"moreNewsSport", map[string]float32{"glued": log1(2), "words": 0.6931472, "capitals": 0, "start-lower": 1}},
		{"The OLD Mill", map[string]float32{"glued": 0, "capitals": 1, "all-caps": 1. / 3, "upper": .5, "longest": log1(4), "word-length": 10. / 15}},
		{"a miller, a mill; a wheel", map[string]float32{"commas": 1. / 6, "short-words": .5, "longest": log1(6), "code": 1. / 20}},
		{"News (12)", map[string]float32{"end-count": 1, "end-bracket": 1, "numbers": .5, "digits": 2. / 8, "brackets": 1}},
		{"News (new)", map[string]float32{"end-count": 0, "end-bracket": 1, "numbers": 0}},
		{"- a list:", map[string]float32{"start-bullet": 1, "start-sign": 0, "end-colon": 1, "end-letter": 0}},
		{"| 17 | 4 |", map[string]float32{"start-sign": 1, "bars": log1(3), "only-numbers": 1, "start-digit": 0}},
		{"“Grind it,” she said,", map[string]float32{"start-quote": 1, "quotes": .5, "end-comma": 1}},
		{"one\ttwo\tthree", map[string]float32{"tabs": log1(2), "words": log1(3)}},
		{"$ 12.50 #mill", map[string]float32{"price": 1, "hash": 1, "date": 0, "phone": 0}},
		{"# 12", map[string]float32{"hash": 0, "price": 0}},
		{"on 2014-03-12 10:20:30", map[string]float32{"date": 1, "time": 1, "year": 1, "phone": 0}},
		{"version 1.2", map[string]float32{"date": 0, "time": 0}},
		{"Fax 040 123 45 67", map[string]float32{"phone": 1, "date": 0}},
		{"population 1234567", map[string]float32{"phone": 0}},
		{"var wheel = {\"turns\": 1};", map[string]float32{"url": 0}},
		{"【一】【二】【三】【四】【五】", map[string]float32{"words": 0}},
		{"»› next", map[string]float32{"arrows": log1(2)}},
	} {
		read(s, "en", []string{c.line})
		for name, want := range c.want {
			if got := value(t, s, 0, name); abs(got-want) > 1e-6 {
				t.Errorf("%q: %s is %v, wanted %v", c.line, name, got, want)
			}
		}
	}
	read(s, "en", []string{"var wheel = {\"turns\": 1};", "the wheel turns; it is old"})
	if code, text := value(t, s, 0, "code"), value(t, s, 1, "code"); code <= 1 || text >= .1 {
		t.Errorf("signs of program text: %v in a program, %v in a sentence", code, text)
	}
}

// TestShape reads a list between paragraphs.
func TestShape(t *testing.T) {
	s := new(sheet)
	read(s, "en", []string{
		"The mill has a wheel, a weir and a house of grey stone; all of them are old.",
		"Bread", "Flour", "Grain",
		"Since 1790 they are sold at the door, and nobody has ever gone home without one.",
	})
	for i, want := range []float32{0, 2, 2, 2, 0} {
		if got := value(t, s, i, "shape-3"); got != want/6 {
			t.Errorf("line %d: shape-3 is %v, wanted %v", i, got, want/6)
		}
		if got := value(t, s, i, "shape-8"); got != want/16 {
			t.Errorf("line %d: shape-8 is %v, wanted %v", i, got, want/16)
		}
		run := log1(3 * truth.Float32(want > 0))
		if got := value(t, s, i, "run"); got != run {
			t.Errorf("line %d: run is %v, wanted %v", i, got, run)
		}
		for name, like := range map[string]bool{"like-prev": i == 2 || i == 3, "like-next": i == 1 || i == 2} {
			if got := value(t, s, i, name); got != truth.Float32(like) {
				t.Errorf("line %d: %s is %v", i, name, got)
			}
		}
	}
}
