// Names of the tags of Universal Dependencies, for completions.
const UPOS = {
  ADJ: "adjective", ADP: "preposition or postposition", ADV: "adverb", AUX: "auxiliary verb", CCONJ: "coordinating conjunction", DET: "determiner", INTJ: "interjection", NOUN: "noun", NUM: "numeral",
  PART: "particle", PRON: "pronoun", PROPN: "proper noun", PUNCT: "punctuation mark", SCONJ: "subordinating conjunction", SYM: "symbol", VERB: "verb", X: "other",
};
const LETTERS = { n: "noun", v: "verb", j: "adjective", a: "adverb", d: "pronoun", i: "preposition", c: "conjunction", m: "numeral", x: "other" };
const FEATS = {
  "Number=Sing": "singular", "Number=Plur": "plural", "Number=Dual": "dual", "Case=Nom": "nominative", "Case=Acc": "accusative", "Case=Gen": "genitive", "Case=Dat": "dative", "Case=Ins": "instrumental", "Case=Loc": "locative", "Case=Voc": "vocative",
  "Case=Par": "partitive", "Gender=Masc": "masculine", "Gender=Fem": "feminine", "Gender=Neut": "neuter", "Gender=Com": "common gender", "Tense=Past": "past", "Tense=Pres": "present", "Tense=Fut": "future", "Tense=Imp": "imperfect", "Aspect=Perf": "perfective", "Aspect=Imp": "imperfective",
  "VerbForm=Inf": "infinitive", "VerbForm=Part": "participle", "VerbForm=Ger": "gerund", "VerbForm=Fin": "finite", "Mood=Ind": "indicative", "Mood=Imp": "imperative", "Mood=Sub": "subjunctive", "Mood=Cnd": "conditional", "Voice=Pass": "passive", "Voice=Act": "active",
  "Person=1": "first person", "Person=2": "second person", "Person=3": "third person", "Degree=Pos": "positive", "Degree=Cmp": "comparative", "Degree=Sup": "superlative", "Definite=Def": "definite", "Definite=Ind": "indefinite", "Poss=Yes": "possessive", "Reflex=Yes": "reflexive", "Polarity=Neg": "negative",
};

// meaning returns the name of a tag: of the attribute pos "noun", of feats "past, participle", of
// lempos "verb", or "".
export function meaning(attr, value) {
  if (attr === "lempos") return LETTERS[value.slice(value.lastIndexOf("-") + 1)] || "";
  const names = attr === "pos" || attr === "upos" ? UPOS : attr === "feats" ? FEATS : {};
  return value.split(attr === "feats" ? "|" : "+").map(v => names[v]).filter(Boolean).join(", ");
}
