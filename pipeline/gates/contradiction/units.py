"""Owns the names of units, currencies, months, weekdays and small numbers; knows no sentence.

Factors bring a unit to milliseconds, or to bytes; a KiB counts as a KB, for people mix them.
"""

from __future__ import annotations

from typing import Final


def _spread(groups: dict[str, str]) -> dict[str, str]:
    return {name: value for value, names in groups.items() for name in names.split()}


_TIME: Final = {
    "0.001": "us µs microseconds",
    "1": "ms millisecond milliseconds millisekunden millisecondes milisegundos мс 毫秒 ミリ秒",
    "1000": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунд секунды секунда 秒",
    "60000": "min mins minute minutes minuten minuto minutos минут минуты минута мин 分 分钟 分間",
    "3600000": "h hr hrs hour hours stunde stunden heure heures hora horas час часа часов ч 小时 時間",
    "86400000": "d day days tag tage tagen jour jours día días dia dias день дня дней 天 日",
    "604800000": "week weeks woche wochen semaine semaines semana semanas неделя недели недель 周 週間",
    "2592000000": "month months monat monate monaten mois mes meses mês месяц месяца месяцев 个月 ヶ月 か月",
    "31536000000": "year years jahr jahre jahren ans année années año años ano anos год года лет 年",
}
_SIZE: Final = {
    "1": "b byte bytes octets bytes байт 字节 バイト",
    "1000": "kb kib ko кб",
    "1000000": "mb mib mo мб",
    "1000000000": "gb gib go гб",
    "1000000000000": "tb tib to тб",
}
UNITS: Final[dict[str, tuple[str, str]]] = {
    **{name: ("time", factor) for name, factor in _spread(_TIME).items()},
    **{name: ("size", factor) for name, factor in _spread(_SIZE).items() if name not in {"go", "to", "mo", "ko"}},
    **dict.fromkeys(("%", "percent", "prozent", "pourcent"), ("percent", "1")),
    **dict.fromkeys(("px", "pixel", "pixels"), ("px", "1")),
    **dict.fromkeys(("rps", "req/s", "requests/s"), ("rate", "1")),
    "°c": ("degrees", "1"),
}
"""A unit's dimension, and the factor to the dimension's own unit."""

CURRENCIES: Final = _spread({"usd": "$ usd dollar dollars", "eur": "€ eur euro euros", "gbp": "£ gbp", "jpy": "¥ jpy"})

MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero janeiro января",
            "february feb februar février febrero fevereiro февраля",
            "march mar märz mars marzo março марта",
            "april apr avril abril апреля",
            "may mai mayo maio мая",
            "june jun juni juin junio junho июня",
            "july jul juli juillet julio julho июля",
            "august aug août agosto августа",
            "september sep sept septembre septiembre setembro сентября",
            "october oct oktober octobre octubre outubro октября",
            "november nov novembre noviembre novembro ноября",
            "december dec dezember décembre diciembre dezembro декабря",
        ),
        start=1,
    )
    for name in names.split()
}

WEEKDAYS: Final = _spread(
    {
        "1": "monday mondays montag montags lundi lunes понедельник",
        "2": "tuesday tuesdays dienstag dienstags mardi martes вторник",
        "3": "wednesday wednesdays mittwoch mittwochs mercredi miércoles среду",
        "4": "thursday thursdays donnerstag donnerstags jeudi jueves четверг",
        "5": "friday fridays freitag freitags vendredi viernes пятницу",
        "6": "saturday saturdays samstag samstags samedi sábado субботу",
        "7": "sunday sundays sonntag sonntags dimanche domingo воскресенье",
    }
)

NUMERALS: Final = _spread(
    {
        "1": "one",
        "2": "two zwei deux dos dois duas два две",
        "3": "three drei trois tres três три",
        "4": "four vier quatre cuatro quatro четыре",
        "5": "five fünf cinq cinco пять",
        "6": "six sechs seis шесть",
        "7": "seven sieben sept siete sete семь",
        "8": "eight acht huit ocho oito восемь",
        "9": "nine neun neuf nueve nove девять",
        "10": "ten zehn dix diez dez десять",
        "12": "twelve zwölf douze doce doze двенадцать",
    }
)
