import { PageError, type PageQuery } from '../../query/index.js'

/** What a page may learn about its visitor. */
export interface Visitor {
  /** Like `navigator.languages`, the preferred one first; `undefined`: those of the browser. */
  languages: readonly string[] | undefined
  /** IANA name; `undefined`: that of the machine. */
  timezone: string | undefined
  /** Degrees; `undefined`: the page is not allowed to know it. */
  position: { latitude: number; longitude: number } | undefined
}

/**
 * Resolves `locale`, `timezone` and `geolocation` of a query.
 *
 * @throws  {PageError} `EINVALQUERY` for a locale or a time zone that `Intl` does not accept, and a position outside of the globe.
 */
export function resolveVisitor({ locale, timezone, geolocation }: PageQuery): Visitor {
  return {
    languages: locale === undefined ? undefined : languagesOf(locale),
    timezone: timezone === undefined ? undefined : canonicalTimezone(timezone),
    position: geolocation === undefined ? undefined : positionOf(geolocation),
  }
}

/** As browsers list them: the language with its region, then without. */
function languagesOf(locale: string): string[] {
  try {
    const { baseName, language } = new Intl.Locale(locale)
    return [...new Set([baseName, language])]
  } catch (cause) {
    throw invalidVisitor('locale', 'is not a BCP 47 language tag', cause)
  }
}

function canonicalTimezone(timezone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  } catch (cause) {
    throw invalidVisitor('timezone', 'is not the IANA name of a time zone', cause)
  }
}

function positionOf(geolocation: string): Visitor['position'] {
  const [latitude = NaN, longitude = NaN] = geolocation.split(',').map(Number)
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  throw invalidVisitor('geolocation', 'must have a latitude up to 90 and a longitude up to 180 degrees')
}

const invalidVisitor = (parameter: string, reason: string, cause?: unknown) =>
  new PageError('EINVALQUERY', `${parameter} ${reason}.`, { data: { [parameter]: reason }, cause })
