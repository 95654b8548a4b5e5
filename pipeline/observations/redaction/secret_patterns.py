"""Owns the shapes by which a secret is known wherever it stands; knows no setting and no name before a secret.

Each shape has an anchor, a text that a plain search finds fast: where no anchor stands, no pattern runs. A group
named `secret` limits what is replaced; without one it is the whole match. Every pattern reads a run of
characters from its start only, and nothing twice, so that the time grows with the length of the text alone.

There is no rule on randomness: texts about code are full of hashes.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPED = r"|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})"
"""After an escaped line break, and after a character that an address escapes, a word begins as well."""

START = rf"(?:(?<![A-Za-z0-9_-]){_ESCAPED})"
"""Where a token may start whose first letters are also the end of words: `sk-` and `task-`."""

DISTINCT = rf"(?:(?<![A-Za-z0-9]){_ESCAPED})"
"""Where a token may start whose first letters say enough."""

# Up to eight backslashes: JSON inside JSON inside JSON.
_GAP = r"""(?:[ \t\r\n>|#*+"',]|\\{1,8}[nrt"]|\\(?=\n)){1,64}+"""
_LINE = r"(?:[A-Za-z0-9+/=]|\\/){24,}+"
_HEADER = r"(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset|MessageID):[^\n\\]{0,120}+"
_SHORT = r"(?:[A-Za-z0-9+/=]|\\/){1,76}+"
_END = rf"(?:{_GAP})?+-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----"
_CUT = r"(?=\\{0,8}(?:[\"'`)\]}]|\.\.|…|\[|\s*\Z|[ \t]*\r?\n))"
_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?=(?:{_GAP})?+(?:{_HEADER}|{_LINE}|{_SHORT}(?:{_END}|{_CUT})))"  # the mere mention of a block stays
    rf"(?:(?:{_GAP})?+(?:{_HEADER}|{_LINE}))*+"
    rf"(?:(?:{_GAP})?+{_SHORT}(?:(?={_END})|{_CUT}))?+"
    rf"(?:{_END})?+"
)

_USER = r"[^\s:/?#@\"'<>`\[\]\\]*+"


