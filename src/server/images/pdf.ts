import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { Parser } from 'htmlparser2'
import sharp from 'sharp'
import { FONT_FOLDERS, useSystemFonts } from './pdf-fonts.js'

/** What a PDF says about itself, as its author, or their program, wrote it; any of it may be meaningless. */
export interface DocumentInfo {
  title?: string | undefined
  author?: string | undefined
  description?: string | undefined
  /** BCP 47. */
  lang?: string | undefined
  /** ISO 8601. */
  createdAt?: string | undefined
}

/** What a PDF says about itself, or why it cannot be read. */
export type PdfReading = { pages: number; info: DocumentInfo } | { problem: PdfProblem }

/** The first page of a PDF. */
export interface PdfPage {
  /** Its largest text, in one line; `''` if it has none. */
  largestText: string
  /** On white, as PNG or JPEG; `undefined` if it was not requested, or has no size. */
  picture: Uint8Array | undefined
  /** Writing systems that the picture lacks, because neither the PDF nor the machine has a font for them: `Japanese`. */
  missing: string[]
}

/** `protected`: only a password opens it. `damaged`: it is no PDF, or cannot be repaired. `empty`: it has no page. */
export type PdfProblem = 'protected' | 'damaged' | 'empty'

/** Pages of 64 kB: 384 MB; a scan of a large page needs 100 MB. */
const MAX_WASM_PAGES = 6_144
/** Enough for a page of A0 at the width of a large screen. */
const MAX_PIXELS = 16_000_000
const MAX_SIDE = 16_000
/** A picture that is larger as PNG has photographs, which JPEG stores in less. */
const MAX_PNG_BYTES = 1_500_000
const MAX_INFO_CHARS = 1_000
const MAX_TITLE_CHARS = 300
/** The title is near the beginning of the text, and finding the box of a character takes time. */
const MAX_TEXT_CHARS = 3_000
/** Characters whose heights differ by less belong to the same line or heading. */
const HEIGHT_TOLERANCE = 0.08
const MIN_HEADING_LETTERS = 4

/** https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/fpdfview.h */
const ERROR_PASSWORD = 4
const RENDER_ANNOTATIONS = 0x01
const RENDER_RGBA = 0x10
const BITMAP_BGRX = 3
const WHITE = 0xffffffff

// PDFium runs as WebAssembly, which has neither files nor a network, and without JavaScript: forms and actions do not run. Each task has
// an instance of its own, so that no PDF can change how the next one is read. An instance that runs out of memory or stack throws.

/** Reads what a PDF says about itself, without its pages. */
export async function readPdf(bytes: Uint8Array): Promise<PdfReading> {
  const library = await startLibrary()
  const document = openDocument(library, bytes)
  if (!document) return { problem: library.FPDF_GetLastError() === ERROR_PASSWORD ? 'protected' : 'damaged' }
  const pages = library.FPDF_GetPageCount(document)
  return pages < 1 ? { problem: 'empty' } : { pages, info: mergeInfo(readInfo(library, document), readXmp(bytes)) }
}

/**
 * Reads the first page of a PDF.
 *
 * @param width        Pixels of its picture; `undefined`: none.
 * @param fontFolders  Default: those of the system.
 * @throws       {Error} if there is no first page, or it needs too much memory.
 */
export async function readPdfPage(
  bytes: Uint8Array,
  { width, fontFolders = FONT_FOLDERS }: { width: number | undefined; fontFolders?: readonly string[] },
): Promise<PdfPage> {
  const library = await startLibrary()
  const missing = useSystemFonts(library, fontFolders)
  const page = library.FPDF_LoadPage(openDocument(library, bytes), 0)
  if (!page) throw new Error('The first page of the PDF is damaged.')
  const largestText = readLargestText(library, page)
  const picture = width ? await drawPage(library, page, width) : undefined
  return { largestText, picture, missing: [...missing] }
}

function openDocument(library: Library, bytes: Uint8Array): number {
  const { pdfium } = library
  const pointer = pdfium.wasmExports.malloc(bytes.length)
  pdfium.HEAPU8.set(bytes, pointer)
  return library.FPDF_LoadMemDocument(pointer, bytes.length, '')
}

