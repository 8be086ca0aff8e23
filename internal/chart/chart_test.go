package chart

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
)

// TestImage: the output is XML for any words.
func TestImage(t *testing.T) {
	const evil = `"><script>'&]]>`
	for _, m := range []*Image{New(evil, 100, 50, "class", evil), New("", 1, 1), NewFile(evil, 100, 50)} {
		m.Line(0, 1.25, 2, 3, "class", evil)
		m.Rect(0, 0, 1, 1, "fill", "")
		m.Circle(1, 2, 3, evil)
		m.Curve([]Point{{1, 2}}, "")
		m.Curve([]Point{{1, 2}, {3.14159, 4}}, evil)
		m.Curve(nil, "")
		m.Bend(Point{0, 0}, Point{10, 10}, evil)
		m.Shape(Point{1, 2}, 9, evil, "fill", "red")
		m.RotatedText(1, 2, -90, evil)
		m.Grid(Scale{From: 0, To: 1, Start: 10, End: 90}, Scale{From: 1, To: 100, Start: 90, End: 10, Log: true}, []Tick{{0.5, evil}}, []Tick{{10, "10"}}, evil, evil)
		d := xml.NewDecoder(strings.NewReader(m.String()))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v in %s", err, m)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
				t.Fatalf("words are markup in %s", m)
			}
		}
		for _, want := range []string{`y1="1.2"`, `d="M1 2h0"`, `d="M1 2L3.1 4"`, `x1="50" y1="10" x2="50" y2="90"`, `x1="10" y1="50" x2="90" y2="50"`} {
			if !strings.Contains(m.String(), want) {
				t.Errorf("no %s in %s", want, m)
			}
		}
	}
}

func TestScale(t *testing.T) {
	s := Scale{Start: 0, End: 100, Log: true}
	if s.Include(0); !s.Empty() {
		t.Error("0 has no place on a logarithmic scale")
	}
	s.Include(10)
	s.Include(1000)
	for v, want := range map[float64]float64{100: 50, 10: 100 * 0.1 / 2.2, 1000: 100 * 2.1 / 2.2} {
		if got := s.At(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v is at %v, want %v", v, got, want)
		}
	}
}

// TestRoom: no two names overlap, and none leaves the frame.
func TestRoom(t *testing.T) {
	r := Placer{Right: 100, Bottom: 60}
	placed := 0
	for i := range 50 {
		if _, _, ok := r.Place(50, float64(i), "word", 10); ok {
			placed++
		}
	}
	if placed < 3 || placed > 20 || len(r.taken) != placed {
		t.Errorf("%d names found room", placed)
	}
	for i, a := range r.taken {
		if a[0] < 0 || a[2] > 100 || a[1] < 0 || a[3] > 60 {
			t.Errorf("box %v is out of the frame", a)
		}
		for _, b := range r.taken[:i] {
			if a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3] {
				t.Errorf("boxes %v and %v overlap", a, b)
			}
		}
	}
}

func TestStep(t *testing.T) {
	for to, want := range map[float64]float64{0: 1, 5: 1, 7: 2, 12: 5, 45: 10, 1000: 200, .3: .1, 99: 20} {
		if got := Step(to, 5); math.Abs(got-want) > 1e-9 {
			t.Errorf("up to %v: ticks %v apart, want %v", to, got, want)
		}
	}
}
