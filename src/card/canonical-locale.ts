/** A locale that `Intl` accepts: `de_DE` becomes `de-DE`, an invalid one `en`. */
export function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0]!
  } catch {
    return 'en'
  }
}
