import { KnownDevices } from 'puppeteer-core'
import { foldDeviceName, invalidParameter, nearestName } from '../../query/help/index.js'
import { fields, type PageQuery } from '../../query/index.js'
import { clientHintsOf } from './client-hints.js'
import { setClockAhead } from './in-page/clock.js'
import type { OpenPage } from './open-page.js'
import { textOf } from './run-in-page.js'

/** The device that a page is shown on. */
export interface Device {
  /** CSS pixels. */
  width: number
  height: number
  deviceScaleFactor: number
  isMobile: boolean
  hasTouch: boolean
  /** `undefined`: the browser's own. */
  userAgent: string | undefined
}

/** Meters; `coords.accuracy` of the page's position. */
const ACCURACY_M = 10

/** Whether the screenshot of a query shows nothing where the page has no background. */
export const isTransparent = ({ screenshot }: Pick<PageQuery, 'screenshot'>): boolean =>
  typeof screenshot === 'object' && screenshot.omitBackground === true && (screenshot.type ?? 'jpg') !== 'jpg'

/** The user agent that the page gets. @param userAgent  That of desktop devices. */
export const shownUserAgent = ({
  query: { headers },
  device,
  userAgent,
}: {
  query: PageQuery
  device: Device
  userAgent: string
}): string => headers?.['user-agent'] ?? device.userAgent ?? userAgent

/** Applies the device, the visitor and the media features of a query to a new page, before it loads anything. */
export async function emulate({
  page,
  query,
  device,
  userAgent,
  clockAheadMs,
}: {
  page: OpenPage
  query: PageQuery
  device: Device
  /** The user agent of desktop devices. */
  userAgent: string
  /** See `ExtractionScope`; also of frames, but of those of other sites. */
  clockAheadMs?: number | undefined
}): Promise<void> {
  const { session, setups, allowGeolocation } = page
  const { colorScheme, mediaType, animations, javascript, styles } = query
  const { languages, timezone, position } = resolveVisitor(query)
  const { width, height, deviceScaleFactor, isMobile, hasTouch } = device
  const ownUserAgent = shownUserAgent({ query, device, userAgent })
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor,
      mobile: isMobile,
      screenWidth: width,
      screenHeight: height,
      screenOrientation:
        width > height ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 },
    }),
    setups.add((each) =>
      each.send('Emulation.setUserAgentOverride', {
        userAgent: ownUserAgent,
        userAgentMetadata: clientHintsOf(ownUserAgent),
        // The browser adds the weights.
        acceptLanguage: languages?.join(),
      }),
    ),
    session.send('Emulation.setEmulatedMedia', {
      media: mediaType ?? '',
      features: [
        { name: 'prefers-color-scheme', value: colorScheme ?? '' },
        { name: 'prefers-reduced-motion', value: animations ? '' : 'reduce' },
      ],
    }),
    languages && session.send('Emulation.setLocaleOverride', { locale: languages[0]! }),
    timezone && session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }),
    position && session.send('Emulation.setGeolocationOverride', { ...position, accuracy: ACCURACY_M }),
    position && allowGeolocation(),
    hasTouch && session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    clockAheadMs !== undefined &&
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: `${textOf(setClockAhead)}(${clockAheadMs})` }),
    javascript === false && session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    isTransparent(query) &&
      session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }),
    // The page's content security policy would otherwise block the caller's style sheets.
    styles && session.send('Page.setBypassCSP', { enabled: true }),
  ])
}

interface CatalogueEntry {
  viewport: Partial<Device> & { width: number; height: number; isLandscape?: boolean }
  userAgent?: string
}

const desktop = (width: number, height: number): CatalogueEntry => ({
  viewport: { width, height, deviceScaleFactor: 2 },
})

const catalogue: Readonly<Record<string, CatalogueEntry>> = {
  ...KnownDevices,
  'Macbook Pro 13': desktop(1280, 800),
  'Macbook Pro 15': desktop(1440, 900),
  'Macbook Pro 16': desktop(1728, 1117),
  'iMac 24': desktop(2240, 1260),
  'iMac 27': desktop(2560, 1440),
}

/** The names that `device` accepts, in their usual spelling; `resolveDevice` ignores their case and separators. */
export const deviceNames: readonly string[] = Object.keys(catalogue)

const nameByFoldedName = new Map(deviceNames.map((name) => [foldDeviceName(name), name]))

/**
 * Resolves the `device` of a query, ignoring its case and separators, and applies its `viewport` over it; `isLandscape` swaps width and height.
 *
 * @throws  {PageError} `EINVALQUERY` naming the most similar device.
 */
export function resolveDevice({ device = fields.device.default, viewport = {} }: PageQuery): Device {
  const { viewport: preset, userAgent } = catalogue[deviceName(device)]!
  const width = viewport.width ?? preset.width
  const height = viewport.height ?? preset.height
  const isRotated =
    viewport.isLandscape === true
      ? width < height
      : viewport.isLandscape === false && preset.isLandscape && width > height
  return {
    width: isRotated ? height : width,
    height: isRotated ? width : height,
    deviceScaleFactor: viewport.deviceScaleFactor ?? preset.deviceScaleFactor ?? 1,
    isMobile: viewport.isMobile ?? preset.isMobile ?? false,
    hasTouch: viewport.hasTouch ?? preset.hasTouch ?? false,
    userAgent,
  }
}

function deviceName(device: string): string {
  const requested = foldDeviceName(device)
  // Desktop devices have no separate landscape variant.
  const name = nameByFoldedName.get(requested) ?? nameByFoldedName.get(requested.replace(/ landscape$/, ''))
  if (name) return name
  throw invalidParameter('device', `is not a known device; the nearest is ${nearestName(requested, deviceNames)}`)
}

/** What a page may learn about its visitor. */
export interface Visitor {
  /** Languages as in `navigator.languages`, the preferred one first; `undefined`: the browser's own. */
  languages: readonly string[] | undefined
  /** IANA name; `undefined`: the machine's own. */
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

/** Languages as browsers list them: with the region, then without. */
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
  throw invalidParameter('geolocation', 'must have a latitude up to 90 and a longitude up to 180 degrees')
}

/** An error of a parameter, caused by an error of the platform. `invalidParameter` takes no cause, because browsers load it too. */
function invalidVisitor(parameter: string, reason: string, cause: unknown) {
  const error = invalidParameter(parameter, reason)
  error.cause = cause
  return error
}
