// Titles that programs write into PDFs, and that say nothing about them.

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
export function meaningfulTitle(stated: string | undefined): string | undefined {
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
export function meaningfulAuthor(stated: string | undefined): string | undefined {
  const author = (stated ?? '').trim()
  const isAccount = NOBODY.has(author.toLowerCase()) || (!/\s/.test(author) && /[\d_\\@]/.test(author))
  return author.length > 1 && !isAccount ? author : undefined
}
