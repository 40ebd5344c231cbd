import { distance } from 'fastest-levenshtein'
import { KnownDevices } from 'puppeteer-core'
import { fields, PageError, type PageQuery } from '../../query/index.js'

/** What a page is shown on. */
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
const spell = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
const nameBySpelling = new Map(Object.keys(catalogue).map((name) => [spell(name), name]))

/**
 * The device of a query: its `device` in any case, with its `viewport` over it; `isLandscape` turns it.
 *
 * @throws  {PageError} `EINVALQUERY` naming the nearest device.
 */
export function resolveDevice({ device = fields.device.default, viewport = {} }: PageQuery): Device {
  const { viewport: usual, userAgent } = catalogue[nameOf(device)]!
  const width = viewport.width ?? usual.width
  const height = viewport.height ?? usual.height
  const isTurned =
    viewport.isLandscape === true
      ? width < height
      : viewport.isLandscape === false && usual.isLandscape && width > height
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    deviceScaleFactor: viewport.deviceScaleFactor ?? usual.deviceScaleFactor ?? 1,
    isMobile: viewport.isMobile ?? usual.isMobile ?? false,
    hasTouch: viewport.hasTouch ?? usual.hasTouch ?? false,
    userAgent,
  }
}

function nameOf(device: string): string {
  const spelling = spell(device)
  // A screen that is wide by nature has no other landscape.
  const found = nameBySpelling.get(spelling) ?? nameBySpelling.get(spelling.replace(/ landscape$/, ''))
  if (found) return found
  const [nearest] = Object.keys(catalogue).toSorted(
    (a, b) => distance(spell(a), spelling) - distance(spell(b), spelling),
  )
  const reason = `is not a known device; the nearest is ${nearest}`
  throw new PageError('EINVALQUERY', `device ${reason}.`, { data: { device: reason } })
}
