import { isPageError } from '../../query/index.js'
import type { Images, DocumentInfo, PdfProblem } from '../images/index.js'
import { fileDocument, type FileFacts } from './file-document.js'
import { fileName, nameInWords } from './file-name.js'
import type { FetchedFile } from './fetch/index.js'
import { meaningfulAuthor, meaningfulTitle } from './pdf-title.js'

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
      warnings: isUndrawn ? ['The first page of the PDF could not be drawn.'] : [],
      isTemporary: false,
    }
  } catch (error) {
    signal.throwIfAborted()
    const isBusy = isPageError(error) && error.code === 'EBUSY'
    return unread(isBusy ? 'could not be read yet, because the service is busy' : 'could not be read', isBusy)
  }
}

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
