"""Runs trafilatura's assertions on extract() against chaffinch.compat.trafilatura.

    python trafilatura.py CHECKOUT [-v]

CHECKOUT is a checkout of github.com/adbar/trafilatura (Apache-2.0). Needs pytest and trafilatura's own
requirements; CHAFFINCH_PROGRAM names the program, PYTHONPATH the Python package. Counted are the assertions of
tests/unit_tests.py about text and Markdown that extract() returned. Most of its pages have a sentence or two and a
configuration without trafilatura's minimum lengths; of those that the default method drops all text is kept instead. Differences that are intended are in
trafilatura.tsv, one a line: test, number of the assertion in the test, reason. Exits with 1 if another one differs,
or one of the list no longer does.
"""

import ast
import collections
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEXT = {"txt", "markdown"}

PREAMBLE = '''
import json, os
import chaffinch
from chaffinch.compat import trafilatura as _ours
_cleaner = _ours._cleaner
def extract(html, *args, **kwargs):
    import warnings
    from lxml import etree
    if isinstance(html, etree._Element):
        html = etree.tostring(html, encoding="unicode", method="html")
    if html is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = _ours.extract(html, *args, **kwargs)
        if out is None and kwargs.get("config") is not None:
            _ours._cleaner = lambda *a: chaffinch.Cleaner(method="keep")
            try:
                out = _ours.extract(html, *args, **kwargs)
            finally:
                _ours._cleaner = _cleaner
        return out
def _check(test, number, line, ask):
    try:
        ok, why = bool(ask()), ""
    except Exception as e:
        ok, why = False, repr(e)
    with open(os.environ["SUITE_RESULTS"], "a") as f:
        f.write(json.dumps([test, number, line, ok, why]) + "\\n")
'''


def calls(node, name):
    return [n for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name]


def is_text(call):
    for k in call.keywords:
        if k.arg == "output_format":
            return isinstance(k.value, ast.Constant) and k.value.value in TEXT
        if k.arg in ("options", "as_dict") or k.arg is None:
            return False
    return True


class Rewrite(ast.NodeTransformer):
    """Replaces assertions about results of extract() by calls that record them, and drops the others."""

    def visit_FunctionDef(self, node):
        if not node.name.startswith("test"):
            return node
        self.test, self.number, self.results = node.name, 0, {}
        self.generic_visit(node)
        return node

    def visit_Assign(self, node):
        for t in node.targets:
            if isinstance(t, ast.Name):
                made = calls(node.value, "extract")
                uses = any(isinstance(n, ast.Name) and n.id in self.results for n in ast.walk(node.value)) if hasattr(self, "results") else False
                if made and all(map(is_text, made)) or not made and uses:
                    self.results[t.id] = True
                elif hasattr(self, "results"):
                    self.results.pop(t.id, None)
        return node

    def visit_Assert(self, node):
        made = calls(node.test, "extract")
        names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        if made and not all(map(is_text, made)) or not made and not names & set(self.results):
            return ast.copy_location(ast.Pass(), node)
        self.number += 1
        call = ast.Call(
            func=ast.Name("_check", ast.Load()),
            args=[ast.Constant(self.test), ast.Constant(self.number), ast.Constant(node.lineno), ast.Lambda(ast.arguments([], [], None, [], [], None, []), node.test)],
            keywords=[],
        )
        return ast.copy_location(ast.Expr(call), node)


def main():
    import json

    import pytest

    checkout, verbose = os.path.abspath(sys.argv[1]), "-v" in sys.argv
    source = open(os.path.join(checkout, "tests", "unit_tests.py"), encoding="utf-8").read()
    tree = ast.fix_missing_locations(Rewrite().visit(ast.parse(source)))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(checkout, "tests", "unit_tests_of_chaffinch.py")
        os.environ["SUITE_RESULTS"] = results = os.path.join(work, "results")
        open(results, "w").close()
        with open(path, "w", encoding="utf-8") as f:
            f.write(ast.unparse(tree) + PREAMBLE)
        sys.path.insert(0, checkout)
        try:
            pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", "--no-summary", "--tb=no", "-o", "addopts=", path] + ([] if verbose else ["-qq"]))
        finally:
            os.remove(path)
        outcomes = collections.OrderedDict()
        for line in open(results, encoding="utf-8"):
            test, number, at, ok, why = json.loads(line)
            old = outcomes.get((test, number), (True, at, ""))
            outcomes[test, number] = (old[0] and ok, at, old[2] or why)
    intended = {}
    table = os.path.join(HERE, "trafilatura.tsv")
    for line in open(table, encoding="utf-8"):
        test, number, reason = line.rstrip("\n").split("\t")
        intended[test, int(number)] = reason
    differ = {k: v for k, v in outcomes.items() if not v[0]}
    bad = 0
    for key, (_, at, why) in differ.items():
        if key not in intended:
            bad += 1
            print(f"differs: {key[0]} {key[1]}, line {at} {why}")
        elif verbose:
            print(f"intended: {key[0]} {key[1]}, line {at}: {intended[key]}")
    for key in intended.keys() - differ.keys():
        bad += 1
        print(f"no longer differs: {key[0]} {key[1]}: take it off trafilatura.tsv")
    print(f"{len(outcomes)} assertions, {len(differ)} differ, {len(differ) - sum(k not in intended for k in differ)} of them intended")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
