/** A day of each month of one year. */
const DAYS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)))
/** Countries with one language name the months differently. */
const LOCALES: Readonly<Record<string, readonly string[]>> = { ar: ['ar-EG', 'ar-SY', 'ar-MA'] }
const MAX_LANGUAGES = 50
const MIN_NAME_CHARS = 2

/** Names of months by language; limited, because each language takes some kilobytes. */
const known = new Map<string, ReadonlyMap<string, number>>()

/**
 * Finds the month with a name in the language, as written within a date: `marca` of `12 marca 2024`, or its beginning.
 *
 * @param lang  Two or three letters.
 * @returns     From 1; `undefined` when the language has no such month.
 */
export function findLocalMonth(name: string, lang: string): number | undefined {
  const months = known.get(lang) ?? readMonths(lang)
  if (!known.has(lang) && known.size < MAX_LANGUAGES) known.set(lang, months)
  const key = keyOf(name)
  return months.get(key) ?? (lang === 'he' ? months.get(key.replace(/^ב/, '')) : undefined)
}

/** Arabic is often written without the marks on its first letter. */
const keyOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^[أإآ]/, 'ا')

function readMonths(lang: string): ReadonlyMap<string, number> {
  const months = new Map<string, number>()
  if (!/^[a-z]{2,3}$/.test(lang) || !Intl.DateTimeFormat.supportedLocalesOf(lang).length) return months
  for (const locale of LOCALES[lang] ?? [lang])
    for (const month of ['long', 'short'] as const)
      for (const options of [{ month, day: 'numeric' }, { month }] as const) {
        const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
        for (const [at, day] of DAYS.entries()) {
          const name = format.formatToParts(day).find(({ type }) => type === 'month')?.value ?? ''
          const key = keyOf(name)
          if (key.length >= MIN_NAME_CHARS && !months.has(key)) months.set(key, at + 1)
        }
      }
  return months
}
