import type { DisplayUrl } from './page-texts.js'

// Loaded only for hosts with an internationalised name.

/** The scripts that may be in one label together, with digits, the hyphen and marks. */
const LABELS = [
  /^[\d\-\p{M}\p{scx=Latin}]+$/u,
  /^[\d\-\p{M}\p{scx=Cyrillic}]+$/u,
  /^[\d\-\p{M}\p{scx=Greek}]+$/u,
  /^[\d\-\p{M}\p{scx=Armenian}]+$/u,
  /^[\d\-\p{M}\p{scx=Georgian}]+$/u,
  /^[\d\-\p{M}\p{scx=Hebrew}]+$/u,
  /^[\d\-\p{M}\p{scx=Arabic}]+$/u,
  /^[\d\-\p{M}\p{scx=Ethiopic}]+$/u,
  /^[\d\-\p{M}\p{scx=Devanagari}]+$/u,
  /^[\d\-\p{M}\p{scx=Bengali}]+$/u,
  /^[\d\-\p{M}\p{scx=Gurmukhi}]+$/u,
  /^[\d\-\p{M}\p{scx=Gujarati}]+$/u,
  /^[\d\-\p{M}\p{scx=Oriya}]+$/u,
  /^[\d\-\p{M}\p{scx=Tamil}]+$/u,
  /^[\d\-\p{M}\p{scx=Telugu}]+$/u,
  /^[\d\-\p{M}\p{scx=Kannada}]+$/u,
  /^[\d\-\p{M}\p{scx=Malayalam}]+$/u,
  /^[\d\-\p{M}\p{scx=Sinhala}]+$/u,
  /^[\d\-\p{M}\p{scx=Thai}]+$/u,
  /^[\d\-\p{M}\p{scx=Lao}]+$/u,
  /^[\d\-\p{M}\p{scx=Khmer}]+$/u,
  /^[\d\-\p{M}\p{scx=Myanmar}]+$/u,
  /^[\d\-\p{M}\p{scx=Tibetan}]+$/u,
  /^[\d\-\p{M}\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+$/u,
  /^[\d\-\p{M}\p{scx=Latin}\p{scx=Han}\p{scx=Bopomofo}]+$/u,
  /^[\d\-\p{M}\p{scx=Latin}\p{scx=Han}\p{scx=Hangul}]+$/u,
]
/** Letters of other scripts that look like Latin ones: a label of nothing else may pose as a Latin name. */
const LOOKS_LATIN = /^[асԁеһіјӏорԗԛѕԝхуъЬҽпгѵѡαικνορυωχγղոսօզցհձյՙо\d-]+$/u
/** Letters that Latin names have; the phonetic and historical ones look like others. */
const RARE_LATIN = /[\u0180-\u0217\u021c-\u024f\u0250-\u02ff\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/u
/** Japanese signs that look like a slash, a dash or brackets beside Latin letters. */
const KANA_LIKE_SIGNS = /[ノンソゾーヽ丶丿〇]/gu
const KANA_OR_HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

/** A page's URL with its host as the address bar of a browser shows it. */
export function withUnicodeHost(displayUrl: DisplayUrl): DisplayUrl {
  const { host, text } = displayUrl
  const name = unicodeHost(host)
  if (name === host) return displayUrl
  const rest = text.startsWith(host) ? text.slice(host.length) : ''
  return {
    ...displayUrl,
    host: name,
    text: name + rest,
    letter: String.fromCodePoint(name.codePointAt(0)!).toUpperCase(),
  }
}

/**
 * The host of a URL in Unicode, unless one of its labels mixes scripts or could be mistaken for a Latin name.
 *
 * @param host  As `URL` has it, with or without a port.
 * @see         https://chromium.googlesource.com/chromium/src/+/main/docs/idn.md
 */
export function unicodeHost(host: string): string {
  const labels = host.split('.').map((label) => (label.startsWith('xn--') ? decode(label) : label))
  const isUnderOwnScript = /\P{ASCII}/u.test(labels.at(-1) ?? '')
  const areSafe = labels.every((label) => label !== undefined && isSafe(label, isUnderOwnScript))
  return areSafe ? labels.join('.') : host
}

function isSafe(label: string, isUnderOwnScript: boolean): boolean {
  const name = label.replace(/:\d+$/, '')
  if (!/\P{ASCII}/u.test(name)) return true
  if (name !== name.normalize('NFC') || RARE_LATIN.test(name) || /^\p{M}|\p{M}{3}/u.test(name)) return false
  if (!isUnderOwnScript && LOOKS_LATIN.test(name)) return false
  const withoutSigns = name.replace(KANA_LIKE_SIGNS, '')
  if (withoutSigns !== name && !KANA_OR_HAN.test(withoutSigns)) return false
  return LABELS.some((pattern) => pattern.test(name))
}

// https://www.rfc-editor.org/rfc/rfc3492#section-5
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const [BASE, T_MIN, T_MAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_N] = [36, 1, 26, 38, 700, 72, 128]

/** @returns  `undefined` for a label that is no Punycode. */
function decode(label: string): string | undefined {
  const [, encoded = '', port = ''] = /^xn--([a-z\d-]{1,59})(:\d+)?$/.exec(label) ?? []
  const delimiter = encoded.lastIndexOf('-')
  const output = Array.from(encoded.slice(0, Math.max(0, delimiter)), (letter) => letter.charCodeAt(0))
  let [n, i, bias] = [INITIAL_N, 0, INITIAL_BIAS]
  for (let index = delimiter + 1; index < encoded.length;) {
    const before = i
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(encoded[index++] ?? ' ')
      if (digit < 0) return undefined
      i += digit * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = output.length + 1
    bias = adapt(i - before, length, before === 0)
    n += Math.floor(i / length)
    i %= length
    if (n > 0x10ffff) return undefined
    output.splice(i++, 0, n)
  }
  return output.length ? String.fromCodePoint(...output) + port : undefined
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
