#!/usr/bin/env python3
"""extract.py FILE SOURCE...: writes the texts of these sources that the window may show into FILE, a C++ header.

Texts of core know no Qt. Each is written as a translator sees it, with a place for whatever a run puts in:
text("There is no slice ", slice) becomes "There is no slice %1", Error(a, b, c) becomes "a (b): c", and of
c ? "one" : "other" and of counted(n, "voxel") there are both. Qt's lupdate reads the header, and the program
holds what is to be shown against it (ui/model/text/localize.cpp). What
tr() marks already is left to lupdate.
"""
import itertools
import pathlib
import re
import sys

TOKEN = re.compile(
    r'''(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)'''
    r'''|(?P<string>(?:u8|L)?R"(?P<mark>[^(]*)\((?:.*?)\)(?P=mark)"|"(?:[^"\\\n]|\\.)*")'''
    r'''|(?P<char>'(?:[^'\\\n]|\\.)+')'''
    r'''|(?P<word>[A-Za-z_0-9](?:[A-Za-z_0-9]|'(?=[0-9])|\.(?=[0-9]))*)'''
    r'''|(?P<sign>::|->|\+=|==|!=|<=|>=|&&|\|\||<<|.)''',
    re.S | re.M)
OPEN, CLOSE = '([{', ')]}'
ENDS = {',', ';', '=', '+=', '==', '!=', '&&', '||', '<<', 'return', 'throw', 'case'}
QT = {'tr', 'QStringLiteral', 'QLatin1String'}  # what they are given has been marked, or is no text
MOST_VARIANTS = 16
PLACE = None


class Text:
    def __init__(self, value):
        self.value, self.used = value, False


class Group(list):
    def __init__(self, bracket):
        super().__init__()
        self.bracket, self.used = bracket, False


def unescaped(literal):
    if literal[0] != '"':
        return re.match(r'(?:u8|L)?R"([^(]*)\((.*)\)\1"', literal, re.S).group(2)
    return re.sub(r'\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)',
                  lambda m: {'n': '\n', 't': '\t'}.get(m[1], m[1] if not m[1][0].isalnum() else '\0'),
                  literal[1:-1])


def tree(source):
    """Texts, names and signs, with what stands in brackets in groups; texts one after the other are one."""
    stack = [Group('')]
    for token in TOKEN.finditer(source):
        kind, word = token.lastgroup if token.lastgroup != 'mark' else 'string', token[0]
        here = stack[-1]
        if kind == 'space':
            continue
        if kind == 'string':
            if here and isinstance(here[-1], Text):
                here[-1].value += unescaped(word)
            else:
                here.append(Text(unescaped(word)))
        elif kind == 'sign' and word in OPEN:
            stack.append(Group(word))
            here.append(stack[-1])
        elif kind == 'sign' and word in CLOSE:
            if len(stack) > 1:
                stack.pop()
        else:
            here.append(word)
    return stack[0]


def split(tokens, ends):
    part = []
    for token in tokens:
        if isinstance(token, str) and token in ends:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def joined(parts):
    """All that come of the variants of each part, one after the other."""
    count = 1
    for part in parts:
        count *= len(part)
    if count > MOST_VARIANTS:
        parts = [part if len(part) == 1 else [[PLACE]] for part in parts]
    return [list(itertools.chain(*choice)) for choice in itertools.product(*parts)]


def arguments(group):
    return list(split(group, {','})) if group else []


def spoken(name, group):
    """Of what a function is given: all but the name of an option, which is a flag."""
    if isinstance(name, str) and name.endswith('Option') and ',' in group:
        return group[group.index(',') + 1:]
    return group


