// Covers documents that browsers read as XML, and empty ones.
import { describe, expect, it } from 'vitest'
import { pageSite, send } from './page-site.js'

const NAMESPACE = 'xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"'
const TEXT = 'The brass tide clock above the harbour office has run without pause since it was wound in spring.'
const DECLARED = '<meta property="og:image" content="/a.png"/><meta name="author" content="Mira Solheim"/>'
const BODY = `<body><h1>The tide clock</h1><p>${TEXT}</p></body>`
const document = (head: string, body = BODY) =>
  `<?xml version="1.0" encoding="UTF-8"?><html ${NAMESPACE}><head>${head}</head>${body}</html>`

async function read(body: string, type: string) {
  const site = await pageSite({ '/page': send(body, { 'content-type': type }) })
  const { title, description, author, image } = (await site.read({}, '/page')).data
  return { title, description, author, image: image?.url.replace(site.url, '') ?? null }
}

const WHOLE = { title: 'The tide clock', description: TEXT, author: 'Mira Solheim', image: '/a.png' }
const TITLE = '<title>The tide clock</title>'

describe.each(['application/xhtml+xml', 'application/xhtml+xml; charset=utf-8', 'application/xml', 'text/xml'])(
  'a page of the type %s is read as XML',
  (type) => {
    it.each([
      ['a script that closes itself', document(`${TITLE}<script src="/x.js"/>${DECLARED}<script>var a = 1</script>`)],
      ['a style that closes itself', document(`<style/>${TITLE}${DECLARED}`)],
      ['a title of CDATA', document(`<title><![CDATA[The tide clock]]></title>${DECLARED}`)],
      [
        'elements that close themselves',
        document(TITLE + DECLARED, `<body><div/><a id="t"/><textarea/><iframe src="/x"/>${BODY.slice(6)}`),
      ],
      ['a script of CDATA', document(`<script>//<![CDATA[\nvar a = "</p>"\n//]]></script>${TITLE}${DECLARED}`)],
    ])('with %s', async (_, body) => expect(await read(body, type)).toEqual(WHOLE))
  },
)

it('a page after its scripts have run is read as XML if it was fetched as such', async () => {
  const shell = document('<title>App</title><script src="/x.js"/>', '<body><div id="root"/></body>')
  const site = await pageSite({ '/': send(shell, { 'content-type': 'application/xhtml+xml' }) })
  const rendered = await site.readRendered(document(`<script src="/x.js"/>${TITLE}${DECLARED}`), await site.read())
  expect(rendered?.data).toMatchObject({ title: 'The tide clock', author: 'Mira Solheim' })
})

it('a page of the type text/html is read as HTML, in which no script closes itself', async () => {
  const body = `<html><head>${TITLE}<script src="/x.js"/>${DECLARED}</script></head>${BODY}</html>`
  expect(await read(body, 'text/html')).toEqual({ ...WHOLE, author: null, image: null })
})

it.each([
  ['no bytes', ''],
  ['a blank', ' '],
  ['no elements in it', '<html></html>'],
])('a page of %s has no title', async (_, body) =>
  expect(await read(body, 'text/html')).toEqual({ title: null, description: null, author: null, image: null }),
)
