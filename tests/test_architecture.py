"""The promises of the code itself: who may import whom, how long things are, what is documented."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

PACKAGES = ("engine", "vision", "datasets", "models", "service")

ARROWS: dict[str, tuple[str, ...]] = {
    "engine": (),
    "vision": ("engine.tokens",),
    "datasets": ("engine.tokens", "vision.types", "vision.geometry", "vision.measure"),
    "models": ("datasets", "vision"),
    "service": ("engine", "vision"),
}
"""What each package may import of the others: a package, or one module of it. An arrow not here is forbidden."""

PARTS: dict[str, tuple[str, ...]] = {
    "api": ("hub", "live", "store", "workers"),
    "api_page": (),
    "hub": ("live", "store", "workers"),
    "live": (),
    "store": (),
    "workers": (),
}
"""What each folder of the service may know of the others, also through modules that are in none of them."""

THIRD_PARTY: dict[str, tuple[str, ...]] = {
    "engine": (),
    "vision": ("PIL", "cv2", "numpy", "onnxruntime", "pillow_heif", "simplejpeg"),
    "datasets": ("cv2", "numpy", "rich"),
    "models": ("cv2", "numpy", "onnx", "onnxruntime", "onnxscript", "rich", "sklearn", "torch", "tqdm"),
    "service": (
        "alembic",
        "anyio",
        "cryptography",
        "cv2",
        "fastapi",
        "ifaddr",
        "numpy",
        "pebble",
        "platformdirs",
        "prometheus_client",
        "pydantic",
        "rich",
        "segno",
        "sqlalchemy",
        "starlette",
        "structlog",
        "typer",
        "uvicorn",
    ),
}
"""What each package may import from elsewhere; the standard library goes without saying."""

LAZY = ("pillow_heif",)
"""Slow to load or rarely needed: vision imports these inside functions only."""

MOST_LINES = 500
MOST_FUNCTION_LINES = 80
MOST_ONNX_BYTES = 8_000_000

STATIC = ROOT / "service" / "static"
PAGE_SUFFIXES = (".css", ".html", ".js", ".json", ".svg", ".webmanifest")
MOST_PAGE_LINES = 400

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources(*folders: str) -> list[Path]:
    """Every Python file of ours below these folders, with the path from the root."""
    found = (path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if "node_modules" not in path.parts)


def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))


def absolute(node: ast.ImportFrom, path: Path) -> str:
    """The full name of the module that ``node`` imports from."""
    if not node.level:
        return node.module or ""
    base = path.parent.parts[: len(path.parent.parts) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def imports_in(tree: ast.AST, path: Path) -> Iterator[tuple[str, int]]:
    """Dotted name and line of everything imported, wherever the import stands.

    ``from vision import load`` counts as ``vision.load`` when that is a module, and so does ``import vision.load``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, path)
            for alias in node.names:
                deeper = ROOT / Path(*module.split("."), alias.name)
                is_module = deeper.with_suffix(".py").exists() or deeper.is_dir()
                yield (f"{module}.{alias.name}" if is_module else module), node.lineno


def allowed(package: str, name: str) -> bool:
    """Whether ``package`` may import the dotted ``name``."""
    top = name.split(".")[0]
    if top in PACKAGES:
        return top == package or any(name == arrow or name.startswith(f"{arrow}.") for arrow in ARROWS[package])
    return top in sys.stdlib_module_names or top in THIRD_PARTY[package]


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_follow_the_arrows(package: str) -> None:
    wrong = [
        f"{path}:{line} imports {name}"
        for path in sources(package)
        for name, line in imports_in(tree_of(path), path)
        if not allowed(package, name)
    ]
    assert not wrong, "\n".join(dict.fromkeys(wrong))


def parts_known(part: str) -> dict[str, Path]:
    """The other folders of the service that one of them imports, and in which file: its own, or one in no folder."""
    waiting, seen, found = sources(f"service/{part}"), set[Path](), dict[str, Path]()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for name, _ in imports_in(tree_of(path), path):
            package, _, module = name.partition(".")
            top = module.partition(".")[0]
            file = Path(package, f"{top}.py")
            if package == "service" and top in PARTS and top != part:
                found[top] = path
            elif package == "service" and top not in PARTS and file not in seen and (ROOT / file).exists():
                waiting.append(file)
    return found


@pytest.mark.parametrize("part", PARTS)
def test_folders_of_the_service_follow_their_arrows(part: str) -> None:
    wrong = {known: path for known, path in parts_known(part).items() if known not in PARTS[part]}
    assert not wrong, wrong


@pytest.mark.parametrize("part", ["hub", "live", "store", "workers"])
def test_what_lies_below_the_api_knows_nothing_of_http(part: str) -> None:
    tops = {
        name.partition(".")[0] for path in sources(f"service/{part}") for name, _ in imports_in(tree_of(path), path)
    }
    assert not tops & {"fastapi", "starlette", "uvicorn"}


def test_the_folders_of_the_service_are_known() -> None:
    assert {path.parts[1] for path in sources("service") if len(path.parts) > 2} == set(PARTS)
    assert set(parts_known("hub")) == set(PARTS["hub"])


