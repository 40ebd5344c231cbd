// Covers what freezing and capturing write into files: images, and never documents.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { captureUrls } from '../../../src/static/capture-urls.js'
import { freeze, type FreezeOptions } from '../../../src/static/freeze/index.js'
import { openPreviewSource } from '../../../src/static/preview-source.js'
import { temporarySite } from './temporary-site.js'

const HOSTILE = 'https://hostile.test/'
const INNOCENT = 'https://innocent.test/'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(origin)"><script>alert(origin)</script></svg>'
const HTML = '<!doctype html><script>alert(origin)</script>'

/** A running service, which sends the images of the hostile page with this type and body. */
async function service(type: string, body: string): Promise<Pick<FreezeOptions, 'endpoint' | 'fetch'>> {
  const jpeg = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#c00' } })
    .jpeg()
    .toBuffer()
  const image = (headers: Record<string, string>, bytes: string | Uint8Array<ArrayBuffer>) =>
    new Response(bytes, { headers })
  return {
    endpoint: 'https://previews.test',
    fetch: async (requested) => {
      const { searchParams } = new URL(requested as string)
      const url = searchParams.get('url')
      if (searchParams.has('embed'))
        return url === HOSTILE
          ? image({ 'content-type': type }, body)
          : image(
              { 'content-type': 'image/jpeg', 'x-image-width': '400', 'x-image-height': '200' },
              Uint8Array.from(jpeg),
            )
      const media = { url: `${url}image`, type: 'jpg', size: 1, size_pretty: '1 B', width: null, height: null }
      const data = { title: `Title of ${url}`, url, image: media, logo: media }
      return Response.json({ status: 'success', data, statusCode: 200, headers: {}, redirects: [] })
    },
  }
}

const pageWith = (url: string) =>
  `<!doctype html><body><page-preview url="${url}"><a href="${url}">Link</a></page-preview>`

const DOCUMENTS = [
  ['image/svg+xml', SVG],
  ['image/svg+xml', `<?xml version="1.0"?><!DOCTYPE svg>${SVG}`],
  ['image/jpeg', SVG],
  ['image/x-icon', HTML],
  ['image/gif', `<!-- GIF89a -->${HTML}`],
  ['image/avif', `<!--ftypavif-->${HTML}`],
] as const

it.each(DOCUMENTS)(
  'no document becomes a file of the site, and the cards of other pages stay whole (%s, %s)',
  async (...sent) => {
    const { paths, dir, read, snapshot } = await temporarySite({
      'a.html': pageWith(HOSTILE),
      'b.html': pageWith(INNOCENT),
    })
    const result = await freeze({ ...paths, ...(await service(...sent)) })
    expect(result).toMatchObject({ previews: { new: 2, failed: 0 }, failures: [] })
    const names = await readdir(join(dir, 'page-preview'))
    expect(names.filter((name) => !/\.(css|jpg|webp)$/.test(name))).toEqual([])
    expect(Object.values(await snapshot()).join()).not.toContain('alert(')
    const hostile = await read('a.html')
    expect(hostile).toContain(`Title of ${HOSTILE}`)
    expect(hostile).not.toMatch(/<img|NaN/)
    expect(await read('b.html')).toMatch(
      /<img class="pp-image" width="400" height="200"[^>]* src="page-preview\/[\w.]+\.jpg"/,
    )
    expect(result.omittedImages.toSorted((one, other) => (one.field < other.field ? -1 : 1))).toEqual([
      { url: HOSTILE, field: 'image', message: expect.stringContaining('SVG') },
      { url: HOSTILE, field: 'logo', message: expect.stringContaining('SVG') },
    ])
  },
)

it('removes an SVG that an earlier run has written into the site', async () => {
  const { paths, dir, write } = await temporarySite({ 'b.html': pageWith(INNOCENT) })
  await write('page-preview/0123456789abcdef.64.svg', SVG)
  await write('page-preview/logo.svg', 'a file of the site')
  await freeze({ ...paths, ...(await service('image/svg+xml', SVG)) })
  expect((await readdir(join(dir, 'page-preview'))).filter((name) => name.endsWith('.svg'))).toEqual(['logo.svg'])
})

it.each(DOCUMENTS)('no document becomes a captured image (%s, %s)', async (...sent) => {
  const { folder } = await temporarySite({})
  const outDir = join(folder, 'captures')
  const source = openPreviewSource(await service(...sent))
  const { captured, failed } = await captureUrls([HOSTILE, INNOCENT], {
    source,
    request: { parameters: {}, field: 'image', variant: {} },
    outDir,
    concurrency: 2,
    isForced: false,
    onResult: () => undefined,
    signal: new AbortController().signal,
  })
  await source.close()
  expect({ captured, failed }).toEqual({ captured: 1, failed: 1 })
  expect((await readdir(outDir)).map((name) => name.replace(/-[\da-f]{10}\./, '.'))).toEqual([
    'innocent.test.jpg',
    'results.ndjson',
  ])
})
