import { KnownDevices } from 'puppeteer-core'
import { nearestName } from '../../query/help/index.js'
import { fields, PageError, type PageQuery } from '../../query/index.js'

/** The device that a page is shown on. */
export interface Device {
  /** CSS pixels. */
  width: number
  height: number
  deviceScaleFactor: number
  isMobile: boolean
  hasTouch: boolean
  /** `undefined`: that of the browser. */
  userAgent: string | undefined
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

/** The names that `device` accepts, in their usual spelling; `resolveDevice` ignores their case. */
export const deviceNames: readonly string[] = Object.keys(catalogue)

/** Longer than any name; the time of comparing names grows with their length. */
const MAX_NAME_CHARS = 100

const normaliseName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
const nameByNormalisedName = new Map(deviceNames.map((name) => [normaliseName(name), name]))

/**
 * Resolves the `device` of a query, ignoring its case, and applies its `viewport` over it; `isLandscape` swaps width and height.
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
  const requested = normaliseName(device.slice(0, MAX_NAME_CHARS))
  // Desktop devices have no separate landscape variant.
  const name = nameByNormalisedName.get(requested) ?? nameByNormalisedName.get(requested.replace(/ landscape$/, ''))
  if (name) return name
  const reason = `is not a known device; the nearest is ${nearestName(requested, deviceNames)}`
  throw new PageError('EINVALQUERY', `device ${reason}.`, { data: { device: reason } })
}
