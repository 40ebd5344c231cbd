// Covers card.ts together with src/react: a frozen card shows what the React card shows for the same result.
import { parseDocument } from 'htmlparser2'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Layout } from '../../../src/card/index.js'
import type { PageData } from '../../../src/query/index.js'
import { PagePreview, PagePreviewProvider, type PagePreviewProps } from '../../../src/react/index.server.js'
import { toCardRequest } from '../../../src/static/freeze/card-request.js'
import { frozenCard } from '../../../src/static/freeze/card.js'
import type { FrozenPreview } from '../../../src/static/freeze/index.js'
import { fakeService } from '../../react/fake-service.js'
import { DATA, PREVIEW, SCREENSHOT } from './freeze-test.js'

const URL = 'https://www.shoreline.example/essays/tide-tables/'
const LAYOUTS: readonly Layout[] = ['card', 'row', 'image', 'inline']
const TEXTS = {
  short: 'How a tide table is made',
  hostile: `"><script>hacked()</script>' onload=hacked() &lt;b&gt; </title></style><!-- \u0000 ü 潮`,
  none: null,
}
const image = { ...SCREENSHOT, type: 'webp', width: 1200, height: 630 }

/** Results by name: every combination of what a page may lack. */
const RESULTS: readonly (readonly [name: string, data: PageData])[] = Object.entries(TEXTS).flatMap(([text, title]) =>
  Object.entries({ none: {}, screenshot: { screenshot: SCREENSHOT }, image: { image } }).flatMap(([kind, media]) =>
    Object.entries({ logo: DATA.logo, none: null }).flatMap(([logoKind, logo]) =>
      ([undefined, 'error-page', 'blank'] as const).map(
        (state) =>
          [
            `text ${text}, image ${kind}, logo ${logoKind}, state ${state}`,
            { title, description: title, lang: 'en', image: null, logo, ...(state && { state }), ...media },
          ] as const,
      ),
    ),
  ),
)

/** Those whose data differ most. */
const SOME_RESULTS = RESULTS.filter((_, index) => index % 11 === 0)

/** Options that a preview may have, beside its URL. */
const OPTIONS: readonly PagePreviewProps[] = [
  { url: URL },
  { url: URL, theme: 'dark', alt: 'Its "cover"' },
  { url: URL, element: '#main', priority: true },
  { url: URL, query: { locale: 'de' }, loading: 'eager' },
  { url: URL, imageDetails: false },
  { url: URL, query: { filter: 'title,image' } },
]

