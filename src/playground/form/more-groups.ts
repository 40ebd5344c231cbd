import { fields, type PageData, type ParameterName } from '../../query/index.js'

/** The words that have a control of their own at the top of the form. */
export const MAIN_WORDS: readonly ParameterName[] = [
  'url',
  'screenshot',
  'element',
  'screenshot.fullPage',
  'overlay.browser',
  'overlay.background',
  'screenshot.type',
  'embed',
]

const NAMED_GROUPS: readonly { title: string; words: readonly ParameterName[] }[] = [
  {
    title: 'Device',
    words: [
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
    words: ['javascript', 'adblock', 'animations', 'styles', 'click', 'scroll'],
  },
  { title: 'Waiting', words: ['waitUntil', 'waitForSelector', 'waitForTimeout', 'timeout'] },
  { title: 'Picture', words: ['screenshot.quality', 'screenshot.omitBackground', 'palette'] },
  { title: 'Caching', words: ['ttl', 'staleTtl', 'force'] },
  { title: 'Answer', words: ['meta', 'ping', 'filter'] },
  { title: 'Headers', words: ['headers'] },
]

const grouped = new Set([...MAIN_WORDS, ...NAMED_GROUPS.flatMap(({ words }) => words)])

/** Every word that is not at the top of the form, so that a new one of the table has its control at once. */
export const MORE_GROUPS: typeof NAMED_GROUPS = [
  ...NAMED_GROUPS,
  { title: 'Signed request', words: (Object.keys(fields) as ParameterName[]).filter((word) => !grouped.has(word)) },
]

/** What `meta` can read. */
export const META_FIELDS = [
  'title',
  'description',
  'lang',
  'author',
  'publisher',
  'date',
  'url',
  'image',
  'logo',
  'audio',
  'video',
] as const satisfies readonly (keyof PageData)[]

/** What `ping` can check. */
export const PING_FIELDS = ['url', 'image', 'logo', 'audio', 'video'] as const satisfies readonly (keyof PageData)[]
