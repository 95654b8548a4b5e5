"""Owns which words say a small number, in the languages that teams write in; knows no text."""

from __future__ import annotations

from typing import Final

_WORDS: Final = {
    0: "zero no none nothing null kein keine keinen keiner zéro aucun aucune cero ningún ninguno ninguna nenhum nenhuma"
    " ноль нет",
    1: "one once first single eins ein eine einen einem erste un une uno una um uma один одна одно одну первый",
    2: "two twice second both pair couple zwei beide beiden zweite deux dos ambos dois duas два две оба второй",
    3: "three thrice third drei dritte trois tres três три третий трёх",
    4: "four fourth vier vierte quatre cuatro quatro четыре четырёх",
    5: "five fifth fünf cinq cinco пять пяти",
    6: "six sixth sechs seis шесть шести",
    7: "seven seventh sieben sept siete sete семь семи",
    8: "eight eighth acht huit ocho oito восемь восьми",
    9: "nine ninth neun neuf nueve nove девять девяти",
    10: "ten tenth zehn dix diez dez десять десяти",
    11: "eleven elf onze once одиннадцать",
    12: "twelve dozen zwölf dutzend douze doce doze двенадцать",
    13: "thirteen dreizehn treize trece treze",
    14: "fourteen vierzehn quatorze catorze",
    15: "fifteen fünfzehn quinze quince",
    20: "twenty zwanzig vingt veinte vinte двадцать",
    30: "thirty dreißig trente treinta trinta тридцать",
    40: "forty vierzig quarante cuarenta quarenta сорок",
    50: "fifty fünfzig cinquante cincuenta cinquenta пятьдесят",
    60: "sixty sechzig soixante sesenta sessenta шестьдесят",
    90: "ninety neunzig",
    100: "hundred hundert cent cien cem сто",
    1000: "thousand tausend mille mil тысяча",
}
NUMERALS: Final[dict[str, tuple[str, ...]]] = {
    word: tuple(str(number) for number, words in _WORDS.items() if word in words.split())
    for word in " ".join(_WORDS.values()).split()
}
"""A word, and the numbers that it says in one language or another."""
