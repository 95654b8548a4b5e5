/* Takes texts apart into words, and finds words in a text, by the rules of pipeline/site/search/words.py. */
window.wikimillWords ??= (() => {
"use strict";

const LONGEST_WORD = 64;
const LONGEST_CHUNK = 400;
const MOST_NUMBERS = 8;
const SHORTEST_WITHOUT_ARTICLE = 3;
const SCRIPTS = "Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar".split(" ");
const UNSPACED = `[ー${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`;
const LETTER = "[\\p{L}\\p{M}\\p{N}]";
const SPACED = `(?:(?!${UNSPACED})${LETTER})`;
const ENDING = "(?:\\+\\+|#(?![\\p{L}\\p{N}]))";
const CHUNK = new RegExp(`(?:${UNSPACED}\\p{M}*)+|${SPACED}+(?:[_./\\\\:@'\\-]+${SPACED}+)*${ENDING}?`, "gu");
const SIGN = new RegExp(`${UNSPACED}\\p{M}*`, "gu");
const RUN = new RegExp(`^${UNSPACED}`, "u");
const HAS_RUN = new RegExp(UNSPACED, "u");
const NUMBER = "[vV]?[0-9]+(?:[.\\-][0-9]+)+";
const IS_NUMBER = new RegExp(`^${NUMBER}$`, "u");
const PART = new RegExp(`${NUMBER}|${LETTER}+`, "gu");
const LETTERS = new RegExp(`${LETTER}+`, "gu");
const CAMEL = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu;
const ASCII = /^[\x00-\x7f]*$/;
const DROPPED = new RegExp(
  "[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f" +
    "\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u00ad\\u200c-\\u200f\\u202a-\\u202e\\u2060" +
    "\\u2066-\\u2069\\ufe00-\\ufe0f\\ufeff]",
  "gu",
);
const ALIKE = { "’": "'", ʼ: "'", "‐": "-", "‑": "-", ٱ: "ا", ى: "ي", ی: "ي", ک: "ك", ة: "ه" };
for (let digit = 0; digit < 10; digit += 1) {
  for (const zero of [0x660, 0x6f0]) ALIKE[String.fromCharCode(zero + digit)] = String(digit);
}
const ALIKE_SIGNS = new RegExp(`[${Object.keys(ALIKE).join("")}]`, "gu");
const SPELLED = { ß: "ss", ς: "σ", ı: "i", ł: "l", ø: "o", đ: "d", æ: "ae", œ: "oe", þ: "th", ð: "d" };
const SPELLED_SIGNS = new RegExp(`[${Object.keys(SPELLED).join("")}]`, "gu");
const ARTICLE = "ال";

const size = (text) => [...text].length;

function even(text) {
  if (ASCII.test(text)) return text;
  const apart = text.normalize("NFKD").replace(DROPPED, "").replace(ALIKE_SIGNS, (sign) => ALIKE[sign]);
  return apart.normalize("NFC");
}

function fold(part) {
  const low = part.toLowerCase();
  if (ASCII.test(low)) return low;
  const spelled = low.replace(SPELLED_SIGNS, (sign) => SPELLED[sign]);
  const bare = spelled.startsWith(ARTICLE) ? spelled.slice(ARTICLE.length) : spelled;
  return size(bare) >= SHORTEST_WITHOUT_ARTICLE ? bare : spelled;
}

const kept = (part) => part && size(part) <= LONGEST_WORD;

function beginnings(number) {
  const parts = number.match(/[0-9]+/g).slice(0, MOST_NUMBERS);
  const found = [];
  for (let length = parts.length; length > 1; length -= 1) found.push(parts.slice(0, length).join("."));
  return parts[0].length > 1 ? [...found, parts[0]] : found;
}

function word(chunk) {
  if (RUN.test(chunk)) {
    const signs = chunk.match(SIGN);
    const pairs = signs.slice(1).map((sign, place) => signs[place] + sign);
    return pairs.length
      ? { whole: "", parts: pairs, others: [signs.at(-1)], run: chunk }
      : { whole: "", parts: [chunk], others: [], run: chunk };
  }
  if (size(chunk) > LONGEST_CHUNK) return { whole: "", parts: [], others: [] };
  const ending = chunk.endsWith("++") ? "++" : chunk.endsWith("#") ? "#" : "";
  const parts = [];
  const others = [];
  for (const part of chunk.match(PART)) {
    if (IS_NUMBER.test(part)) {
      const [longest, ...shorter] = beginnings(part);
      parts.push(longest);
      others.push(...shorter);
    } else {
      parts.push(...part.match(CAMEL).map(fold));
    }
  }
  const whole = parts.join("") + ending;
  const telling = parts.filter((part) => kept(part) && (parts.length === 1 || !/^[a-z]$/.test(part)));
  return { whole: kept(whole) ? whole : "", parts: telling, others };
}

const words = (text) => (even(text).match(CHUNK) ?? []).map(word);
const terms = ({ whole, parts, others }) => [...new Set([whole, ...parts, ...others])].filter(Boolean);

/* A whole title as one word, without those of `little`. */
function name(text, little) {
  const parts = even(text).match(LETTERS) ?? [];
  const telling = parts.filter((part) => !little.includes(part.toLowerCase()));
  const whole = fold((telling.length ? telling : parts).join(""));
  return size(whole) <= LONGEST_WORD ? whole : "";
}

/* Cuts a text where words found stand, as pairs of a piece and what `marks` tells of its word, if it is one. */
function marked(text, marks) {
  const cut = [];
  let done = 0;
  const mark = (from, end, told) => {
    const start = Math.max(from, done);
    if (!told || start >= end) return;
    if (start > done) cut.push([text.slice(done, start)]);
    const last = cut.at(-1);
    if (last?.[1] === told) last[0] += text.slice(start, end);
    else cut.push([text.slice(start, end), told]);
    done = end;
  };
  const told = (part) => marks.get(fold(even(part)));
  const first = (found) => marks.get(found.find((one) => marks.has(one)));
  for (const { 0: part, index: at } of text.matchAll(PART)) {
    if (IS_NUMBER.test(part)) {
      mark(at, at + part.length, first(beginnings(part)));
    } else if (told(part)) {
      mark(at, at + part.length, told(part));
    } else if (!HAS_RUN.test(part)) {
      for (const { 0: hump, index: from } of part.matchAll(CAMEL)) mark(at + from, at + from + hump.length, told(hump));
    } else {
      for (const { 0: piece, index: from } of part.matchAll(CHUNK)) {
        if (!RUN.test(piece)) mark(at + from, at + from + piece.length, first(terms(word(even(piece)))));
        const signs = RUN.test(piece) ? [...piece.matchAll(SIGN)] : [];
        signs.forEach(({ 0: sign, index }, place) => {
          const start = at + from + index;
          const pair = sign + (signs[place + 1]?.[0] ?? "");
          mark(start, start + pair.length, marks.get(even(pair)));
          mark(start, start + sign.length, marks.get(even(sign)));
        });
      }
    }
  }
  if (done < text.length) cut.push([text.slice(done)]);
  return cut;
}

/* Of a script without spaces; a single sign of one. */
const isRun = (term) => RUN.test(term);
const isSign = (term) => RUN.test(term) && term.match(SIGN).length === 1;

return { words, terms, name, marked, isRun, isSign, size };
})();
