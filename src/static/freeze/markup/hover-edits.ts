import { filterData } from '../../../card/index.js'
import type { PageData } from '../../../query/index.js'
import { attributesMarkup, markupText } from '../../../server/html-card/index.js'
import { FROZEN } from './card-edits.js'
import type { ScannedPreview } from './find-previews.js'
import type { TextFile } from './freeze-html-options.js'
import type { FrozenFile, FrozenImage, FrozenPreview } from './frozen-preview.js'
import { contentFile } from './content-file.js'
import type { Edit } from './page-text.js'

/** Pixels: a hover preview is 20em wide, on screens of two pixels for each of CSS. */
const HOVER_WIDTH = 640

/** The data of a hover preview as the script tag reads it; URLs of images are relative to it. */
export function hoverData({ request: { filter } }: Pick<ScannedPreview, 'request'>, preview: FrozenPreview): TextFile {
  const { image, icon } = preview
  const { title, description, lang, screenshot, image: ownImage, logo, state } = preview.data
  const file = image && hoverFile(image)
  const data: PageData = {
    title,
    description,
    lang,
    ...(state && { state }),
    image: ownImage && file && !image.isScreenshot ? { ...ownImage, url: file.name } : null,
    logo: logo && icon?.files.length ? { ...logo, url: icon.files.at(-1)!.name } : null,
    ...(screenshot && file && image.isScreenshot && { screenshot: { ...screenshot, url: file.name } }),
  }
  return contentFile('json', JSON.stringify(filter ? filterData(data, filter) : data))
}

/** WebP where there is one: browsers that run the script know it. */
const hoverFile = ({ files }: FrozenImage): FrozenFile | undefined => {
  const webp = files.filter(({ type }) => type === 'webp')
  return (webp.length ? webp : files).toSorted(
    (a, b) => Math.abs(a.width - HOVER_WIDTH) - Math.abs(b.width - HOVER_WIDTH),
  )[0]
}

/** The edits that mark a link, so that its hover preview reads its data from a file. */
export function hoverEdits({ element }: ScannedPreview, text: string, url: string): Edit[] {
  const { startTag, startOffset = 0 } = element.sourceCodeLocation ?? {}
  const html = markupText(attributesMarkup({ [FROZEN]: url })).trimStart()
  const existing = / data-frozen="[^"]*"/.exec(text.slice(startOffset, startTag?.endOffset))
  if (existing) {
    const start = startOffset + existing.index + 1
    const end = startOffset + existing.index + existing[0].length
    return text.slice(start, end) === html ? [] : [{ start, end, html }]
  }
  const afterName = startOffset + '<a'.length
  const mark = element.attribs['data-page-preview'] === undefined ? ' data-page-preview="hover"' : ''
  return [{ start: afterName, end: afterName, html: ` ${html}${mark}` }]
}
