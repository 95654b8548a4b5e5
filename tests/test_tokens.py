"""The estimate of tokens against counts that real tokenizers gave, and the laws that it keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tokens import estimate_tokens

# Name, text, tokens by o200k, tokens by the tokenizer that counts most, and which one that is. Compared were o200k,
# cl100k, Claude 2, Claude 3 and 4.8 (both reconstructed), Llama 3, Qwen, DeepSeek, and Mistral's Tekken and its
# earlier one of 32,000 tokens.
COUNTED = [
    (
        "prose",
        "The web app keeps login state in signed, HTTP-only cookies, because revoking a JWT needed a denylist anyway.",
        24,
        40,
        "claude-4.8",
    ),
    (
        "python",
        (
            "def read_news(folder: Path, ledger: Consumed, *, strict: bool = False) -> News:\n"
            "    for path in sorted(folder.rglob('*.jsonl')):\n"
            "        if path.stat().st_size > ledger.marks[path.name].bytes:\n"
            "            yield path\n"
        ),
        55,
        90,
        "claude-4.8",
    ),
    (
        "go",
        (
            "func (s *Store) Get(ctx context.Context, id string) (*Session, error) {\n"
            "\tif err := ctx.Err(); err != nil {\n"
            '\t\treturn nil, fmt.Errorf("get %q: %w", id, err)\n'
            "\t}\n"
            "\treturn s.byID[id], nil\n"
            "}\n"
        ),
        59,
        90,
        "claude-4.8",
    ),
    (
        "shell",
        "git log --oneline --since=2026-01-05 | awk '{print $1}' | xargs -n1 git show --stat > /tmp/changes.txt 2>&1",
        41,
        55,
        "claude-4.8",
    ),
    (
        "minified json",
        (
            '{"id":17,"name":"user17","active":true,"score":0.8134,"tags":["a","bc"],'
            '"ts":"2026-01-05T09:17:00Z","nested":{"k":null,"v":[1,2,3]}}'
        ),
        59,
        77,
        "claude-4.8",
    ),
    (
        "log line",
        "2026-01-05T08:13:37.412Z [ERROR] pid=48213 10.12.0.7 GET /api/v2/users/982311?q=kXbWzQpL 500 81.204ms",
        55,
        83,
        "mistral-32k",
    ),
    ("commit hash", "da39a3ee5e6b4b0d3255bfef95601890afd80709", 23, 35, "tekken"),
    ("uuid", "123e4567-e89b-42d3-a456-426614174000", 18, 37, "mistral-32k"),
    (
        "base64",
        "SGVsbG8sIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NCBlbmNvZGluZyBpbiBhIGxvbmcgbGluZSB3aXRoIG5vIHNwYWNlcy4=",
        64,
        95,
        "claude-4.8",
    ),
    ("random letters", "qzxkvjwpfhbnmtgrdlcsyuioae wqkjzx pfvbgh", 22, 36, "claude-4.8"),
    (
        "constants",
        "MAX_RETRY_COUNT = DEFAULT_TIMEOUT_SECONDS * HTTP_STATUS_INTERNAL_SERVER_ERROR",
        14,
        61,
        "claude-4.8",
    ),
    (
        "camel case",
        "getUserTokenFromSessionHandler parseConfigRequestMaxRetryPath XMLHttpRequestEventTarget",
        16,
        44,
        "claude-4.8",
    ),
    ("spaces", " " * 200, 2, 13, "mistral-32k"),
    ("indented", '{\n        "a": [\n                1,\n                2\n        ]\n}\n', 17, 20, "mistral-32k"),
    ("tabs", "\t" * 40, 3, 41, "mistral-32k"),
    ("line breaks", "\n" * 60, 5, 61, "mistral-32k"),
    (
        "table",
        "| name   | value | unit |\n|--------|-------|------|\n| total  | 12.5  | ms   |\n| failed | 0     | n/a  |\n",
        39,
        48,
        "claude-4.8",
    ),
    ("ruler", "-" * 80, 1, 14, "claude-4.8"),
    (
        "japanese",
        "セッションの更新に失敗した原因は、有効期限の比較にローカル時刻を使っていたことでした。UTCに統一しました。",
        34,
        55,
        "mistral-32k",
    ),
    (
        "chinese",
        "我们决定不再使用令牌，而是把登录状态保存在签名的会话里，因为撤销令牌需要维护一个黑名单。",
        31,
        49,
        "claude-3",
    ),
    (
        "traditional chinese",
        "我們決定把設定檔案移到專案的根目錄，並且在啟動時檢查版本，避免舊的設定被忽略。",
        38,
        58,
        "cl100k",
    ),
    (
        "korean",
        "세션 갱신이 실패한 이유는 만료 시간을 현지 시간으로 비교했기 때문입니다. 모두 협정 세계시로 바꾸었습니다.",
        33,
        67,
        "mistral-32k",
    ),
    (
        "russian",
        "Мы решили хранить состояние входа в подписанных куках, потому что для отзыва токенов всё равно нужен список.",
        26,
        47,
        "cl100k",
    ),
    ("greek", "Αποφασίσαμε να κρατάμε την κατάσταση σύνδεσης σε υπογεγραμμένα μπισκότα.", 26, 80, "claude-2"),
    (
        "arabic",
        "قررنا الاحتفاظ بحالة تسجيل الدخول في ملفات موقعة لأن إلغاء الرموز يحتاج إلى قائمة.",
        22,
        77,
        "claude-2",
    ),
    ("hebrew", "החלטנו לשמור את מצב ההתחברות בעוגיות חתומות כי ביטול אסימונים דורש רשימה.", 26, 74, "mistral-32k"),
    (
        "hindi",
        "हमने लॉगिन की स्थिति को हस्ताक्षरित कुकी में रखने का निर्णय लिया क्योंकि टोकन रद्द करना कठिन था।",
        29,
        101,
        "claude-2",
    ),
    ("thai", "เราตัดสินใจเก็บสถานะการเข้าสู่ระบบไว้ในคุกกี้ที่ลงนามแล้ว เพราะการยกเลิกโทเค็นทำได้ยาก", 38, 151, "claude-2"),
    (
        "german",
        "Die Zwischenspeicherung der Benutzereinstellungen schlug fehl, weil der Schlüssel für Großkunden fehlte.",
        24,
        50,
        "claude-4.8",
    ),
    (
        "finnish",
        (
            "Päätimme säilyttää kirjautumistilan allekirjoitetuissa evästeissä, koska tunnisteiden "
            "mitätöinti oli hankalaa."
        ),
        34,
        57,
        "claude-4.8",
    ),
    (
        "vietnamese",
        "Chúng tôi quyết định lưu trạng thái đăng nhập trong cookie đã ký vì việc thu hồi mã thông báo rất khó.",
        24,
        66,
        "claude-2",
    ),
    ("emoji", "🚀✅❌⚠️🤔👍🏽🎉🔥", 16, 36, "tekken"),
    ("families and flags", "👩\u200d👩\u200d👧\u200d👦🏳️\u200d🌈🇩🇪🇯🇵👨🏿\u200d💻", 32, 60, "tekken"),
    ("rare han", "龘靐齉爩", 8, 13, "mistral-32k"),
    ("cuneiform", "𒀀𒀁𒀂𒀃", 16, 17, "mistral-32k"),
    ("amharic", "ስብሰባው ነገ ጠዋት ይሆናል", 31, 45, "claude-2"),
    (
        "box drawing",
        "├── src\n│   ├── main.py\n│   └── auth\n│       └── session.py\n└── README.md",
        32,
        39,
        "claude-2",
    ),
    ("accents apart", "e\u0301a\u0300o\u0302u\u0308", 8, 11, "tekken"),
]


@pytest.mark.parametrize(("name", "text", "o200k", "most", "by"), COUNTED, ids=[row[0] for row in COUNTED])
def test_no_tokenizer_counts_more_than_the_estimate(name: str, text: str, o200k: int, most: int, by: str) -> None:
    estimate = estimate_tokens(text)

    assert o200k <= most <= estimate, by
    assert estimate <= most * 1.6 + 20, name


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 2),
        ("the", 2),
        ("in the end", 5),
        ("\u4e00" * 10, 12),
        ("\U00012000", 5),
        ("\ud800", 4),
        ("\x00\x01", 3),
    ],
)
def test_estimates_of_small_texts(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


TEXTS = st.text(max_size=60) | st.text(alphabet="aT th.-_ \n\t09éя漢한😀", max_size=60)


@given(TEXTS, TEXTS)
def test_joining_adds_at_most_one_and_takes_nothing_away(first: str, second: str) -> None:
    joined = estimate_tokens(first + second)

    assert joined <= estimate_tokens(first) + estimate_tokens(second) + 1
    assert joined >= max(estimate_tokens(first), estimate_tokens(second))


@given(st.text(alphabet=st.characters(min_codepoint=0x12000, max_codepoint=0x12399), min_size=1))
def test_a_script_that_nobody_measured_takes_a_token_for_each_byte(text: str) -> None:
    assert estimate_tokens(text) >= len(text.encode())
