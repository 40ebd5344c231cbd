/** A language as `Intl` takes it: `de_DE` is `de-DE`, and what is none is English. */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replace('_', '-'))[0]!
  } catch {
    return 'en'
  }
}
