// Covers html-card.ts together with src/react: the service's HTML card shows what the React card shows for the same data.
import { parseDocument } from 'htmlparser2'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Media, PageData, PageQuery, Screenshot } from '../../src/query/index.js'
import { PagePreview } from '../../src/react/index.server.js'
import { htmlCard } from '../../src/server/html-card.js'

const URL_WITH_PATH = 'https://www.shoreline.example/essays/tide-tables/'

const image: Media = {
  url: 'https://shoreline.example/cover.webp',
  type: 'webp',
  size: 53_300,
  size_pretty: '53.3 kB',
  width: 1200,
  height: 630,
}
const unmeasuredImage: Media = { ...image, type: null, size: null, size_pretty: null, width: null, height: null }
const logo: Media = { ...image, url: 'https://shoreline.example/icon.png', type: 'png', width: 64, height: 64 }
const screenshot: Screenshot = {
  url: `https://service.test/images/${'a1'.repeat(32)}.jpg`,
  width: 2560,
  height: 1600,
  type: 'jpg',
  size: 120_000,
  size_pretty: '120 kB',
  background_color: '#f6f1e5',
}

const TEXTS = {
  short: 'How a tide table is made',
  long: 'Before satellites there was a brass machine. '.repeat(40),
  hostile: `"><script>hacked()</script>' onload=hacked() &lt;b&gt; </title></style><!-- <svg onload=hacked()>`,
  none: null,
} as const

/** Every shape of data that a query can produce, by name. */
const SHAPES: readonly (readonly [name: string, data: PageData])[] = Object.entries(TEXTS).flatMap(
  ([titleLength, title]) =>
    Object.entries(TEXTS).flatMap(([descriptionLength, description]) =>
      Object.entries({
        none: undefined,
        light: screenshot,
        dark: { ...screenshot, background_color: '#0a0a0a' },
      }).flatMap(([screenshotKind, screenshot]) =>
        Object.entries({ none: null, measured: image, unmeasured: unmeasuredImage }).flatMap(([imageKind, image]) =>
          Object.entries({ none: null, found: logo }).map(
            ([logoKind, logo]) =>
              [
                `title ${titleLength}, description ${descriptionLength}, screenshot ${screenshotKind}, image ${imageKind}, logo ${logoKind}`,
                { title, description, lang: 'en', image, logo, ...(screenshot && { screenshot }) },
              ] as const,
          ),
        ),
      ),
    ),
)

interface Element {
  tag: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

/** What each renderer adds for its own place, without a difference in what the reader gets. */
const OWN_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  // The service names the language; its colour behind the image is a style attribute, which React's markup must not have.
  article: ['lang', 'style'],
  // A card in a frame opens its page in the window.
  a: ['target', 'rel'],
  div: ['dir'],
  // How the image is downloaded, and that it is a screenshot, for proxies.
  img: ['loading', 'decoding', 'referrerpolicy', 'srcset', 'sizes', 'data-screenshot'],
}

type Nodes = ReturnType<typeof parseDocument>['children']

function elementsIn(nodes: Nodes): (Element | string)[] {
  return nodes.flatMap((node): (Element | string)[] => {
    if ('attribs' in node) {
      const ownAttributes = OWN_ATTRIBUTES[node.name] ?? []
      const attributes = Object.entries(node.attribs).filter(([name]) => !ownAttributes.includes(name))
      return [{ tag: node.name, attributes: Object.fromEntries(attributes), children: elementsIn(node.children) }]
    }
    return 'data' in node && /\S/.test(node.data) ? [node.data] : []
  })
}

const articleIn = (markup: string) =>
  elementsIn(parseDocument(markup).children).filter((node) => typeof node === 'object' && node.tag === 'article')

const serviceCard = (data: PageData, query: PageQuery) =>
  articleIn(htmlCard(data, query, { styles: '', discovery: undefined }))
const reactCard = async (data: PageData, { url, element }: PageQuery) =>
  articleIn(renderToStaticMarkup((await PagePreview({ url, element, data })) as ReactElement))

describe('the HTML card of the service', () => {
  it.each([{ url: URL_WITH_PATH }, { url: 'https://example.com/', element: '#main' }])(
    'has the elements, classes, texts and attributes of the React card, for %j',
    async (query) => {
      expect(SHAPES.length).toBeGreaterThan(200)
      for (const [name, data] of SHAPES) expect(serviceCard(data, query), name).toEqual(await reactCard(data, query))
    },
  )

  it('agrees about a page of which nothing is known', async () => {
    expect(serviceCard({}, { url: URL_WITH_PATH })).toEqual(await reactCard({}, { url: URL_WITH_PATH }))
  })

  it('shows the icon of a page without an image in its place', () => {
    const markup = htmlCard({ title: 'A', logo }, { url: URL_WITH_PATH }, { styles: '', discovery: undefined })
    expect(markup).toContain(
      `<span class="pp-fallback" aria-hidden="true"><img src="${logo.url}" width="64" height="64" alt=""`,
    )
  })

  it('shows the letter when the icon was not fetched, because without script nothing could replace a broken one', () => {
    const data = { title: 'A', logo: { ...logo, type: null } }
    const markup = htmlCard(data, { url: URL_WITH_PATH }, { styles: '', discovery: undefined })
    expect(markup).toContain('<span class="pp-fallback" aria-hidden="true">S</span>')
    expect(markup).not.toContain('<img')
  })
})
