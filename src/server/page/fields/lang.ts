import { mainEntity, meta, pageNode, rule, type Rule } from './rule.js'

export const langRules: readonly Rule[] = [
  rule('html lang', ({ lang }) => [lang]),
  meta('content-language', 'language', 'og:locale', 'dc.language', 'inlanguage'),
  mainEntity('inLanguage'),
  pageNode(/./, 'inLanguage'),
]

/** Codes for no language, and for several: https://www.loc.gov/standards/iso639-2/faq.html#25 */
const NO_LANGUAGE = /^(?:und|mul|mis|zxx)$/i

/** The language without its region, in two letters if there is such a code: `de` of `deu` and `de_AT`. */
export function normaliseLanguage(text: string): string | undefined {
  const [, code] = /^\s*([a-z]{2,3})(?![a-z])/i.exec(text) ?? []
  return code && !NO_LANGUAGE.test(code) ? Intl.getCanonicalLocales(code)[0] : undefined
}
