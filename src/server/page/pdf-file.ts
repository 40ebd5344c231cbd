import { isPageError } from '../../query/index.js'
import type { Images, DocumentInfo, PdfProblem } from '../images/index.js'
import { fileDocument, type FileFacts } from './file-document.js'
import { fileName, nameInWords } from './file-name.js'
import type { FetchedFile } from './fetch/index.js'

/** What a PDF shows of itself. */
export interface PdfFile {
  facts: FileFacts
  /** Missing if it could not be read. */
  pages?: number
  /** The document that shows its first page; missing if that was not requested, or could not be drawn. */
  view?: string
  warnings: string[]
  /** Whether it may be readable soon. */
  isTemporary: boolean
}

const PROBLEMS: Readonly<Record<PdfProblem, string>> = {
  protected: 'is protected with a password',
  damaged: 'is damaged',
  empty: 'has no pages',
}

/** A page of paper as wide as the viewport, on white in every theme. */
const STYLES = 'html,body{margin:0;background:#fff}img{display:block;width:100%}'

/**
 * Reads a PDF in a child process. Its title is the one that it states, if that means anything, or else the largest text of its first
 * page, or the name of the file. A PDF that cannot be read is no error: its name is known.
 *
 * @param width  Pixels of the picture of its first page; `undefined`: none is needed.
 * @throws       The reason of an aborted `signal`.
 */
export async function readPdfFile(
  { bytes, problem, isTemporary = false }: FetchedFile,
  { url, headers, width }: { url: string; headers: Readonly<Record<string, string>>; width: number | undefined },
  { images, client, signal }: { images: Images; client: string; signal: AbortSignal },
): Promise<PdfFile> {
  const name = nameInWords(fileName(url, headers)) || new URL(url).host
  const publisher = new URL(url).hostname.replace(/^www\./, '')
  const unread = (problem: string, isTemporary: boolean): PdfFile => ({
    facts: { title: name, publisher },
    warnings: [`The PDF ${problem}, so ${width ? 'its first page is not shown' : 'only its name is known'}.`],
    isTemporary,
  })
  if (!bytes) return problem ? unread(problem, isTemporary) : { ...unread('', false), warnings: [] }
  const options = { client, signal }
  try {
    const reading = await images.readPdf(bytes, options)
    if ('problem' in reading) return unread(PROBLEMS[reading.problem], false)
    const { info, pages } = reading
    const title = meaningfulTitle(info.title)
    const page = title && !width ? undefined : await readPage(images.readPdfPage(bytes, { width, ...options }), signal)
    const facts = { ...factsOf(info), publisher, title: title ?? (page?.largestText || name) }
    const isUndrawn = width !== undefined && !page?.picture
    return {
      facts,
      pages,
      ...(page?.picture && { view: viewOf(page.picture, facts) }),
      warnings: [
        ...(isUndrawn ? ['The first page of the PDF could not be drawn.'] : []),
        ...(page?.picture && page.missing.length > 0 ? [fontWarning(page.missing)] : []),
      ],
      isTemporary: false,
    }
  } catch (error) {
    signal.throwIfAborted()
    const isBusy = isPageError(error) && error.code === 'EBUSY'
    return unread(isBusy ? 'could not be read yet, because the service is busy' : 'could not be read', isBusy)
  }
}

const fontWarning = (missing: readonly string[]): string =>
  `The PDF does not contain its font for ${missing.join(', ')}, and the machine has none, so its first page lacks such text. Install ${CJK_FONTS} on it.`

/** A package of Debian and Ubuntu. */
const CJK_FONTS = 'fonts-noto-cjk'

/** `undefined` for a page that cannot be read; whether the service had no time for it, or the page is a trap, is not known. */
async function readPage<Page>(reading: Promise<Page>, signal: AbortSignal): Promise<Page | undefined> {
  try {
    return await reading
  } catch (error) {
    signal.throwIfAborted()
    if (isPageError(error) && error.code === 'EBUSY') throw error
    return undefined
  }
}

const factsOf = ({ author, description, lang, createdAt }: DocumentInfo): Omit<FileFacts, 'title'> => ({
  author: meaningfulAuthor(author),
  description,
  lang,
  date: createdAt,
})

