import { fields, type ParameterName } from '../query/index.js'

/** The parameters with a dedicated control in the main part of the form. */
export const MAIN_PARAMETERS: readonly ParameterName[] = [
  'url',
  'screenshot',
  'element',
  'screenshot.fullPage',
  'overlay.browser',
  'overlay.background',
  'screenshot.type',
  'embed',
  'candidates',
  'explain',
]

interface ParameterGroup {
  title: string
  parameters: readonly ParameterName[]
}

const NAMED_GROUPS: readonly ParameterGroup[] = [
  {
    title: 'Device',
    parameters: [
      'device',
      'viewport.width',
      'viewport.height',
      'viewport.deviceScaleFactor',
      'viewport.isMobile',
      'viewport.hasTouch',
      'viewport.isLandscape',
      'colorScheme',
      'mediaType',
    ],
  },
  {
    title: 'Page',
    parameters: ['javascript', 'adblock', 'animations', 'styles', 'click', 'scroll'],
  },
  { title: 'Waiting', parameters: ['waitUntil', 'waitForSelector', 'waitForTimeout', 'timeout'] },
  { title: 'Visitor', parameters: ['locale', 'timezone', 'geolocation'] },
  {
    title: 'Screenshot',
    parameters: [
      'screenshot.clip',
      'screenshot.padding',
      'screenshot.quality',
      'screenshot.omitBackground',
      'palette',
      'history',
    ],
  },
  { title: 'Caching', parameters: ['ttl', 'staleTtl', 'force'] },
  {
    title: 'Response',
    parameters: [
      'meta',
      'ping',
      'markdown',
      'text',
      'filter',
      'variant.width',
      'variant.maxSide',
      'variant.maxBytes',
      'variant.type',
      'variant.tiles',
    ],
  },
  { title: 'Choice', parameters: ['title.pick', 'image.pick'] },
  { title: 'Headers', parameters: ['headers'] },
]

const grouped = new Set([...MAIN_PARAMETERS, ...NAMED_GROUPS.flatMap(({ parameters }) => parameters)])

/** All other parameters. The last group takes every parameter without one, so that a new parameter gets a control at once. */
export const PARAMETER_GROUPS: readonly ParameterGroup[] = [
  ...NAMED_GROUPS,
  {
    title: 'Signed request',
    parameters: (Object.keys(fields) as ParameterName[]).filter((name) => !grouped.has(name)),
  },
]
