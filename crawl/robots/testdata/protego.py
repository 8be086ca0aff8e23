"""Prints the calls in Protego's tests and what they are to return, one a line as JSON.

protego.py FOLDER: the folder of the tests. A test is run with a parser that notes the
file and the call instead of reading it; of an assertion the call and the constant that it
is compared with are printed.
"""

import ast
import json
import pathlib
import sys
import types


class Noted:
    """What a parser returns for a call: the call itself."""

    def __init__(self, content, name, args):
        self.call = {"content": content, "call": name, "args": args}


class Parser:
    def __init__(self, content):
        self.content = content

    @classmethod
    def parse(cls, content):
        return cls(content)

    def __getattr__(self, name):
        if name in ("sitemaps", "preferred_host"):
            return Noted(self.content, name, [])
        return lambda *args: Noted(self.content, name, list(args))


def note(value, want):
    if not isinstance(value, Noted):
        return
    if isinstance(want, tuple):
        want = list(want)
    if want is not None and not isinstance(want, (bool, int, float, str)):
        return
    print(json.dumps(dict(value.call, want=want)))


class Assertions(ast.NodeTransformer):
    """Replaces assertions by calls of note."""

    def visit_Assert(self, node):
        value, want = node.test, ast.Constant(True)
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
            value, want = value.operand, ast.Constant(False)
        elif isinstance(value, ast.Compare) and len(value.ops) == 1 and isinstance(value.ops[0], (ast.Eq, ast.Is)):
            value, want = value.left, value.comparators[0]
            if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
                value, want = value.operand, ast.UnaryOp(ast.Not(), want)
        call = ast.Call(ast.Name("note", ast.Load()), [value, want], [])
        return ast.copy_location(ast.Expr(call), node)


def parametrize(names, values):
    names = [n.strip() for n in names.split(",")] if isinstance(names, str) else names

    def decorate(test):
        def each(*args, **fixed):
            for value in values:
                value = value if len(names) > 1 else [value]
                test(*args, **fixed, **dict(zip(names, value)))

        return each

    return decorate


def main():
    protego = types.ModuleType("protego")
    protego.Protego = Parser
    utils = types.ModuleType("protego._utils")
    utils._parse_time_period = lambda *_: None
    pytest = types.ModuleType("pytest")
    pytest.mark = types.SimpleNamespace(parametrize=parametrize)
    pytest.raises = None
    sys.modules.update({"protego": protego, "protego._utils": utils, "pytest": pytest})
    for name in ("test_protego.py", "test_on_google_spec.py"):
        path = pathlib.Path(sys.argv[1]) / name
        tree = ast.fix_missing_locations(Assertions().visit(ast.parse(path.read_text(encoding="utf-8"))))
        space = {"note": note, "__file__": str(path), "__name__": name}
        exec(compile(tree, str(path), "exec"), space)
        for key, value in list(space.items()):
            tests = [value()] if isinstance(value, type) and key.startswith("Test") else []
            run = [(key, value)] if callable(value) and key.startswith("test") else []
            run += [(n, getattr(t, n)) for t in tests for n in dir(t) if n.startswith("test")]
            for _, test in run:
                try:
                    test()
                except Exception as err:  # not a test of the parser alone
                    print(f"{key}: {err!r}", file=sys.stderr)


main()
