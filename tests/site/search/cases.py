"""Texts that the index and the browser must take apart alike."""

from __future__ import annotations

CASES = (
    "",
    "Plain words, and more: words!",
    "session_cookie_ttl sessionCookieTtl HTTPServer OAuth2Token GitHub iPhone IDs PostgreSQL",
    "v1.2.3 V2 python-3.11.7 2026-11-30T08:00:00Z 10.0.0.1:8080 1.2.3rc1 utf-8 1.2.3.4.5.6.7.8.9.10",
    "pipeline/site/words.py C++ C# F#! page.md#anchor don't l’index e.g. I/O a.b -x --dry-run a::b",
    "C:\\temp\\x @scope/pkg user@example.org https://example.org/a_b?c=d&e=1#f $HOME foo()",
    "用Redis缓存 課金の検索 潮 ｶﾞｲﾄﾞ ガード 々〆 𠮷野家 表_x 日本語123",
    "검색을 한다 ᄒ ที่นี่ มีน้ำ ລາວ ខ្មែរ မြန်မာ",
    "Москва Ёлка ЙОД ΟΔΟΣ ὈΔΥΣΣΕΎΣ Straße STRASSE ẞ İstanbul ısı café naïve ŁÓDŹ Ørsted Þór",
    "أحمد المستودع كتاباً ٣٫١٤ ١٢٣ الم ال آلة مدرسة ى ی ک ۴۵ مــد שָׁלוֹם",
    "well‑known naïve ＡＢＣ ﬁle ½ ①② ™ ℃ ㍿ soft\u00adhyphen zero\u200bwidth می\u200cخواهم",
    "नमस्ते हिन्दी தமிழ் ქართული ᲥᲐᲠᲗᲣᲚᲘ Հայերեն ⅷ Ⅷ",
    "e\u0301 \u0301a _x_ x_ __init__ a--b ...x +1 c++11 x# x#1 #x ++",
    "a" * 64 + " " + "b" * 65 + " " + "ab/" * 30 + " " + "é" * 65,
    "x/" * 250 + "end " + "検" * 500,
    "😀 family 👨‍👩‍👧 flag 🇩🇪 𝒳 𝟙𝟚 ʼn ǆ ǅ ŉ",
    "__proto__ constructor toString \u2028 \x00 \ufffd",
)
