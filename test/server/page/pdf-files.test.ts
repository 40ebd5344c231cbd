// Covers PDFs as pages: what they state, and what is taken for their title.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createImages } from '../../../src/server/images/index.js'
import { readPdfPage } from '../../../src/server/images/pdf.js'
import { makeFont } from '../browser/make-font.js'
import { makePdf, protectedPdf, textAt, utf16, xmp } from '../images/make-pdf.js'
import { pageSite, send } from './page-site.js'
import type { Route } from '../../local-site.js'

/** Shared, because a process takes longer to start than to read any of these. */
const images = createImages()
afterAll(() => images.close())

const pdfSite = (routes: Record<string, Route>) => pageSite(routes, [], images)

const sendPdf = (pdf: Buffer, headers: Record<string, string> = {}) =>
  send(pdf, { 'content-type': 'application/pdf', ...headers })

async function readAt(path: string, pdf: Buffer, headers?: Record<string, string>) {
  const site = await pdfSite({ [path]: sendPdf(pdf, headers) })
  const { data, warnings, view } = await site.read({}, path)
  return { ...data, warnings, view }
}

describe('the title of a PDF', () => {
  const heading =
    textAt(10, 'Ministry of Tides', 160) + textAt(24, 'Tables of 2026', 100) + textAt(10, 'For all ports', 60)

  it.each([
    ['that it states', '/Title(Tide tables)', 'Tide tables'],
    ['in UTF-16', `/Title${utf16('Gezeiten für 2026 – 潮汐')}`, 'Gezeiten für 2026 – 潮汐'],
    ['with a number', '/Title(COVID-19)', 'COVID-19'],
    ['with the name of a program in front', '/Title(Microsoft Word - Annual report 2025)', 'Annual report 2025'],
    ['with a site after a dash', '/Title(Tides - Harbour)', 'Tides - Harbour'],
    ['in one Han character', `/Title${utf16('潮')}`, '潮'],
  ])('is the one %s', async (_, info, title) => {
    expect(await readAt('/a.pdf', makePdf({ info, content: heading }))).toMatchObject({ title })
  })

  it.each([
    ['a file name', '/Title(Microsoft Word - tides_final.docx)'],
    ['another file name', '/Title(brochure.indd)'],
    ['a path', String.raw`/Title(C:\\Users\\mira\\tides)`],
    ['nothing', ''],
    ['white space', '/Title(   )'],
    ['a name for none', '/Title(Untitled document)'],
    ['a name for none in German', '/Title(PowerPoint-Pr\u00e4sentation)'],
    ['numbers', '/Title(2026-01-31)'],
    ['a code', '/Title(TT_2026_v3)'],
  ])('is the largest text of the first page if it states %s', async (_, info) => {
    expect(await readAt('/a.pdf', makePdf({ info, content: heading }))).toMatchObject({ title: 'Tables of 2026' })
  })

  it('has all lines of the largest text, and no text that is turned', async () => {
    const stamp = 'BT /F1 40 Tf 0 1 -1 0 30 20 Tm (arXiv:1706) Tj ET '
    const content = stamp + textAt(24, 'Tables of', 150) + textAt(24, 'all the ports', 120) + textAt(10, 'Mira', 60)
    expect(await readAt('/a.pdf', makePdf({ content }))).toMatchObject({ title: 'Tables of all the ports' })
  })

  it.each([
    ['/annual-report_2026.pdf', {}, 'annual report 2026'],
    ['/report.pdf', {}, 'report.pdf'],
    ['/x', { 'content-disposition': 'inline; filename="Harbour%20plan.pdf"' }, 'Harbour plan'],
    ['/Harbour%20plan.pdf', {}, 'Harbour plan'],
    ['/0001-2345.pdf', {}, '0001-2345.pdf'],
  ])('is the name of the file in words if the page has no text: %s', async (path, headers, title) => {
    expect(await readAt(path, makePdf({ content: '0 0 10 10 re f' }), headers)).toMatchObject({ title })
  })
})

describe('the data of a PDF', () => {
  it('has its author, date, subject and number of pages', async () => {
    const info =
      "/Title(Tides)/Author(Mira Solheim)/Subject(The tables of all ports)/CreationDate(D:20260131093000+01'00')"
    expect(await readAt('/a.pdf', makePdf({ info, pages: 12, catalogue: '/Lang(de-AT)' }))).toMatchObject({
      title: 'Tides',
      author: 'Mira Solheim',
      description: 'The tables of all ports',
      lang: 'de',
      date: '2026-01-31T08:30:00.000Z',
      pages: 12,
      image: null,
      warnings: [],
    })
  })

  it('comes from its XMP if it has no document information', async () => {
    const packet = xmp(
      '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tides &amp; ebbs</rdf:li></rdf:Alt></dc:title>' +
        '<dc:creator><rdf:Seq><rdf:li>Mira Solheim</rdf:li><rdf:li>Jon Vik</rdf:li></rdf:Seq></dc:creator>' +
        '<dc:language><rdf:Bag><rdf:li>nb-NO</rdf:li></rdf:Bag></dc:language><xmp:CreateDate>2026-01-31T08:30:00Z</xmp:CreateDate>',
    )
    expect(await readAt('/a.pdf', makePdf({ xmp: packet }))).toMatchObject({
      title: 'Tides & ebbs',
      author: 'Mira Solheim',
      lang: 'nb',
      date: '2026-01-31T08:30:00.000Z',
    })
  })

  it.each([
    '/Author(admin)',
    '/Author(Windows User)',
    '/Author(msolheim01)',
    '/Author(msolheim)',
    '/Author(SE:W:CAR:MP)',
    '/Author( )',
  ])('has no author that is an account: %s', async (info) => {
    expect((await readAt('/a.pdf', makePdf({ info }))).author).toBe(null)
  })

  it.each([
    ['of no type, by its first bytes', '/doc', {}, ''],
    ['of a type that says nothing, by its extension', '/doc.pdf', {}, 'application/octet-stream'],
    ['to download', '/doc', { 'content-disposition': 'attachment; filename=doc.pdf' }, 'binary/octet-stream'],
    ['of an old type', '/doc', {}, 'application/x-pdf'],
  ])('is read of a PDF %s', async (_, path, headers, type) => {
    const pdf = makePdf({ info: '/Title(Tides)' })
    const site = await pdfSite({ [path]: send(pdf, { ...headers, ...(type && { 'content-type': type }) }) })
    expect((await site.read({}, path)).data).toMatchObject({ title: 'Tides', pages: 1 })
  })

  it('has no number of pages if only other fields are requested', async () => {
    const site = await pdfSite({ '/a.pdf': sendPdf(makePdf()) })
    expect((await site.read({ meta: { title: true } }, '/a.pdf')).data).toEqual({ title: 'Tide table' })
  })
})

