"""Cognitive complexity (G. A. Campbell, SonarSource 2018) of C++ and CUDA functions, as clang-tidy's
readability-function-cognitive-complexity counts it, but by tokens, without compiling: kernels are counted, too, and a
few functions differ by one or two. The text must be formatted by clang-format and free of comments, strings and
directives."""
import re

TOKEN = re.compile(r'\n|[A-Za-z_]\w*| && | \|\| |(?<= )&&(?=\n)|(?<= )\|\|(?=\n)|->|::|[0-9][\w.\']*|[^\s\w]')
ENDS = {',', ';', '?', ':', '=', 'return'}  # what separates conditions within brackets


class Reader:
    """Reads statements and adds up their complexity."""

    def __init__(self, text):
        text = re.sub(r'__launch_bounds__\([^()]*(?:\([^()]*\))?[^()]*\)', '', text)
        self.tokens, self.lines, line = [], [], 1
        for found in TOKEN.finditer(text):
            if found[0] == '\n':
                line += 1
            else:
                self.tokens.append(found[0].strip())
                self.lines.append(line)
        self.at = 0

    def now(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def expression(self, nesting, until):
        """Reads up to one of `until`, which is read as well unless it ends a block."""
        score, ternaries, ors, ands = 0, 0, False, False
        while self.at < len(self.tokens):
            token, before = self.now(), self.tokens[self.at - 1]
            if token in ENDS or token in until or token == '||':
                score += ands
                ands = False
            if token in ENDS or token in until:
                score += ors
                ors = False
            if token in {',', ';', '='}:
                ternaries = 0
            if token in until:
                self.at += token != '}'
                return score
            self.at += 1
            if token == '?':
                score += 1 + nesting + ternaries
                ternaries += 1
            ors, ands = ors or token == '||', ands or token == '&&'
            if token in '([':
                score += self.expression(nesting + ternaries, {')', ']'})
            elif token == '{':
                isLambda = before in {')', ']', 'mutable', 'noexcept'} or self.tokens[self.at - 3] == '->'
                score += self.block(nesting + ternaries + isLambda)
        return score

    def block(self, nesting):
        score = 0
        while self.at < len(self.tokens) and self.now() != '}':
            score += self.statement(nesting)
        self.at += 1
        return score

    def condition(self, nesting):
        while self.now() != '(':
            self.at += 1
        self.at += 1
        return self.expression(nesting, {')'})

    def statement(self, nesting, isElse=False):
        word = self.now()
        if word == '{':
            self.at += 1
            return self.block(nesting)
        if word == 'if':
            score = (1 if isElse else 1 + nesting) + self.condition(nesting) + self.statement(nesting + 1)
            if self.now() != 'else':
                return score
            self.at += 1
            if self.now() == 'if':
                return score + self.statement(nesting, True)
            return score + 1 + self.statement(nesting + 1)
        if word in {'for', 'while', 'switch', 'catch'}:
            return 1 + nesting + self.condition(nesting) + self.statement(nesting + 1)
        if word == 'do':
            self.at += 1
            score = 1 + nesting + self.statement(nesting + 1) + self.condition(nesting)
            self.at += 1
            return score
        if word in {'case', 'default'}:
            return self.expression(nesting, {':'})
        if word == 'try':
            self.at += 1
            return self.statement(nesting)
        return (word == 'goto') + self.expression(nesting, {';', '}'})


def complexities(text):
    """(line, name, complexity) of each function."""
    reader, found, opened = Reader(text), [], []
    tokens = reader.tokens
    while reader.at < len(tokens):
        token = tokens[reader.at]
        if token == '{' and not isType(tokens, reader.at):
            first = headOf(tokens, reader.at)
            reader.at += 1
            score = reader.block(0)
            if first is not None:
                found.append((reader.lines[first], tokens[first], score))
            continue
        reader.at += 1
    return found


def isType(tokens, brace):
    """Whether a brace begins a namespace or a type, whose content holds functions."""
    at = brace - 1
    while at >= 0 and tokens[at] not in {';', '{', '}', ')'}:
        if tokens[at] in {'namespace', 'class', 'struct', 'union', 'enum'}:
            return tokens[at] != 'enum' and tokens[at - 1] != 'enum'
        at -= 1
    return at >= 1 and tokens[at] == ')' and 'struct' in tokens[at - 8:at]  # alignas(…)


def headOf(tokens, brace):
    """The index of the name of the function whose body begins here; None if it is an initializer."""
    at, depth, name = brace - 1, 0, None
    while at > 0 and not (depth == 0 and tokens[at] in {';', '}', '{'}):
        if tokens[at] in {')', '}'}:
            depth += 1
        elif tokens[at] in {'(', '{'}:
            depth -= 1
            if depth == 0 and re.match(r'[A-Za-z_]', tokens[at - 1]):
                name = at - 1
        elif depth == 0 and tokens[at] == '=':
            return None
        at -= 1
    return name