function viewOf(picture: Uint8Array, facts: FileFacts): string {
  const type = picture[0] === 0xff ? 'jpeg' : 'png'
  const body = `<img alt="" src="data:image/${type};base64,${Buffer.from(picture).toString('base64')}">`
  return fileDocument(facts, { styles: STYLES, body })
}

// What programs write into PDFs in place of their title and author.

/** In front of the name of the file from which a PDF was made. */
const PROGRAM = /^microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio) - /i
/** The name of a file, or where it is. */
const FILE_NAME =
  /\.(?:docx?|dotx?|odt|rtf|txt|pdf|tex|dvi|e?ps|ai|indd|qxd|qxp|fm|pub|pptx?|potx|ppsx|odp|key|pages|xlsx?|xlsm|ods|csv|html?|psd|cdr|vsdx?|dwg|jpe?g|png|tiff?|wpd|sxw)$/i
const PLACE = /^(?:[a-z]:[\\/]|\\\\|\/[a-z]|file:|https?:|about:|blob:)/i
const MEANINGLESS = new Set(
  [
    'untitled, untitled document, untitled-1, untitled1, untitled presentation, unbenannt, unbenanntes dokument',
    'sans titre, sin título, sin titulo, sem título, senza titolo, naamloos, uten navn, namnlös, ikke navngivet, bez názvu',
    'без названия, документ, 無題, 無題のドキュメント, 未命名, 无标题, 제목 없음, adsız, bez tytułu',
    'document, document1, doc1, doc, dokument, dokument1, documento, documento1, microsoft word, word document',
    'presentation, presentation1, powerpoint presentation, powerpoint-präsentation, présentation powerpoint, präsentation1',
    'presentación de powerpoint, apresentação do powerpoint, presentazione standard di powerpoint, powerpoint-presentatie',
    'презентация powerpoint, slide 1, folie 1, diapositive 1, diapositiva 1, google slides, google docs',
    'book1, workbook1, sheet1, mappe1, classeur1, libro1, layout 1, layout1, page 1, cover, title, title page, template',
    'none, null, undefined, unknown, default, test, print, printout, scan, scanned document, scanned image, full page fax print',
    'pdf, new document, new pdf, blank, empty, index, output, out, report, file, draft, fax, image, a4, letter, (), -',
    'acrobat document, adobe photoshop pdf, ilovepdf, smallpdf, scan0001, crystal reports, crystal reports activex designer',
  ].flatMap((line) => line.split(', ')),
)

/** The title that a PDF states, without the name of a program; `undefined` if it is meaningless. */
function meaningfulTitle(stated: string | undefined): string | undefined {
  const title = (stated ?? '').replace(PROGRAM, '').trim()
  const isWord = /\p{L}\p{M}*\p{L}|\p{Lo}/u.test(title)
  const isCode = !/\s/.test(title) && (title.includes('_') || countOf(/\d/g, title) > countOf(/\p{L}/gu, title))
  const isNamed = !MEANINGLESS.has(title.toLowerCase()) && !FILE_NAME.test(title) && !PLACE.test(title)
  return isWord && !isCode && isNamed ? title : undefined
}

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

/** Names that computers and programs have. */
const NOBODY = new Set(
  'user, users, admin, administrator, root, owner, author, unknown, anonymous, anonym, pc, default, guest, windows user, benutzer, usuario, utilisateur, hp, dell, acer, asus, lenovo, toshiba, none, null, www-data, microsoft office user, microsoft, registered user, valued customer, preferred customer, customer, scanner, test, it, home, office, staff'.split(
    ', ',
  ),
)

/** The author that a PDF states; `undefined` if it is the name of an account. */
function meaningfulAuthor(stated: string | undefined): string | undefined {
  const author = (stated ?? '').trim()
  const isAccount =
    NOBODY.has(author.toLowerCase()) || (!/\s/.test(author) && (/[\d_\\@:]/.test(author) || /^[a-z.-]+$/.test(author)))
  return author.length > 1 && !isAccount ? author : undefined
}
