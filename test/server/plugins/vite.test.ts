import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import pagePreview from '../../../src/server/plugins/vite.js'
import { fakeSource } from '../freeze/fake-source.js'
import { pageWith, temporarySite } from '../freeze/temporary-site.js'

const URL = 'https://example.com/'

it('writes cards into the pages of a build, and gives data to its code, with images in the build', async () => {
  const site = await temporarySite({
    'index.html': pageWith(URL).replace('</body>', '<script type="module" src="/main.js"></script></body>'),
    'main.js': `import previews from 'virtual:page-preview'\nglobalThis.previews = previews\n`,
  })
  const { source, captured } = fakeSource()
  const { lock, cache } = site.paths
  const previews = ['https://example.com/code', { url: 'https://example.com/shot', screenshot: true }]
  const output = (await build({
    root: site.dir,
    logLevel: 'silent',
    plugins: [pagePreview({ lock, cache, source, previews })],
  })) as Rolldown.RolldownOutput
  const page = await site.read('dist/index.html')
  expect(page).toContain('Title of https://example.com/')
  expect(captured.toSorted()).toEqual([URL, 'https://example.com/code', 'https://example.com/shot'])
  const { code } = output.output.find((file) => file.type === 'chunk')!
  const [, image] = /\/page-preview\/([\w.]+\.webp)/.exec(code)!
  const files = Object.keys(await site.snapshot())
  expect(files).toContain(join(site.dir, 'dist/page-preview', image!))
})