interface Element {
  tag: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

/** Where the files of images are, and how they are downloaded, differs. */
const OWN_ATTRIBUTES = ['src', 'srcset', 'sizes', 'referrerpolicy', 'decoding', 'lang', 'dir']

function elementsIn(nodes: ReturnType<typeof parseDocument>['children']): (Element | string)[] {
  return nodes.flatMap((node): (Element | string)[] => {
    if (!('attribs' in node)) return 'data' in node && /\S/.test(node.data) ? [node.data] : []
    if (node.name === 'source' || node.name === 'link') return []
    if (node.name === 'picture') return elementsIn(node.children)
    const { width, height, ...attributes } = node.attribs
    const own = Object.fromEntries(Object.entries(attributes).filter(([name]) => !OWN_ATTRIBUTES.includes(name)))
    const ratio = width && { ratio: (Number(width) / Number(height)).toFixed(1) }
    return [{ tag: node.name, attributes: { ...own, ...ratio }, children: elementsIn(node.children) }]
  })
}

/** The same elements as they may be in a paragraph. */
const inParagraph = (elements: (Element | string)[]): (Element | string)[] =>
  elements.map((element) =>
    typeof element === 'string'
      ? element
      : {
          ...element,
          tag: element.tag.replace(/^(article|figure|div)$/, 'span'),
          children: inParagraph(element.children),
        },
  )

const parsed = (markup: string) => elementsIn(parseDocument(markup).children)

async function reactCard(props: PagePreviewProps, data: PageData | undefined): Promise<string> {
  const { fetch } = fakeService({ data: { screenshot: null, ...data } })
  const source = data ? { endpoint: 'https://service.test', server: { fetch } } : { data: {} }
  const element = await PagePreview({ ...props, ...source, screenshot: true })
  return renderToStaticMarkup(createElement(PagePreviewProvider, { locale: props.query?.locale }, element))
}

function frozen(
  { url, query, ...props }: PagePreviewProps,
  data: PageData | undefined,
  text?: string,
  isPhrasing = false,
): string {
  const request = toCardRequest({ ...props, ...query, url })
  const files = PREVIEW.image!.files
  const preview: FrozenPreview | undefined = data && {
    data,
    date: PREVIEW.date,
    icon: data.logo ? PREVIEW.icon : undefined,
    image: data.screenshot
      ? { isScreenshot: true, width: 2560, height: 1600, files }
      : data.image
        ? { isScreenshot: false, width: 1200, height: 630, files }
        : undefined,
  }
  return frozenCard({ request, preview, assets: '', href: url, text, link: {}, isPhrasing })
}

describe.each(LAYOUTS)('a frozen card in the layout %s', (layout) => {
  it('has the elements, classes, texts and attributes of the React card', async () => {
    for (const options of OPTIONS)
      for (const [name, data] of options === OPTIONS[0] ? RESULTS : SOME_RESULTS) {
        const props = { ...options, layout }
        expect(parsed(frozen(props, data)), name).toEqual(parsed(await reactCard(props, data)))
      }
  })

  it('has the elements of the React card for a paragraph', async () => {
    for (const [name, data] of SOME_RESULTS) {
      const card = await reactCard({ url: URL, layout }, data)
      expect(parsed(frozen({ url: URL, layout }, data, undefined, true)), name).toEqual(inParagraph(parsed(card)))
    }
  })

  it('shows what the author calls a page of which nothing is known, as React does', async () => {
    const card = await reactCard({ url: URL, layout, children: 'My "words"', 'aria-label': 'My "words"' }, undefined)
    expect(parsed(frozen({ url: URL, layout }, undefined, 'My "words"'))).toEqual(parsed(card))
    expect(card).toContain('My &quot;words&quot;')
  })
})

describe('the image of a frozen card', () => {
  it('offers each type in each width, and last the type that all browsers support', () => {
    const card = frozen({ url: URL }, DATA)
    expect(card).toContain(
      '<picture><source type="image/webp" sizes="auto, (max-width: 36em) 100vw, 36em" srcset="0123456789abcdef.320.webp 320w, ',
    )
    expect(card).toMatch(/<img class="pp-image" width="640" height="400" loading="lazy" decoding="async"/)
    expect(card).toMatch(/srcset="fedcba9876543210\.320\.jpg 320w, [^"]+" src="fedcba9876543210\.640\.jpg"><\/picture>/)
  })

  it('has a file for the dark colour scheme, before all others', () => {
    const files = PREVIEW.image!.files.map((file) => ({ ...file, name: `dark-${file.name}` }))
    const request = toCardRequest({ url: URL, screenshot: true, colorSchemes: 'light dark' })
    const preview = { ...PREVIEW, darkImage: { width: 2560, height: 1600, files } }
    const card = frozenCard({ request, preview, assets: '', href: URL, text: undefined, link: {}, isPhrasing: false })
    const sources = [...card.matchAll(/<source[^>]*>/g)].map(([source]) => source)
    expect(sources.map((source) => /media="([^"]*)"/.exec(source)?.[1])).toEqual([
      '(prefers-color-scheme: dark)',
      '(prefers-color-scheme: dark)',
      undefined,
    ])
    expect(sources.map((source) => /type="([^"]*)"/.exec(source)?.[1])).toEqual([
      'image/webp',
      'image/jpeg',
      'image/webp',
    ])
    expect(sources[0]).toContain('srcset="dark-0123456789abcdef.320.webp 320w')
  })

  it('is an img alone where there is one file', () => {
    const image = {
      isScreenshot: true,
      width: 300,
      height: 200,
      files: [{ name: 'a.png', type: 'png' as const, width: 300 }],
    }
    const request = toCardRequest({ url: URL })
    const card = frozenCard({
      request,
      preview: { ...PREVIEW, image },
      assets: '/p/',
      href: URL,
      text: undefined,
      link: {},
      isPhrasing: false,
    })
    expect(card).not.toContain('<picture>')
    expect(card).toContain(
      '<img class="pp-image" width="300" height="200" loading="lazy" decoding="async" alt="How a tide table is made" src="/p/a.png">',
    )
  })
})

it.each([
  ['no size', { width: 0, height: 0 }, 0],
  ['a width alone', { width: 300, height: 0 }, 300],
  ['a height alone', { width: 0, height: 200 }, 0],
  ['a file without a width', { width: 300, height: 200 }, 0],
])('has an image without dimensions where they are not known (%s)', (_, size, width) => {
  const files = [
    { name: 'a.webp', type: 'webp' as const, width },
    ...['b.gif', 'c.gif'].map((name) => ({ name, type: 'gif' as const, width })),
  ]
  const preview = { ...PREVIEW, image: { ...size, files, isScreenshot: true }, darkImage: { ...size, files } }
  const request = toCardRequest({ url: URL, screenshot: true, colorSchemes: 'light dark' })
  const card = frozenCard({ request, preview, assets: '', href: URL, text: undefined, link: {}, isPhrasing: false })
  expect(card).toContain('src="b.gif"')
  expect(/<picture>.*<\/picture>/.exec(card)?.[0]).not.toMatch(/ (width|height)=|NaN|Infinity| 0w/)
})

it('shows the date of a page that has failed since, and links to an archived copy', () => {
  const preview = { ...PREVIEW, isStale: true, archiveUrl: 'https://web.archive.org/web/2026/https://a.example/?a&b' }
  const request = toCardRequest({ url: URL, locale: 'de' })
  const card = frozenCard({ request, preview, assets: '', href: URL, text: undefined, link: {}, isPhrasing: false })
  expect(card).toContain('data-status="stale"')
  expect(card).toContain('<span class="pp-status"><time datetime="2026-11-20T08:00:00.000Z">20.11.2026</time></span>')
  expect(card).toContain('<a class="pp-archive" href="https://web.archive.org/web/2026/https://a.example/?a&amp;b"')
})
