// Covers PDFs that are large or slow to read and draw, against the built service.
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { makePdf, stream } from '../server/images/make-pdf.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { watchNodeChildren } from './child-processes.js'
import { expectContained } from './expect-contained.js'

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService({})
})
afterAll(() => service.stop())

/** The limits of two processes, and what they need without a task. */
const MAX_CHILDREN_BYTES = 2_500_000_000

const deflated = { contentEntries: '/Filter/FlateDecode' }
/** So many times the same byte: runs of 128, which are compressed again. Compressing them directly would block this process. */
const manyBytes = (byte: string, count: number) =>
  deflateSync(Buffer.alloc((count / 128) * 2, Buffer.from([129, byte.charCodeAt(0)])))
const MANY_BYTES = '/Filter[/FlateDecode/RunLengthDecode]'
const form = (entries: string, content: string) =>
  stream(`/Type/XObject/Subtype/Form/BBox[0 0 300 200]${entries}`, content)
/** Each form draws the next one ten times. */
const nestedForms = Array.from({ length: 20 }, (_, level) =>
  form(
    level < 19 ? `/Resources<</XObject<</F ${level + 11} 0 R>>>>` : '',
    level < 19 ? '/F Do '.repeat(10) : '0 0 9 9 re f',
  ),
)

it.each<[string, () => Buffer]>([
  [
    'a content of 500 MB of spaces',
    () => makePdf({ content: manyBytes(' ', 512_000_000), contentEntries: MANY_BYTES }),
  ],
  [
    '5 million strokes',
    () => makePdf({ content: deflateSync(Buffer.from('0 0 m 300 200 l S\n'.repeat(5_000_000))), ...deflated }),
  ],
  ['forms in forms', () => makePdf({ content: '/F Do', resources: '/XObject<</F 10 0 R>>', objects: nestedForms })],
  [
    'a form in itself',
    () =>
      makePdf({
        content: '/F Do',
        resources: '/XObject<</F 10 0 R>>',
        objects: [form('/Resources<</XObject<</F 10 0 R>>>>', '/F Do /F Do')],
      }),
  ],
  [
    'an image of 900 megapixels',
    () =>
      makePdf({
        content: '300 0 0 200 0 0 cm /I Do',
        resources: '/XObject<</I 10 0 R>>',
        objects: [
          stream(
            `/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceGray/BitsPerComponent 8${MANY_BYTES}`,
            manyBytes('a', 900_096_000),
          ),
        ],
      }),
  ],
  ['a page as wide as a million kilometres', () => makePdf({ mediaBox: '0 0 1e12 1e12' })],
  ['a page of no width', () => makePdf({ mediaBox: '0 0 0 1000000' })],
  ['pages that contain themselves', () => makePdf({ pages: 1_000 }).subarray(0, 400)],
  ['a script that never ends', () => makePdf({ catalogue: '/OpenAction<</S/JavaScript/JS(while\\(true\\){})>>' })],
  ['25 MB of noise', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(24_000_000, '1 0 obj\n<<')])],
])('reads and draws a PDF within its limits: %s', async (name, create) => {
  const pdf = create()
  const paths = [1, 2, 3].map((index) => `/${encodeURIComponent(name)}-${index}.pdf`)
  for (const path of paths)
    service.site.routes[path] = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  const children = watchNodeChildren(service.pid)
  const report = await service.attack(`PDF with ${name}`, async () => {
    await Promise.all(
      paths.map(async (path) => {
        const response = await service.get({
          url: service.site.url + path,
          screenshot: 'true',
          'viewport.deviceScaleFactor': '1',
        })
        const { data } = (await response.json()) as PageResponse
        // The PDFs of a client wait for each other, and for a process that is killed.
        if (response.status === 200) expect(data).toHaveProperty('title')
        else expect([503, 504]).toContain(response.status)
      }),
    )
  })
  const { maxRssBytes } = children.stop()
  console.log(`PDF with ${name}: memory of child processes ${Math.round(maxRssBytes / 1e6)} MB`)
  expect(maxRssBytes).toBeLessThan(MAX_CHILDREN_BYTES)
  expectContained(report)
})

it('lets no PDF send a request', async () => {
  const { site } = service
  const action = `<</S/URI/URI(${site.url}/sent)>>`
  const pdf = makePdf({
    catalogue: `/OpenAction<</S/SubmitForm/F(${site.url}/sent)>>/AA<</WC ${action}>>`,
    content: '/I Do',
    resources: '/XObject<</I 10 0 R>>',
    objects: [
      stream(
        `/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/F(${site.url}/sent)`,
        '1',
      ),
    ],
  })
  site.routes['/quiet.pdf'] = (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  const response = await service.get({ url: `${site.url}/quiet.pdf`, screenshot: 'true' })
  expect(response.status).toBe(200)
  expect(site.requests.filter((request) => request.includes('/sent'))).toEqual([])
})
