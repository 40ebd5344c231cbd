import { Eleventy } from '@11ty/eleventy'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import pagePreview, { type EleventyConfig } from '../../../src/static/plugins/eleventy.js'
import { fakeSource } from '../freeze/fake-source.js'
import { pageWith, temporarySite } from '../freeze/temporary-site.js'

const URL = 'https://example.com/'

async function configured() {
  const { dir, paths } = await temporarySite({})
  const { source } = fakeSource()
  let transform: Parameters<EleventyConfig['addTransform']>[1] | undefined
  let after: Parameters<EleventyConfig['on']>[1] | undefined
  const config: EleventyConfig = {
    addTransform: (_, added) => (transform = added),
    on: (_, added) => (after = added),
    dir: { output: dir },
  }
  pagePreview(config, { ...paths, source })
  return {
    dir,
    write: (path: string | false, html: string) =>
      transform!.call({ page: { outputPath: path && join(dir, path) } }, html),
    end: () => after!({ dir: { output: dir } }),
  }
}

it('writes cards whose images are relative to each page, and the images when the build is done', async () => {
  const { dir, write, end } = await configured()
  const top = await write('index.html', pageWith(URL))
  const deep = await write('notes/2026/index.html', pageWith(URL))
  expect(top).toMatch(/src="page-preview\/[\w.]+"/)
  expect(deep).toMatch(/src="\.\.\/\.\.\/page-preview\/[\w.]+"/)
  await end()
  const [, image] = /src="page-preview\/([\w.]+)"/.exec(top)!
  expect(await readdir(join(dir, 'page-preview'))).toContain(image)
})

it.each(['on the command line', 'by the configuration'])('finds the output folder that is set %s', async (place) => {
  const { dir, folder, paths } = await temporarySite({ 'notes/one.html': pageWith(URL) })
  const output = join(folder, 'public')
  const isArgument = place === 'on the command line'
  const eleventy = new Eleventy(dir, isArgument ? output : undefined, {
    quietMode: true,
    config(config) {
      if (!isArgument) config.setOutputDirectory(output)
      config.addPlugin(pagePreview, { ...paths, source: fakeSource().source })
    },
  })
  await eleventy.write()
  const page = await readFile(join(output, 'notes/one/index.html'), 'utf8')
  const [, image] = /src="\.\.\/\.\.\/page-preview\/([\w.]+)"/.exec(page)!
  expect(await readdir(join(output, 'page-preview'))).toContain(image)
})

it.each(['feed.xml', false] as const)('leaves what is no page as it is: %s', async (path) => {
  const { write } = await configured()
  expect(await write(path, pageWith(URL))).toBe(pageWith(URL))
})
