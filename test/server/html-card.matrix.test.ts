import { parseDocument } from 'htmlparser2'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageData } from '../../src/query/index.js'
import { htmlCard } from '../../src/server/html-card.js'
import { cardHeaders } from '../../src/server/http/response-headers.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { isSlowRun } from '../shared/slow-cases.js'

const HOSTILE_TEXTS = [
  '<script>hacked()</script>',
  '"><script>hacked()</script>',
  "'><img src=x onerror=hacked()>",
  '</title><script>hacked()</script>',
  '</style><script>hacked()</script>',
  '</a></article><svg onload=hacked()>',
  '" onmouseover="hacked()" x="',
  "' autofocus onfocus='hacked()",
  '<!--><script>hacked()</script>-->',
  ']]><script>hacked()</script>',
  '&lt;script&gt;hacked()&lt;/script&gt;',
  '&#60;script&#62;hacked()&#60;/script&#62;',
  '\u0000<script>hacked()</script>',
  '\u2028</script><script>hacked()</script>',
  '${hacked()}{{hacked()}}<%= hacked() %>',
  '<iframe srcdoc="<script>parent.hacked()</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=hacked()>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:hacked()">',
]
const HOSTILE_URLS = [
  'javascript:hacked()',
  'JaVaScRiPt:hacked()//http://',
  'data:text/html,<script>hacked()</script>',
  'https://a.example/"onerror="hacked()',
  "https://a.example/'onerror='hacked()",
  'https://a.example/x"><script>hacked()</script>',
  'https://a.example/&quot; onerror=&quot;hacked()',
]

const media = (url: string) => ({ url, type: 'png', size: 1, size_pretty: '1 B', width: 1, height: 1 })
const inEveryField = (text: string): PageData => ({
  title: text,
  description: text,
  lang: text,
  publisher: text,
  image: { ...media('https://a.example/a.png'), type: text, size_pretty: text },
  logo: media('https://a.example/a.png'),
})
const SOURCES = { styles: '.page-preview{color:red}', discovery: 'https://previews.example/oembed?url=a' }
const cardOf = (data: PageData, url = 'https://example.com/', styles = SOURCES.styles) =>
  htmlCard(data, { url }, { ...SOURCES, styles })

const CARDS: [string, string][] = [
  ...HOSTILE_TEXTS.map((text): [string, string] => [`text ${text}`, cardOf(inEveryField(text))]),
  ...HOSTILE_URLS.map((url): [string, string] => [
    `URL ${url}`,
    cardOf({ title: 'A', image: media(url), logo: media(url) }),
  ]),
  ...HOSTILE_TEXTS.map((text): [string, string] => [
    `path ${text}`,
    cardOf({ title: null }, new URL(`https://example.com/?${text}#${text}`).href),
  ]),
  ['stylesheet', cardOf({ title: 'A' }, undefined, 'a{}</style><script>hacked()</script>')],
]

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  meta: ['charset', 'name', 'content'],
  title: [],
  link: ['rel', 'type', 'href', 'title'],
  style: [],
  article: ['class', 'data-layout', 'data-status', 'data-fit', 'lang', 'style'],
  div: ['class', 'dir'],
  a: ['class', 'href', 'target', 'rel'],
  span: ['class', 'aria-hidden', 'dir'],
  br: [],
  bdi: ['class'],
  img: ['class', 'src', 'width', 'height', 'alt', 'decoding', 'referrerpolicy', 'sizes', 'srcset'],
}

