import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { CARD_MARK } from '../../../src/static/plugins/cards-in-html.js'
import { withPagePreview, type VitePressConfig } from '../../../src/static/plugins/vitepress.js'
import { fakeSource } from '../freeze/fake-source.js'
import { temporarySite } from '../freeze/temporary-site.js'

const URL = 'https://example.com/'

interface CardPlugin {
  name: string
  configResolved(config: { base: string }): void
  transform(code: string): Promise<{ code: string } | undefined>
  load(id: string): string | undefined
  generateBundle(this: { emitFile(file: { fileName: string }): void }): void
}

/** What VitePress does: it renders Markdown, and compiles the HTML into a module. */
async function compiled(html: string, { title, base = '/' }: { title?: string; base?: string } = {}) {
  const { dir, paths } = await temporarySite({})
  const { source } = fakeSource(title ? { [URL]: { data: { title, description: 'About it' } } } : {})
  const given: VitePressConfig & { vite: { plugins: unknown[] } } = { vite: { plugins: ['own'] } }
  const config = withPagePreview(given, { ...paths, source })
  const renderer = { render: () => html }
  config.markdown!.config!(renderer)
  const plugin = config.vite.plugins.at(-1) as CardPlugin
  plugin.configResolved({ base })
  const template = renderer.render()
  const mark = /'(__PAGE_PREVIEW_\w+__)'/.exec(template)?.[1] ?? ''
  const result = await plugin.transform(`export const html = ['${mark}', "${mark}", \`${mark}\`]`)
  return { dir, config, plugin, template, code: result?.code }
}

it('replaces the mark of a card in strings of any quotes by its HTML', async () => {
  const { code, template } = await compiled(`<page-preview url="${URL}"></page-preview>`, {
    title: `It's "{{ 1 }}" \`\${x}\` \\ back`,
  })
  expect(template).toMatch(/<page-preview url="[^"]+" data-frozen v-html="'__PAGE_PREVIEW_\w+__'"><\/page-preview>/)
  const [imported, ...module] = code!.split('\n')
  expect(imported).toBe(`import 'virtual:page-preview.css'`)
  const { html } = (await import(`data:text/javascript,${encodeURIComponent(module.join('\n'))}`)) as { html: string[] }
  expect(new Set(html).size).toBe(1)
  expect(html[0]).toContain('It&#39;s &quot;{{ 1 }}&quot; `${x}` \\ back')
})

it('leaves pages without previews alone', async () => {
  expect(await compiled('<p>Nothing</p>')).toMatchObject({ template: '<p>Nothing</p>', code: undefined })
})

it('emits the images of cards, and the stylesheet as a module', async () => {
  const { plugin } = await compiled(`<page-preview url="${URL}" screenshot></page-preview>`)
  expect(plugin.load('\0virtual:page-preview.css')).toContain('.page-preview')
  expect(plugin.load('\0virtual:page-preview.css')).toContain('--pp-background: var(--vp-c-bg)')
  const emitted: string[] = []
  plugin.generateBundle.call({ emitFile: ({ fileName }) => void emitted.push(fileName) })
  expect(emitted).toEqual(expect.arrayContaining([expect.stringMatching(/^page-preview\/[\w.]+\.webp$/)]))
})

it('refers to images below the base of Vite, and serves them there in development, before a proxy', async () => {
  const base = '/docs/'
  const { dir, plugin, code } = await compiled(`<page-preview url="${URL}" screenshot></page-preview>`, { base })
  const [image] = /\/docs\/page-preview\/[\w.]+\.webp/.exec(code!)!
  const server = await createServer({
    root: dir,
    base,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    server: { port: 0, proxy: { '/docs/page-preview': 'http://127.0.0.1:1' } },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const response = await fetch(new globalThis.URL(image, server.resolvedUrls!.local[0]))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/webp')
})

it('keeps the configuration that is there', async () => {
  const isCustomElement = (tag: string) => tag === 'my-own'
  const config = withPagePreview({ vue: { template: { compilerOptions: { isCustomElement } } }, title: 'Notes' })
  expect(config.title).toBe('Notes')
  const check = config.vue.template.compilerOptions.isCustomElement
  expect(['my-own', 'page-preview', 'div'].map(check)).toEqual([true, true, false])
})

it.each([
  ['in a link', '<a href="/x"><page-preview url="https://a.test/"></page-preview></a>'],
  ['that overlaps', '<page-preview url="https://a.test/"><b>bold</page-preview> text</b>'],
  ['in code', '<pre><page-preview url="https://a.test/" data-frozen></page-preview></pre>'],
])('leaves a preview %s as it is, and gives its card to no other', async (_, skipped) => {
  const { template, code } = await compiled(`${skipped}\n<page-preview url="${URL}"></page-preview>`)
  expect(template).toContain(skipped)
  expect(template.match(CARD_MARK)).toHaveLength(1)
  expect(code).toContain(`Title of ${URL}`)
  expect(code).not.toMatch(/__PAGE_PREVIEW/)
})