describe('a PDF that cannot be read', () => {
  it.each([
    ['protected with a password', protectedPdf()],
    ['damaged', Buffer.from('%PDF-1.7\nnothing more')],
    ['damaged', Buffer.from('<h1>Not found</h1>')],
  ])('has its name as title, and a warning: %s', async (problem, pdf) => {
    const { title, warnings, pages } = await readAt('/tide-tables.pdf', pdf)
    expect({ title, warnings, pages }).toEqual({
      title: 'tide tables',
      warnings: [`The PDF is ${problem}, so only its name is known.`],
      pages: undefined,
    })
  })

  it('is not read if it is larger than 25 MB', async () => {
    const site = await pdfSite({
      '/tide-tables.pdf': (_, response) => {
        response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '26000000' })
        response.write('%PDF-1.7')
      },
    })
    const { data, warnings } = await site.read({}, '/tide-tables.pdf')
    expect({ title: data.title, warnings }).toEqual({
      title: 'tide tables',
      warnings: ['The PDF is larger than 25 MB, so only its name is known.'],
    })
  })

  it('has no name, and no warning, if the response is an error', async () => {
    const site = await pdfSite({ '/a.pdf': send('gone', { 'content-type': 'application/pdf' }, 404) })
    const reading = { data: { title: null }, state: 'error-page', statusCode: 404, warnings: [] }
    expect(await site.read({}, '/a.pdf')).toMatchObject(reading)
  })
})

describe('text in a font that a PDF does not contain', () => {
  /** A line in a font of a collection, as Japanese, Chinese and Korean programs refer to them. */
  const withFont = (collection: string, encoding: string, hex: string) =>
    makePdf({
      content: `BT /F2 60 Tf 20 100 Td <${hex}> Tj ET`,
      fonts: '/F2 10 0 R',
      objects: [
        `<</Type/Font/Subtype/Type0/BaseFont/Gothic/Encoding/${encoding}/DescendantFonts[11 0 R]>>`,
        `<</Type/Font/Subtype/CIDFontType0/BaseFont/Gothic/CIDSystemInfo<</Registry(Adobe)/Ordering(${collection})/Supplement 2>>/FontDescriptor 12 0 R/DW 1000>>`,
        '<</Type/FontDescriptor/FontName/Gothic/Flags 4/FontBBox[0 -200 1000 800]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
      ].map((object) => Buffer.from(object)),
    })
  const scripts = [
    ['Japanese', withFont('Japan1', 'UniJIS-UCS2-H', '30423044')],
    ['Chinese', withFont('GB1', 'UniGB-UCS2-H', '4E2D6587')],
    ['Chinese', withFont('CNS1', 'UniCNS-UCS2-H', '4E2D6587')],
    ['Korean', withFont('Korea1', 'UniKS-UCS2-H', 'D55CAE00')],
  ] as const

  it.each(scripts)('is named if the machine has no such font: %s', async (name, pdf) => {
    const { missing, picture } = await readPdfPage(new Uint8Array(pdf), { width: 300, fontFolders: [] })
    expect(missing).toEqual([name])
    expect(await isBlank(picture!)).toBe(true)
  })

  it.each(scripts)('is drawn with one of the machine: %s', async (_, pdf) => {
    const folder = await mkdtemp(join(tmpdir(), 'fonts-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'noto'))
    await writeFile(join(folder, 'noto/NotoSansCJK-Regular.ttf'), makeFont('Squares', 0x3000, 0xd7a3))
    const { missing, picture } = await readPdfPage(new Uint8Array(pdf), { width: 300, fontFolders: [folder] })
    expect(missing).toEqual([])
    expect(await isBlank(picture!)).toBe(false)
  })

  it('is no reason for a warning in Latin', async () => {
    expect(await readPdfPage(new Uint8Array(makePdf()), { width: 300, fontFolders: [] })).toMatchObject({ missing: [] })
  })
})

const isBlank = async (picture: Uint8Array) => (await sharp(picture).stats()).channels.every(({ min }) => min === 255)
