interface PdfParts {
  /** The dictionary of the document information: `/Title(Tides)`. */
  info?: string
  /** Operators of the first page; `undefined`: one line of text. */
  content?: Buffer | string
  /** Entries of the dictionary of the content. */
  contentEntries?: string
  mediaBox?: string
  /** Entries of the resources, beside the font `F1`. */
  resources?: string
  /** Entries of the fonts, beside `F1`. */
  fonts?: string
  /** Entries of the catalogue. */
  catalogue?: string
  xmp?: string
  pages?: number
  trailer?: string
  /** Objects from number 10 on. */
  objects?: readonly Buffer[]
}

/** A PDF of one page or more, as its parts are written. */
export function makePdf(parts: PdfParts = {}): Buffer {
  const { info = '', content = textAt(24, 'Tide table'), contentEntries = '', mediaBox = '0 0 300 200' } = parts
  const { resources = '', fonts = '', catalogue = '', xmp, pages = 1, trailer = '', objects = [] } = parts
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[${mediaBox}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R${fonts}>>${resources}>>>>`
  const empty = Buffer.from('null')
  return assemble(
    [
      Buffer.from(`<</Type/Catalog/Pages 2 0 R${xmp ? '/Metadata 7 0 R' : ''}${catalogue}>>`),
      Buffer.from(`<</Type/Pages/Kids[${'3 0 R '.repeat(pages)}]/Count ${pages}>>`),
      Buffer.from(page),
      stream(contentEntries, content),
      Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'),
      Buffer.from(`<<${info}>>`, 'latin1'),
      xmp ? stream('/Type/Metadata/Subtype/XML', xmp) : empty,
      empty,
      empty,
      ...objects,
    ],
    trailer,
  )
}

/** A line of text for the content of a page. */
export const textAt = (size: number, text: string, y = 100) => `BT /F1 ${size} Tf 20 ${y} Td (${text}) Tj ET `

export function stream(entries: string, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

function assemble(objects: readonly Buffer[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const add = (bytes: Buffer) => {
    parts.push(bytes)
    length += bytes.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]))
  }
  const start = length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`))
  add(
    Buffer.from(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R/Info 6 0 R${trailer}>>\nstartxref\n${start}\n%%EOF`),
  )
  return Buffer.concat(parts)
}

/** A PDF that only a password opens. */
export const protectedPdf = (): Buffer =>
  makePdf({
    trailer: `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})>>`,
  })

/** Text of a PDF in UTF-16. */
export const utf16 = (text: string): string =>
  `<FEFF${[...Buffer.from(text, 'utf16le').swap16()].map((byte) => byte.toString(16).padStart(2, '0')).join('')}>`

export const xmp = (entries: string): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">${entries}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
