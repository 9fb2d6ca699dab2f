#!/usr/bin/env python3
"""extract.py FILE SOURCE...: writes the texts of these sources that the window may show into FILE, a C++ header for lupdate.

Core knows no Qt: its labels, helps and names are texts without tr(). Each that stands whole in a source is one of
the catalogue; sentences that a run puts together stay English. What tr() marks already is left to lupdate.
"""
import pathlib
import re
import sys

TOKEN = re.compile(
    r'''(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)'''
    r'''|(?P<string>(?:u8|L)?R"(?P<mark>[^(]*)\((?:.*?)\)(?P=mark)"|"(?:[^"\\\n]|\\.)*")'''
    r'''|(?P<other>'(?:[^'\\\n]|\\.)+'|\w+|::|<<|.)''',
    re.S | re.M)
QT = {'tr', 'translate', 'QStringLiteral', 'QLatin1String'}  # what they are given has been marked, or is no text
JOINS = {'+', '<<'}


def unescaped(literal):
    if literal[0] != '"':
        return re.match(r'(?:u8|L)?R"([^(]*)\((.*)\)\1"', literal, re.S).group(2)
    return re.sub(r'\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)',
                  lambda m: {'n': '\n', 't': '\t'}.get(m[1], m[1] if not m[1][0].isalnum() else '\0'),
                  literal[1:-1])


def texts_of(source):
    """The texts of a source that are no part of a sum; adjacent ones are one."""
    tokens = [(t.lastgroup, t[0]) for t in TOKEN.finditer(source) if t.lastgroup != 'space']
    i = 0
    while i < len(tokens):
        begin, said = i, ''
        while i < len(tokens) and tokens[i][0] != 'other':
            said += unescaped(tokens[i][1])
            i += 1
        before = [word for _, word in tokens[max(0, begin - 2):begin]]
        after = tokens[i][1] if i < len(tokens) else ''
        if said and not JOINS & {*before[-1:], after} and not (before[-1:] == ['('] and before[0] in QT):
            yield said
        i += begin == i


def is_shown(said, path):
    words = re.sub(r'%[0-9]', ' ', said)
    if not re.search(r'[A-Za-z]{2}', words) or re.search(r'[\0\n|<{]|%[a-z.]', said):
        return False
    if re.match(r'[ ,;)]', said) or re.search(r'[ (]$', said):  # a piece of what is put together
        return False
    if ' ' in said:
        return True
    # A word by itself: a key in formats, the name of a widget in ui/widgets.
    silent = re.search(r'/(core/(io|bids|toolkits)|app/remote|ui/(jobs|widgets))/', path)
    return bool(re.fullmatch(r'[A-Z]*[a-z0-9]*(-[a-z0-9]+)*', words.strip())) and not silent


def main(to, sources):
    texts = {}
    for path in sources:
        source = pathlib.Path(path).read_text(encoding='utf-8')
        texts.update((said, None) for said in texts_of(source) if is_shown(said, '/' + path))
    escaped = (said.replace('\\', '\\\\').replace('"', '\\"') for said in texts)
    lines = [f'    QT_TRANSLATE_NOOP("texts", "{said}"),' for said in escaped]
    pathlib.Path(to).write_text('\n'.join(['const char* kTexts[] = {', *lines, '};', '']), encoding='utf-8')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
