"""Extracts the text of PDF files with other programs: python rivals.py OUT FILE.pdf...

OUT gets a folder for each program, with a text file for each PDF, and a line with its CPU seconds. The programs are only
run beside Chaffinch: PyMuPDF is AGPL, pdftotext (Poppler) GPL.
"""
import os, resource, shutil, subprocess, sys


def pymupdf(name):
    import fitz
    with fitz.open(name) as doc:
        return "\n".join(page.get_text() for page in doc)


def pypdf(name):
    import pypdf as lib
    return "\n".join(page.extract_text() for page in lib.PdfReader(name).pages)


def pdfminer(name):
    from pdfminer.high_level import extract_text
    return extract_text(name)


def pypdfium2(name):
    import pypdfium2 as lib
    doc = lib.PdfDocument(name)
    return "\n".join(page.get_textpage().get_text_range() for page in doc)


def docling_parse(name):
    from docling_parse.pdf_parser import DoclingPdfParser
    pages = DoclingPdfParser().load(name).iterate_pages()
    return "\n".join(cell.text for _, page in pages for cell in page.textline_cells)


def pdftotext(name):
    return subprocess.run(["pdftotext", name, "-"], capture_output=True, timeout=60).stdout.decode("utf-8", "replace")


def cpu():
    return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(out, *files):
    for read in pdftotext, pymupdf, pypdf, pdfminer, pypdfium2, docling_parse:
        if read is pdftotext and not shutil.which("pdftotext"):
            continue
        os.makedirs(f"{out}/{read.__name__}", exist_ok=True)
        began, failed = cpu(), 0
        for name in files:
            try:
                text = read(name)
            except Exception:  # a rival that fails has no text
                text, failed = "", failed + 1
            with open(f"{out}/{read.__name__}/{os.path.basename(name)[:-4]}.txt", "w") as f:
                f.write(text.encode("utf-8", "replace").decode())
        print(f"{read.__name__}\t{cpu() - began:.1f} CPU s\t{failed} failed", flush=True)


main(*sys.argv[1:])
