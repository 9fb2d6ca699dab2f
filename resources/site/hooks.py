"""Additional processing of the pages for MkDocs: formulas become MathML, which browsers render natively, and Markdown
that other readers accept (a list right below its sentence, an indent of two spaces) is adapted to Python's parser."""
import re

from latex2mathml.converter import convert

FORMULAS = "resources/design/engines/"
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.S | re.M)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$]+?)\$", re.S)
ITEM = re.compile(r"(- |\d+\. )")


def loosened(markdown):
    out, code, listed, ordered, apart = [], False, False, False, False  # apart: in a further paragraph of an item
    for line in markdown.split("\n"):
        if line.startswith("```"):
            code = not code
        elif not code:
            before = out[-1] if out else ""
            item = ITEM.match(line.lstrip())
            if item and before.strip() and not ordered and re.match(r"\s*(?!1\.)\d+\. ", line):
                line, item = line.replace(".", "\\.", 1), None  # a sentence that ends with a number
            if line[:1].strip() and not item and not before.strip():
                listed = ordered = False
            if item and before.strip() and (not listed or apart) or \
                    line.startswith("|") and before.strip() and not before.startswith("|"):
                out.append("")
            if item:
                listed, apart, ordered = True, False, line.lstrip()[0] != "-"
            elif not before.strip():
                apart = listed and line.startswith("  ")
            if listed and line.startswith("  ") and not line.startswith("    ") and (item or not before.strip()):
                line = "  " + line
        out.append(line)
    return "\n".join(out)


def on_page_markdown(markdown, page, **_):
    page.formulas = []

    def kept(match):
        block, inline = match.groups()
        mathml = convert(block or inline, display="block" if block else "inline")
        page.formulas.append(f'<span class="formula">{mathml}</span>' if block else mathml)
        return f"FORMULA{len(page.formulas) - 1}X"

    if page.file.src_uri.startswith(FORMULAS):
        pieces, at = [], 0
        for code in CODE.finditer(markdown):
            pieces += [FORMULA.sub(kept, markdown[at:code.start()]), code.group()]
            at = code.end()
        # A formula never holds code, so the text between two pieces of code is whole.
        markdown = "".join(pieces) + FORMULA.sub(kept, markdown[at:])
    return loosened(markdown)


def on_page_content(html, page, **_):
    return re.sub(r"FORMULA(\d+)X", lambda m: page.formulas[int(m[1])], html)
