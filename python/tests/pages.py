"""Pages for the tests, written for them."""

SENTENCES = (
    "The ferry to the island leaves at nine in the morning, when the tide is high enough for it.",
    "Whoever wants to reach the mainland in the evening has to ask the keeper of the light for the last boat.",
    "In winter the crossing takes an hour longer, because the boat has to go around the ice in the sound.",
)

ARTICLE = (
    "<!doctype html><html lang=en><head><title>The ferry</title><meta name=author content='Nora Lindqvist'></head><body>"
    "<nav><a href=/>Home</a> <a href=/boats>Boats</a></nav><article><h1>The ferry that came back</h1>"
    + "".join(f"<p>{s}</p>" for s in SENTENCES)
    + "</article><footer><a href=/imprint>Imprint</a></footer></body></html>"
).encode()


def numbered(n: int) -> bytes:
    """Return a page whose text holds its number."""
    return f"<html><body><p>Boat number {n} leaves the harbour at nine in the morning, and it comes back at six.</p></body></html>".encode()
