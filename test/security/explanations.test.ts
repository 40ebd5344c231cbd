// Covers what a page, or a caller, could do with candidates, picks and explanations, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { candidateId } from '../../src/server/explainer.js'
import { redirectTo } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const SECRET = 'a-secret-of-the-operator'
const PRIVATE = 'http://10.0.0.1/secret.png'
const LONG = 'x'.repeat(10_000)
const many = (count: number, tag: (at: number) => string) => Array.from({ length: count }, (_, at) => tag(at)).join('')
const image = (url: string) => `<meta property="og:image" content="${url}">`

/** States as much as a page can, and covers itself with as many layers. */
const LARGE = `<title>${LONG}</title>${many(300, (at) => `<meta property="og:title" content="${at} ${LONG.slice(0, 450)}">`)}
  ${many(300, (at) => image(`/${at}/${LONG.slice(0, 1_900)}.png`))}
  ${many(300, (at) => `<meta property="og:description" content="${at} ${LONG.slice(0, 1_900)}">`)}<h1>Large</h1>
  ${many(30, (at) => `<div role="dialog" id="${LONG}" class="modal cookie-banner ${LONG}" style="position:fixed;top:${at}%;left:0;right:0;height:30px">Cookies ${at} ${LONG} <button>Accept all</button></div>`)}
  ${many(100, (at) => `<script async src="https://www.googletagmanager.com/${at}/${LONG.slice(0, 1_000)}"></script>`)}`

/** Replaces what scripts of the service could use. */
const HOSTILE = `<title>Hostile</title><h1>Hostile</h1>
  <div role="dialog" class="cookie" style="position:fixed;bottom:0;left:0;right:0;height:90px">We use cookies <button>Accept all</button></div>
  <script>
    const loud = () => { throw new Error('loud') }
    Object.defineProperty(document, 'querySelectorAll', { get: loud })
    Object.defineProperty(Element.prototype, 'getAttribute', { get: loud })
    Array.prototype.map = loud
    JSON.stringify = loud
  </script>`

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService(
    {
      '/large': LARGE,
      '/hostile': HOSTILE,
      '/private': `<title>Private</title>${image(PRIVATE)}${image('http://localhost:1/a.png')}${image('http://name.internal/a.png')}${image('/to-private')}`,
      '/to-private': redirectTo(PRIVATE),
      '/redirect': redirectTo('http://10.0.0.1/'),
      '/refresh': '<meta http-equiv="refresh" content="0;url=http://10.0.0.1/"><title>Refresh</title>',
    },
    [],
    { PAGE_PREVIEW_SECRET_OF_THE_OPERATOR: SECRET },
  )
})
afterAll(() => service.stop())

async function explain(path: string, parameters: Record<string, string> = {}) {
  const url = service.site.url + path
  const response = await service.get({ url, explain: 'true', candidates: 'true', ...parameters })
  const text = await response.text()
  return { text, page: JSON.parse(text) as PageResponse }
}

it('a page that states and shows as much as it can has a small explanation', async () => {
  const { page, text } = await explain('/large', { screenshot: 'true', ping: 'false' })
  expect(page.status, text.slice(0, 500)).toBe('success')
  const { explanation, candidates } = page
  expect(explanation!.layers.length).toBeGreaterThan(0)
  expect(JSON.stringify(explanation).length).toBeLessThan(60_000)
  expect(JSON.stringify(candidates).length).toBeLessThan(60_000)
  expect(explanation!.blocked.urls.length).toBeLessThanOrEqual(10)
})

it('a page that breaks the scripts of the service is explained like others', async () => {
  const { page } = await explain('/hostile', { screenshot: 'true' })
  expect(page.explanation!.documents.map(({ title }) => title)).toEqual(['Hostile', 'Hostile'])
  expect(page.explanation!.layers).toMatchObject([{ isHidden: true, reason: 'asks for consent' }])
})

it('says nothing about private addresses and names', async () => {
  const { page, text } = await explain('/private')
  expect(page.explanation!.fields.image!.map(({ problem }) => problem)).toEqual(
    Array.from({ length: 4 }, () => 'is not publicly reachable'),
  )
  expect(page.candidates!.image.map(({ problem }) => problem)).toEqual(
    Array.from({ length: 4 }, () => 'is not publicly reachable'),
  )
  expect(text).not.toMatch(/EFORBIDDENURL|ENOTFOUND|ECONNREFUSED|10\.0\.0\.1:/)
})

it('a redirect to a private address fails as without an explanation', async () => {
  const url = `${service.site.url}/redirect`
  const plain: unknown = await (await service.get({ url })).json()
  expect((await explain('/redirect')).page).toEqual(plain)
  expect(plain).toMatchObject({ code: 'EFORBIDDENURL' })
  const refresh = await explain('/refresh')
  expect(refresh.text).not.toContain('"explanation"')
})

it('a pick reaches no address that the guard forbids', async () => {
  const { page } = await explain('/private', { 'image.pick': candidateId(PRIVATE) })
  expect(page.data.image).toBeNull()
  expect(page.warnings!.join()).toContain('is not publicly reachable')
  const embedded = await service.get({
    url: `${service.site.url}/private`,
    'image.pick': candidateId(PRIVATE),
    embed: 'image.url',
  })
  expect(embedded.status).toBe(404)
})

it('has nothing of the service, of its environment, and of what was requested for others', async () => {
  await service.get({ url: `${service.site.url}/hostile`, 'headers.authorization': `Bearer ${SECRET}` })
  const { text } = await explain('/hostile', {
    'headers.authorization': `Bearer ${SECRET}`,
    'headers.cookie': `a=${SECRET}`,
  })
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(service.dataDir)
})
