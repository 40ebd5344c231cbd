// Covers the built script on pages with untrusted markup: elements whose `name` or `id` hides what a script reads.
import { expect, it } from 'vitest'
import { scriptStage, states } from './script-stage.js'

const stage = scriptStage({ '/': '<!doctype html><title>A page</title>' })

const twice = (name: string) => `<img name="${name}"><img name="${name}">`

interface Markup {
  /** Before the script. */
  before: string
  /** Around the preview, which is inserted once the script runs. */
  around?: [start: string, end: string]
}

/** Opens a page and inserts a preview and a marked link into it. @returns A function that reads the states of both. */
async function show({ before, around: [start, end] = ['', ''] }: Markup) {
  const { serving, site, elsewhere, open } = stage()
  const preview = `${start}<page-preview url="${site.url}/"><a href="${site.url}/">Page</a></page-preview>
    <a href="${site.url}/" data-page-preview>Page</a>${end}`
  elsewhere.routes['/'] = `<!doctype html><title>A page</title><link rel="icon" href="data:,"><body>${before}
    <p id="hostile">x</p><a class="auto" href="${site.url}/">Auto</a><main></main>
    <script src="${serving.free}/page-preview.js" data-auto=".auto"></script>`
  elsewhere.routes['/empty'] = ''
  const { page } = await open('/empty')
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${elsewhere.url}/`)
  await page.evaluate((html) => {
    const [main] = document.getElementsByTagName('main')
    Element.prototype.insertAdjacentHTML.call(main, 'beforeend', html)
  }, preview)
  return { page, errors, shown: () => states(page) }
}

const HOSTILE: [name: string, markup: () => string][] = [
  ['an image named as the current script', () => `<img name="currentScript" src="${stage().elsewhere.url}/other.js">`],
  [
    'an image with addresses of a service',
    () => {
      const other = stage().elsewhere.url
      return `<img name="currentScript" src="${other}/" data-endpoint="${other}/free">`
    },
  ],
  ['a form named as the script', () => '<form id="PagePreview"></form>'],
  ['a form with a version and a queue', () => '<form id="PagePreview"><input name="version"><input name="q"></form>'],
  ['two elements named as the script', () => '<form id="PagePreview"></form><img id="PagePreview" name="version">'],
  ['a frame named as the script', () => `<iframe name="PagePreview" src="${stage().serving.free}/healthz"></iframe>`],
  ...['head', 'body', 'documentElement', 'adoptedStyleSheets', 'activeElement'].map((name): [string, () => string] => [
    `two images named ${name}`,
    () => twice(name),
  ]),
  ...['querySelector', 'addEventListener'].map((name): [string, () => string] => [
    `an image named ${name}`,
    () => `<img name="${name}">`,
  ]),
]

it.each(HOSTILE)('shows previews from its own service beside %s', async (_, before) => {
  const { elsewhere } = stage()
  elsewhere.requests.splice(0)
  const { shown, page, errors } = await show({ before: before() })
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['ready', 'ready'])
  expect(elsewhere.requests.filter((request) => /page-preview\.|url=/.test(request))).toEqual([])
  expect(await page.evaluate(() => 'scan' in window.PagePreview!)).toBe(true)
  expect(errors).toEqual([])
})

const FIELDS = [
  'closest',
  'matches',
  'querySelectorAll',
  'getClientRects',
  'parentNode',
  'parentElement',
  'assignedSlot',
  'children',
].map((name) => `<input name="${name}">`)

it('shows previews in a form whose fields hide its methods', async () => {
  const { shown } = await show({ before: '', around: [`<form>${FIELDS.join('')}`, '</form>'] })
  await expect.poll(shown, { timeout: 10_000 }).toEqual(['ready', 'ready'])
})

it('still shows hover previews after such a form was pointed at', async () => {
  const { page, errors } = await show({
    before: `<form style="width: 300px; height: 80px; background: grey">${FIELDS.join('')}</form>`,
  })
  await page.mouse.move(290, 80)
  await page.hover('.auto')
  await page.waitForFunction(
    () => [...document.body.children].some((host) => host.shadowRoot?.querySelector('.page-preview')),
    { timeout: 10_000 },
  )
  expect(errors).toEqual([])
})

it('loads the code of hover previews beside images named as what finds and inserts it', async () => {
  const { page, errors } = await show({ before: twice('head') + twice('querySelector') })
  await page.hover('.auto')
  await page.waitForFunction(
    () => [...document.body.children].some((host) => host.shadowRoot?.querySelector('.page-preview')),
    { timeout: 10_000 },
  )
  expect(errors).toEqual([])
})
