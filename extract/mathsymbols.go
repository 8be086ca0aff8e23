package extract

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// variants maps values of mathvariant to commands.
var variants = map[string]string{"bold": `\mathbf`, "bold-italic": `\boldsymbol`, "double-struck": `\mathbb`, "script": `\mathcal`, "fraktur": `\mathfrak`,
	"sans-serif": `\mathsf`, "monospace": `\mathtt`}

// texSymbols maps symbols to their commands in TeX, and minus signs to the hyphen.
var texSymbols = func() map[rune]string {
	m := map[rune]string{'−': "-", '\u00a0': "~"}
	pairs := strings.Fields(`
		α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi
		π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega
		Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
		∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⋁ bigvee ⋀ bigwedge
		± pm ∓ mp × times ÷ div ⋅ cdot ∗ ast ⋆ star ∘ circ ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ∪ cup ∩ cap ∨ vee ∧ wedge ∖ setminus
		≤ leq ≥ geq ≠ neq ≪ ll ≫ gg ≡ equiv ≈ approx ∼ sim ≃ simeq ≅ cong ∝ propto ∣ mid ∥ parallel ⊥ perp ≺ prec ≻ succ
		∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∅ emptyset ∀ forall ∃ exists ¬ neg ⊢ vdash ⊨ models
		→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow ↑ uparrow ↓ downarrow
		∞ infty ∂ partial ∇ nabla ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph … ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ∠ angle △ triangle
		⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ |`)
	for i := 0; i < len(pairs); i += 2 {
		m[[]rune(pairs[i])[0]] = `\` + pairs[i+1]
	}
	return m
}()

// plainLetter returns the letter or digit of a mathematical alphanumeric symbol such as U+1D465, an
// italic x, or r if it is no such symbol.
func plainLetter(r rune) rune {
	if r < 0x1d400 || r > 0x1d7ff {
		return r
	}
	for _, plain := range norm.NFKC.String(string(r)) {
		return plain
	}
	return r
}