describe('a card of a hostile page', () => {
  it.each(CARDS)('%s has only its own elements and attributes', (_, html) => {
    const wrong: string[] = []
    const visit = (nodes: ReturnType<typeof parseDocument>['children']) => {
      for (const node of nodes) {
        if ('attribs' in node) {
          const allowed = Object.hasOwn(ALLOWED, node.name) ? ALLOWED[node.name]! : undefined
          wrong.push(
            ...Object.keys(node.attribs).flatMap((name) => (allowed?.includes(name) ? [] : [`${node.name} ${name}`])),
          )
          if (!allowed) wrong.push(node.name)
          const urls = [node.attribs.href, node.attribs.src].filter((url) => url !== undefined)
          wrong.push(...urls.filter((url) => !/^https?:\/\//.test(url)))
        }
        if ('children' in node) visit(node.children)
      }
    }
    visit(parseDocument(html).children)
    expect(wrong).toEqual([])
  })

  describe.runIf(isSlowRun)('in a browser, without the content security policy of its response', () => {
    let chromium: Browser
    beforeAll(async () => {
      chromium = await launchChromium()
    })
    afterAll(() => chromium.close())

    it('runs no script and shows every text as it is', async () => {
      const page = await chromium.newPage()
      const calls: string[] = []
      await page.exposeFunction('hacked', () => calls.push(page.url()))
      await page.setRequestInterception(true)
      page.on('request', (request) => void (request.isNavigationRequest() ? request.continue() : request.abort()))
      for (const [name, html] of CARDS) {
        await page.setContent(html)
        const { titles, cards } = await page.evaluate(() => ({
          titles: document.querySelector('.pp-title')!.textContent,
          cards: document.querySelectorAll('body > .page-preview:only-child .pp-host').length,
        }))
        expect(cards, name).toBe(1)
        // HTML has no representation of NUL.
        if (name.startsWith('text ')) expect(titles).toBe(name.slice(5).replace('\u0000', ''))
        await page.hover('.pp-link')
      }
      expect(calls).toEqual([])
    })
  })
})

describe('a card', () => {
  it('has an image with its dimensions and alternative text', () => {
    const html = cardOf({
      title: 'A',
      image: { ...media('https://a.example/a.webp'), type: 'webp', width: 12, height: 34 },
    })
    expect(html).toContain('<img class="pp-image" src="https://a.example/a.webp" width="12" height="34" alt="A"')
    expect(html).toContain('<span>12 × 34</span><span>WebP</span><span>1 B</span>')
  })

  it('has the alternative text that the page states', () => {
    const html = cardOf({ title: 'A', image: { ...media('https://a.example/a.webp'), alt: 'A "lighthouse" & a rock' } })
    expect(html).toContain('alt="A &quot;lighthouse&quot; &amp; a rock"')
  })

  it('has an icon that is in the URL itself', () => {
    const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><text>🗼</text></svg>'
    const html = cardOf({ title: 'A', logo: { ...media(icon), type: 'svg' } })
    expect(html).toContain('<span class="pp-icon" aria-hidden="true"><img src="data:image/svg+xml,&lt;svg xmlns=&quot;')
    expect(cardOf({ title: 'A', logo: { ...media('data:text/html,<b>'), type: 'svg' } })).not.toContain('data:text')
  })

  it('has the variants of an image that the service stores', () => {
    const url = `https://service.test/images/${'a'.repeat(64)}.jpg`
    const html = cardOf({
      title: 'A',
      screenshot: { ...media(url), width: 700, height: 400, background_color: '#ffffff' } as never,
    })
    expect(html).toContain(
      `sizes="(max-width: 36em) 100vw, 36em" srcset="${url}?w=320&amp;type=webp 320w,${url}?w=640&amp;type=webp 640w,${url}?type=webp 700w"`,
    )
  })

  it('of a page without metadata shows its URL and a letter', () => {
    const html = htmlCard({}, { url: 'https://www.example.com/some/page/' }, SOURCES)
    expect(html).toContain('<span class="pp-title">example.com/some/page</span>')
    expect(html).toContain('<span class="pp-fallback" aria-hidden="true">E</span>')
    expect(html).not.toContain('<img')
  })

  it('has no tag that would change the page it is included in', () => {
    expect(cardOf({ title: 'A' })).not.toMatch(/<\/?(html|head|body)\b/)
  })

  it('may be framed by any page, and allows no script at all', () => {
    const policy = cardHeaders(undefined)['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/frame-ancestors|script-src|unsafe-eval/)
  })
})
