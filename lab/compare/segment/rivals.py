"""F measure of words of jieba, MeCab with UniDic and PyThaiNLP (newmm) on treebanks in CoNLL-U:

    python3 lab/compare/segment/rivals.py FOLDER

A word is right if both of its ends are, white space left out, as in "chaffinch eval token FOLDER".
requirements.txt beside this file names the packages.
"""
import pathlib
import sys


def sentences(path):
    """Yields the words of each sentence, each with whether a blank follows."""
    words = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        columns = line.split("\t")
        if not line and words:
            yield words
            words = []
        elif columns[0].isdigit():
            words.append((columns[1], "SpaceAfter=No" not in columns[9]))
    if words:
        yield words


def spans(words):
    at, found = 0, set()
    for word in words:
        word = "".join(word.split())
        if word:
            found.add((at, at + len(word)))
            at += len(word)
    return found


def score(path, cut):
    gold = found = hits = 0
    for words in sentences(path):
        text = "".join(word + (" " if space else "") for word, space in words)
        right, ours = spans(word for word, _ in words), spans(cut(text))
        gold, found, hits = gold + len(right), found + len(ours), hits + len(right & ours)
    return 200 * hits / (gold + found)


def rival(language):
    if language == "zh":
        import jieba

        jieba.setLogLevel("ERROR")
        return "jieba", jieba.lcut
    if language == "ja":
        import fugashi

        tagger = fugashi.Tagger()
        return "MeCab, unidic-lite", lambda text: [word.surface for word in tagger(text)]
    if language == "th":
        from pythainlp.tokenize import word_tokenize

        return "newmm", lambda text: word_tokenize(text, engine="newmm")
    return None, None


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.conllu")):
    name, cut = rival(path.name[:2])
    if cut:
        print(f"{path.name}\t{name}\t{score(path, cut):.2f}", flush=True)