@pytest.mark.parametrize(
    ("package", "name", "fine"),
    [
        ("engine", "vision.types", False),
        ("engine", "numpy", False),
        ("engine", "engine.tokens", True),
        ("vision", "engine.tokens", True),
        ("vision", "engine.sets", False),
        ("vision", "engine", False),
        ("vision", "models", False),
        ("datasets", "vision.types", True),
        ("datasets", "vision.reader", False),
        ("models", "vision.pixels", True),
        ("models", "engine.tokens", False),
        ("models", "service.cli", False),
        ("service", "models", False),
        ("service", "torch", False),
        ("service", "json", True),
    ],
)
def test_the_rule_itself_can_fail(package: str, name: str, fine: bool) -> None:
    assert allowed(package, name) is fine


def test_imports_are_found_wherever_they_stand() -> None:
    code = (
        "import a.b\ndef f():\n    from vision import load, nothing\n    from . import types\n    from .load import x\n"
    )
    found = list(imports_in(ast.parse(code), Path("vision/reader.py")))
    assert found == [("a.b", 1), ("vision.load", 3), ("vision", 3), ("vision.types", 4), ("vision.load", 5)]


def test_slow_libraries_are_loaded_when_needed() -> None:
    wrong = []
    for path in sources("vision"):
        top = ast.Module([node for node in tree_of(path).body if not isinstance(node, Function | ast.ClassDef)], [])
        wrong += [f"{path}:{line} imports {name}" for name, line in imports_in(top, path) if name.split(".")[0] in LAZY]
    assert not wrong, "\n".join(wrong)


def functions(path: Path) -> Iterator[Function]:
    """Every function and method of a file."""
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, Function))


def test_files_and_functions_stay_short() -> None:
    wrong = []
    for path in sources(*PACKAGES):
        lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
        wrong += [f"{path} has {lines} lines"] if lines > MOST_LINES else []
        for node in functions(path):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            wrong += [f"{path}:{node.lineno} {node.name} has {length} lines"] if length > MOST_FUNCTION_LINES else []
    assert not wrong, "\n".join(wrong)


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Public functions, classes and their public methods, with their dotted names."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{prefix}{node.name}.")


def is_overload(node: Function | ast.ClassDef) -> bool:
    """Whether a definition only states one of several signatures."""
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)


def test_everything_public_is_documented() -> None:
    wrong = [f"{path} has no docstring" for path in sources(*PACKAGES, "tests") if not ast.get_docstring(tree_of(path))]
    for path in sources(*PACKAGES):
        for name, node in public(tree_of(path).body):
            if not ast.get_docstring(node) and not is_overload(node):
                wrong.append(f"{path}:{node.lineno} {name} has no docstring")
    assert not wrong, "\n".join(wrong)


def test_libraries_do_not_print() -> None:
    wrong = [
        f"{path}:{node.lineno}"
        for path in sources("engine", "vision", "service")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not wrong, "\n".join(wrong)


def test_the_shipped_models_are_small() -> None:
    assert sum(path.stat().st_size for path in (ROOT / "models").rglob("*.onnx")) <= MOST_ONNX_BYTES


def page_files() -> list[Path]:
    """Every text file of the page."""
    return sorted(path for path in STATIC.rglob("*") if path.suffix in PAGE_SUFFIXES)


DANGEROUS: dict[str, str] = {
    "text from outside could be markup": r"(?:inner|outer)HTML|insertAdjacentHTML|document\.write",
    "text could be code": r"\beval\(|new Function\(|set(?:Timeout|Interval)\([\"'`]",
    "it could be a request to elsewhere": r"(?:https?|wss?)://(?!www\.w3\.org/)[^\s$`\"'/{<]|[\"'(=]//[\w-]+\.\w",
    "the policy forbids it": r"\bstyle=|setAttribute\([\"']style|<script>|<style|\s(?<!\.)on[a-z]+=[\"']",
}
"""What no file of the page may hold."""


@pytest.mark.parametrize("why", DANGEROUS)
def test_the_page_has_nothing_dangerous(why: str) -> None:
    lines = [(path, n, line) for path in page_files() for n, line in enumerate(path.read_text("utf-8").split("\n"), 1)]
    wrong = [f"{path}:{n}: {why}: {line.strip()}" for path, n, line in lines if re.search(DANGEROUS[why], line)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("line", "whys"),
    [
        ("view.innerHTML = name;", ["text from outside could be markup"]),
        ('setTimeout("show()", 5);', ["text could be code"]),
        ('<script src="https://elsewhere.example/x.js"></script>', ["it could be a request to elsewhere"]),
        ("@import url(//elsewhere.example/x.css);", ["it could be a request to elsewhere"]),
        ('<p style="color: red" onclick="show()">', ["the policy forbids it"]),
        ('const NAMES = "http://www.w3.org/2000/svg"; // see there', []),
        ("const socket = new WebSocket(`wss://${location.host}/`);", []),
    ],
)
def test_what_is_dangerous_is_recognised(line: str, whys: list[str]) -> None:
    assert [why for why, pattern in DANGEROUS.items() if re.search(pattern, line)] == whys


def test_the_files_of_the_page_stay_short() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in page_files()}
    assert len(lines) > 3
    assert not {str(path): count for path, count in lines.items() if count > MOST_PAGE_LINES}
