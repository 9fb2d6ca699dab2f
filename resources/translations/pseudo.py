#!/usr/bin/env python3
"""pseudo.py FILE.ts: translates each text of a catalogue that has no translation into itself in brackets.

What stands in its places and around colons stays outside of the brackets: "There is no slice %1" becomes "⟦There is no slice ⟧%1".
"""
import re
import sys
import xml.etree.ElementTree as xml

PLACE = re.compile(r'(%[1-9L][0-9]?|: )')


def bracketed(text):
    return ''.join(part if PLACE.fullmatch(part) or not re.search(r'\w', part) else f'⟦{part}⟧'
                   for part in PLACE.split(text))


catalogue = xml.parse(sys.argv[1])
for message in catalogue.iter('message'):
    translation = message.find('translation')
    if not translation.text:
        translation.text = bracketed(message.find('source').text)
        translation.attrib.pop('type', None)
catalogue.write(sys.argv[1], encoding='utf-8', xml_declaration=True)