def operand(tokens):
    if len(tokens) == 1 and isinstance(tokens[0], Text):
        tokens[0].used = True
        return [[tokens[0].value]]
    if tokens and isinstance(tokens[-1], Group) and tokens[-1].bracket in '({':
        group, name = tokens[-1], tokens[-2] if len(tokens) > 1 else ''
        before = tokens[:-1]
        if not before and group.bracket == '(':
            group.used = True
            return variants(list(group))
        if all(isinstance(token, str) for token in before):
            given = arguments(group)
            group.used = name in ('text', 'string', 'QStringLiteral', 'QString', 'printable', 'counted', 'Error')
            if name == 'text' and group.bracket == '(':
                return joined([variants(one) for one in given])
            if name in ('string', 'QStringLiteral', 'QString', 'printable') and given:
                return variants(given[0])
            if name == 'counted' and len(given) > 1 and all(len(g) == 1 and isinstance(g[0], Text) for g in given[1:]):
                nouns = [one[0].value for one in given[1:]]
                for one in given[1:]:
                    one[0].used = True
                return [[PLACE, ' ' + nouns[0]], [PLACE, ' ' + (nouns[1] if len(nouns) > 1 else nouns[0] + 's')]]
            if name == 'Error' and len(given) >= 3:
                problem, why, what = (variants(one) for one in given[:3])
                return joined([problem, [[' (']], why, [['): ']], what])
    return [[PLACE]]


def variants(tokens):
    """What an expression says: lists of texts and places."""
    if '?' in tokens:
        at = tokens.index('?')
        depth = 0
        for i in range(at + 1, len(tokens)):
            depth += (tokens[i] == '?') - (tokens[i] == ':')
            if depth < 0:
                return variants(tokens[at + 1:i]) + variants(tokens[i + 1:])
    return joined([operand(part) for part in split(tokens, {'+'})])


def pattern(pieces):
    said, places, after_place = '', 0, False
    for piece in pieces:
        if piece is not PLACE:
            said += piece
            after_place = after_place and not piece
        elif not after_place:
            places += 1
            said += f'%{places}'
            after_place = True
    return said


def found(tokens, said=False):
    """The patterns of all expressions in these tokens, which are part of one that was found where `said`."""
    for part in split(tokens, ENDS):
        for one in split(part, {':'}) if '?' not in part else [part]:
            if not said and any(isinstance(token, (Text, Group)) for token in one):
                # What stands in front of an expression, as in "if (…) x", is none of it.
                yield from (pattern(pieces) for pieces in variants(statement(one)))
            for i, token in enumerate(one):
                if isinstance(token, Group):
                    name = one[i - 1] if i else ''
                    if not isinstance(name, str) or name not in QT:
                        yield from found(spoken(name, token), token.used)
                elif isinstance(token, Text) and not token.used and not said:
                    yield token.value


def statement(tokens):
    if len(tokens) > 2 and tokens[0] in ('if', 'for', 'while') and isinstance(tokens[1], Group):
        return tokens[2:]
    return tokens


def is_shown(said, path):
    words = re.sub(r'%[0-9]', ' ', said)
    if not re.search(r'[A-Za-z]{2}', words) or re.search(r'[\0\n|<{]|%[a-z.]', said):
        return False
    # What is put together step by step, a word of a file's syntax.
    if re.match(r'[ ,;)]', said) or re.search(r'[ (]$', said):
        return False
    if ' ' in said:
        return True
    # A word by itself: a key in formats, the name of a widget in ui/widgets.
    silent = re.search(r'/(core/(io|bids|toolkits)|app/remote|ui/(jobs|widgets))/', path)
    return bool(re.fullmatch(r'[A-Z]*[a-z0-9]*(-[a-z0-9]+)*', words.strip())) and not silent


def main(to, sources):
    texts = {}
    for path in sources:
        with open(path, encoding='utf-8') as file:
            tokens = tree(file.read())
        for one in found(tokens):
            one = re.sub(r'^[,;] ', '', one)  # an item of a list
            if is_shown(one, '/' + path):
                texts.setdefault(one)
                if head := re.fullmatch(r'([^%:]+): %1', one):  # a plot of several is called by it
                    texts.setdefault(head[1])
    lines = ['// Made by resources/translations/extract.py.', '#pragma once', '#include <QtGlobal>', '',
             'inline constexpr const char* kTexts[] = {']
    for said in texts:
        escaped = said.replace('\\', '\\\\').replace('"', '\\"')
        lines.append(f'    QT_TRANSLATE_NOOP("texts", "{escaped}"),')
    made = '\n'.join(lines + ['};', ''])
    to = pathlib.Path(to)
    if not to.exists() or to.read_text(encoding='utf-8') != made:  # what includes it is compiled again only then
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(made, encoding='utf-8')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