/** Its types lack the memory, which is another object whenever it has grown. */
interface Library extends WrappedPdfiumModule {
  pdfium: WrappedPdfiumModule['pdfium'] & { readonly HEAPU8: Uint8Array }
}

let wasm: Promise<Uint8Array> | undefined

async function startLibrary(): Promise<Library> {
  setFlagsFromString(`--wasm-max-mem-pages=${MAX_WASM_PAGES}`)
  wasm ??= readFile(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const quiet = { print: () => undefined, printErr: () => undefined }
  const library = await init({ wasmBinary: await wasm, ...quiet })
  library.PDFiumExt_Init()
  if (!hasMemory(library)) throw new Error('PDFium has no memory.')
  return library
}

const hasMemory = (library: WrappedPdfiumModule): library is Library => 'HEAPU8' in library.pdfium

/** What the document information says goes first: readers of PDFs show it. */
const mergeInfo = (info: DocumentInfo, xmp: DocumentInfo): DocumentInfo => ({
  title: info.title ?? xmp.title,
  author: info.author ?? xmp.author,
  description: info.description ?? xmp.description,
  lang: info.lang ?? xmp.lang,
  createdAt: info.createdAt ?? xmp.createdAt,
})

function readInfo(library: Library, document: number): DocumentInfo {
  const read = (name: string) =>
    readUtf16(library, (buffer, size) => library.FPDF_GetMetaText(document, name, buffer, size)) || undefined
  return {
    title: read('Title'),
    author: read('Author'),
    description: read('Subject'),
    lang: readUtf16(library, (buffer, size) => library.FPDFCatalog_GetLanguage(document, buffer, size)) || undefined,
    createdAt: parsePdfDate(read('CreationDate') ?? ''),
  }
}

/** @param read  Fills a buffer of so many bytes, and returns how many it needs, with the final zero. */
function readUtf16({ pdfium }: Library, read: (buffer: number, size: number) => number): string {
  const size = read(0, 0)
  if (size <= 2 || size > 1_000_000) return ''
  const buffer = pdfium.wasmExports.malloc(size)
  read(buffer, size)
  const end = buffer + Math.min(size - 2, 2 * MAX_INFO_CHARS)
  const text = Buffer.from(pdfium.HEAPU8.slice(buffer, end)).toString('utf16le')
  pdfium.wasmExports.free(buffer)
  return text.replace(/\s+/g, ' ').trim()
}

/** `D:20260131093000+01'00'` as ISO 8601. */
export function parsePdfDate(text: string): string | undefined {
  const [match, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] =
    /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d(?:'?\d\d)?)?/.exec(text) ?? []
  if (!match) return undefined
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d)'?(\d\d)?/.exec(zone) ?? []
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`
  return Number.isNaN(Date.parse(date)) ? undefined : date
}

/** A packet of metadata is a few kB; some have thousands of entries of an editing history after what is read. */
const MAX_PACKET_BYTES = 100_000

/** Elements whose text is read, with the field that it is. Lists such as `rdf:Seq` stand between element and text. */
const XMP_FIELDS: Readonly<Record<string, keyof DocumentInfo>> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'dc:description': 'description',
  'dc:language': 'lang',
  'xmp:createdate': 'createdAt',
}

/**
 * Reads the metadata that a PDF has as XML. Packets are stored without compression, so that programs find them without knowing the
 * format around them.
 *
 * @see  https://developer.adobe.com/xmp/docs/XMPSpecifications/
 */
function readXmp(bytes: Uint8Array): DocumentInfo {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = buffer.indexOf('<x:xmpmeta')
  if (start < 0) return {}
  const values: Record<string, string[]> = {}
  let field: string | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const opened = XMP_FIELDS[name.toLowerCase()]
        if (opened) field = opened
        if (field && (opened || name.toLowerCase() === 'rdf:li')) (values[field] ??= []).push('')
        const createdAt = attributes['xmp:CreateDate']
        if (createdAt) (values.createdAt ??= []).push(createdAt)
      },
      ontext(text) {
        const list = field && values[field]
        if (list) list[list.length - 1] = `${list.at(-1)}${text}`.slice(0, MAX_INFO_CHARS)
      },
      onclosetag(name) {
        if (name.toLowerCase() in XMP_FIELDS) field = undefined
        if (name === 'x:xmpmeta') parser.pause()
      },
    },
    { xmlMode: true },
  )
  parser.end(buffer.toString('utf8', start, start + MAX_PACKET_BYTES))
  const textsOf = (name: keyof DocumentInfo) =>
    (values[name] ?? []).map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
  return {
    title: textsOf('title')[0],
    author: textsOf('author').slice(0, 10).join(', ') || undefined,
    description: textsOf('description')[0],
    lang: textsOf('lang')[0],
    createdAt: textsOf('createdAt')[0],
  }
}

/** The text whose characters are highest, across lines; text that is turned, such as a stamp at the edge, does not count. */
function readLargestText(library: Library, page: number): string {
  const textPage = library.FPDFText_LoadPage(page)
  if (!textPage) return ''
  const { pdfium } = library
  const box = pdfium.wasmExports.malloc(16)
  const count = Math.min(library.FPDFText_CountChars(textPage), MAX_TEXT_CHARS)
  let largest = { height: 0, text: '' }
  let run = { height: 0, text: '' }
  const endRun = () => {
    const letters = run.text.match(/\p{L}/gu)?.length ?? 0
    if (letters >= MIN_HEADING_LETTERS && run.height > largest.height * (1 + HEIGHT_TOLERANCE)) largest = run
    run = { height: 0, text: '' }
  }
  for (let index = 0; index < count; index++) {
    const code = library.FPDFText_GetUnicode(textPage, index)
    const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
    if (/\s/.test(character)) {
      run.text += ' '
      continue
    }
    if (Math.abs(library.FPDFText_GetCharAngle(textPage, index)) > 0.1) continue
    library.FPDFText_GetLooseCharBox(textPage, index, box)
    const [, top = 0, , bottom = 0] = new Float32Array(pdfium.HEAPU8.slice(box, box + 16).buffer)
    const height = Math.abs(top - bottom)
    if (run.height > 0 && Math.abs(height - run.height) > run.height * HEIGHT_TOLERANCE) endRun()
    run.height ||= height
    if (run.text.length < MAX_TITLE_CHARS) run.text += character
  }
  endRun()
  return largest.text.replace(/\s+/g, ' ').trim()
}

async function drawPage(library: Library, page: number, width: number): Promise<Uint8Array | undefined> {
  const [pageWidth, pageHeight] = [library.FPDF_GetPageWidthF(page), library.FPDF_GetPageHeightF(page)]
  if (!(pageWidth > 0 && pageHeight > 0)) return undefined
  const scale = Math.min(
    width / pageWidth,
    MAX_SIDE / Math.max(pageWidth, pageHeight),
    Math.sqrt(MAX_PIXELS / (pageWidth * pageHeight)),
  )
  const size = {
    width: Math.max(1, Math.round(pageWidth * scale)),
    height: Math.max(1, Math.round(pageHeight * scale)),
  }
  const bitmap = library.FPDFBitmap_CreateEx(size.width, size.height, BITMAP_BGRX, 0, 0)
  if (!bitmap) return undefined
  library.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, size.height, WHITE)
  library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, size.width, size.height, 0, RENDER_ANNOTATIONS | RENDER_RGBA)
  const start = library.FPDFBitmap_GetBuffer(bitmap)
  const pixels = library.pdfium.HEAPU8.subarray(start, start + size.width * size.height * 4)
  const image = sharp(pixels, { raw: { ...size, channels: 4 } }).removeAlpha()
  const png = await image.clone().png({ compressionLevel: 6 }).toBuffer()
  return png.length <= MAX_PNG_BYTES ? png : image.jpeg({ quality: 90 }).toBuffer()
}