@dataclass(frozen=True, slots=True)
class SecretPattern:
    """One shape: what becomes `[REDACTED:kind]`, and the texts of which one must stand there for it to apply.

    A match begins with one of the anchors, unless it holds one `inside`.
    """

    kind: str
    anchors: tuple[str, ...]
    regex: re.Pattern[str]
    inside: bool = False

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Find the shape in a text, in order."""
        if self.inside:
            yield from self.regex.finditer(text)
            return
        reached = 0
        for position in heapq.merge(*(_places(anchor, text) for anchor in self.anchors)):
            match = self.regex.match(text, position) if position >= reached else None
            if match:
                reached = match.end()
                yield match


def _places(anchor: str, text: str) -> Iterator[int]:
    position = text.find(anchor)
    while position >= 0:
        yield position
        position = text.find(anchor, position + len(anchor))


def _shape(kind: str, anchors: str, pattern: str, *, inside: bool = False) -> SecretPattern:
    return SecretPattern(kind, tuple(anchors.split()), re.compile(pattern, re.ASCII), inside)


def _token(kind: str, anchors: str, pattern: str) -> SecretPattern:
    return _shape(kind, anchors, DISTINCT + pattern)


def _word(kind: str, anchors: str, pattern: str) -> SecretPattern:
    return _shape(kind, anchors, START + pattern)


PATTERNS: tuple[SecretPattern, ...] = (
    # Blocks and what has an inner structure come first, so that no pattern for a part breaks them.
    _shape("private-key", "-----BEGIN", _PEM),
    _shape("private-key", "Private-Lines:", rf"Private-Lines: ?\d{{1,4}}(?P<secret>(?:{_GAP}{_LINE})++)"),
    _token("private-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Za-z]{20,}+"),
    _word(
        "jwt",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{6,}+\."
        r"(?:eyJ[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]*+)?+"
        r"|[A-Za-z0-9_-]*+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){0,2}+)",
    ),
    # Language models
    _word("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{10,}+"),
    _word("openrouter-key", "sk-or-", r"sk-or-[A-Za-z0-9_-]{16,}+"),
    _word("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{10,}+"),
    _word("openai-key", "sk-", r"sk-(?=[A-Za-z]{0,80}+[0-9])[A-Za-z0-9]{20,}+"),
    _word(
        "provider-key",
        "sk-",
        r"sk-(?=[a-z0-9_-]{0,200}+[A-Z])(?=[A-Za-z_-]{0,200}+[0-9])(?=[A-Z0-9_-]{0,200}+[a-z])[A-Za-z0-9_-]{32,}+",
    ),
    _word("provider-key", "sk-lf- pplx- nvapi- tvly- csk-", r"(?:sk-lf|pplx|nvapi|tvly|csk)-[A-Za-z0-9_-]{20,}+"),
    _word("provider-key", "r8_ jina_ lsv2_", r"(?:r8_[A-Za-z0-9]{30,}+|jina_\w{30,}+|lsv2_(?:pt|sk)_\w{30,}+)"),
    _token("xai-key", "xai-", r"xai-[A-Za-z0-9]{20,}+"),
    _token("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{20,}+"),
    _token("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,}+"),
    _token("google-key", "AIza", r"AIza[A-Za-z0-9_-]{30,}+"),
    _token("google-key", "AQ.", r"AQ\.[A-Za-z0-9_-]{30,}+"),
    _token("google-token", "ya29. GOCSPX-", r"(?:ya29\.[\w.-]{20,}+|GOCSPX-[\w-]{20,}+)"),
    _token("google-token", "1//0", r"1//0[A-Za-z0-9_-]{30,}+"),
    # Code hosts and package registries
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9_-]{16,}+(?:\.[A-Za-z0-9_-]{8,}+){0,2}+"),
    _token("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,}+"),
    _token(
        "gitlab-token",
        "glpat- glptt- gldt- glrt- glrtr- glcbt- glsoat- glft- glimt- glagent- gloas- glffct- glwt-",
        r"gl(?:pat|ptt|dt|rtr?|cbt|soat|ft|imt|agent|oas|ffct|wt)-[A-Za-z0-9_-]{16,}+(?:\.[A-Za-z0-9_-]{2,}+){0,2}+",
    ),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,}+"),
    _token("pypi-token", "pypi-", r"pypi-(?:AgE[A-Za-z0-9_-]{10,}+|[A-Za-z0-9_-]{60,}+)"),
    _token(
        "registry-token",
        "rubygems_ dckr_pat_ dckr_oat_ oy2 cio",
        r"(?:rubygems_[0-9a-f]{40,}+|dckr_[po]at_[\w-]{20,}+|oy2[a-z0-9]{43}(?![A-Za-z0-9])|cio[A-Za-z0-9]{32}(?![A-Za-z0-9]))",
    ),
    # Chat and mail
    _token("slack-token", "xox", r"xox[abcdeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}+"),
    _token("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{10,}+"),
    _shape(
        "slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{8,}+)"
    ),
    _shape("discord-webhook", "/api/webhooks/", r"/api/webhooks/(?P<secret>\d{6,}+/[\w-]{20,}+)"),
    _shape("teams-webhook", "webhook.office.com", r"webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{20,}+)"),
    _shape("telegram-token", ":AA", r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))\d{8,10}:AA[A-Za-z0-9_-]{30,}+", inside=True),
    _token("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{12,}+\.[A-Za-z0-9_-]{12,}+"),
    _word("twilio-key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("mail-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[A-Za-z0-9-]{20,}+"),
    # Clouds
    _token("aws-key-id", "AKIA ABIA ACCA", r"A(?:KIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    # In capitals "ASIA..." is also a word of prose; a key has one of the digits 2 to 7 almost always.
    _token("aws-key-id", "ASIA", r"ASIA(?=[A-Z]{0,15}[2-7])[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _token("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{40,}+"),
    _shape(
        "azure-key",
        "AccountKey= SharedAccessKey=",
        r"(?:Account|SharedAccess)Key=(?P<secret>[A-Za-z0-9+/]{16,}+={0,2})",
    ),
    _shape("azure-sas", "?sig= &sig= ;sig=", r"[?&;]sig=(?P<secret>[A-Za-z0-9%+/_-]{16,}+={0,2})"),
    _shape("azure-secret", "Q~", r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{30,}+", inside=True),
    _shape(
        "azure-key", "JQQJ9", r"(?<![A-Za-z0-9])[A-Za-z0-9]{40,80}?JQQJ9[A-Za-z0-9]{20,40}(?![A-Za-z0-9])", inside=True
    ),
    _shape("cloud-token", ".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}+", inside=True),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{20,}+"),
    _token(
        "cloud-token",
        "sbp_ sb_secret_ nfp_ FlyV1 fo1_ fm2_ HRKU- dp. dapi pscale_ pul- hvs. hvb. vcp_",
        r"(?:sbp_[0-9a-f]{30,}+|sb_secret_[\w-]{20,}+|nfp_\w{30,}+|FlyV1 fm[12]_[\w+/=,-]{20,}+|fo1_[\w-]{30,}+"
        r"|fm2_[\w+/=,-]{20,}+|HRKU-[\w-]{20,}+|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}+|dapi[0-9a-f]{32}(?:-\d)?"
        r"|pscale_(?:tkn|pw|oauth)_[\w.-]{20,}+|pul-[0-9a-f]{40}"
        r"|hv[sb]\.[\w-]{20,}+|vcp_\w{20,}+)",
    ),
    # Payment
    _word(
        "stripe-key",
        "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
        r"(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/]{10,}+",
    ),
    _token("payment-key", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,}+"),
    _token("payment-key", "sq0", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}+"),
    # Tools that teams use
    _token(
        "service-token",
        "lin_api_ ntn_ ATATT3 ATCTT3 sntrys_ sntryu_ glsa_ glc_ figd_ phx_ PMAK- key_ ATBB sess- NRAK- CCIPAT_ CFPAT- "
        "bkua_ tfp_ secret_ rdme_ dt0c01. pnu_ EAAA sk_",
        r"(?:lin_api_\w{20,}+|ntn_\w{30,}+|AT[AC]TT3[\w=-]{40,}+|sntry[su]_[\w+/=-]{30,}+|glsa_\w{20,}+|glc_[\w+/=]{30,}+"
        r"|figd_[\w-]{20,}+|phx_\w{30,}+|PMAK-[0-9a-f-]{30,}+|key_[0-9a-f]{64}|ATBB[A-Za-z0-9]{28,}+|sess-[A-Za-z0-9]{40,}+|NRAK-[A-Z0-9]{27}|CCIPAT_\w{20,}+|CFPAT-[\w-]{30,}+"
        r"|bkua_\w{30,}+|tfp_[\w-]{30,}+|secret_[A-Za-z0-9]{43}(?!\w)|rdme_\w{30,}+|dt0c01\.[A-Z0-9]{20,}+\.[A-Z0-9]{20,}+"
        r"|pnu_\w{30,}+|EAAA[\w-]{56,}+|sk_[0-9a-f]{40,}+)",
    ),
    # What stands behind words that are not a name and its value
    _shape(
        "auth-header",
        "Bearer bearer BEARER",
        r"\b[Bb](?:earer|EARER)[ \t]{1,4}(?P<secret>(?=[A-Za-z._~+/-]{0,100}+[0-9])[A-Za-z0-9._~+/-]{16,}+={0,2})",
    ),
    _shape(
        "password",
        "machine",
        r"\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(?P<secret>\S+)",
    ),
    _shape("password", "sshpass", r"sshpass[ \t]+-p[ \t]?[\"']?(?P<secret>[^\s\"']{3,}+)"),
    _shape(
        "password",
        "mysql mariadb redis-cli docker",
        r"(?:(?:mysql|mariadb)(?:dump|admin|sh)?\b[^\n|;&]{0,200}?[ \t]-p|redis-cli\b[^\n|;&]{0,200}?[ \t]-a[ \t]+"
        r"|docker[ \t]+login\b[^\n|;&]{0,200}?[ \t]-p[ \t]+)[\"']?(?P<secret>[^\s\"'-][^\s\"']{2,}+)",
    ),
    # Credentials in an address: the user and the host stay
    _shape(
        "url-password",
        "postgres mysql mariadb mongodb redis amqp mssql sqlserver clickhouse",
        rf"[a-z]{{4,12}}(?:\+\w{{1,20}})?:(?://|\\/\\/){_USER}:(?!\d{{1,5}}[/?#])(?P<secret>[^\s\"'<>`\\@]{{1,128}}+)@",
    ),
    _shape(
        "url-password",
        r":// :\/\/",
        rf":(?://|\\/\\/){_USER}:(?P<secret>[^\s/?#\"'<>`\\]+)@(?!sha\d)(?=[A-Za-z0-9\[{{$<%*])",
    ),
    _shape(
        "url-password",
        r":// :\/\/",
        r":(?://|\\/\\/)(?P<secret>(?=[A-Za-z_-]{0,80}+[0-9])[A-Za-z0-9_-]{20,}+)@",
    ),
)

_BY_ANCHOR = tuple((anchor, number) for number, pattern in enumerate(PATTERNS) for anchor in pattern.anchors)


def patterns_for(text: str) -> list[SecretPattern]:
    """Give the shapes that may occur in a text, in the order in which they apply."""
    return [PATTERNS[number] for number in sorted({number for anchor, number in _BY_ANCHOR if anchor in text})]
