import type { PageData, PageQuery } from '../../../query/index.js'
import { isServiceFailure, type ImageField, type SourcePage } from '../../preview-source/index.js'
import { FreezeError } from '../freeze-error.js'
import { knownPageFields } from '../lock/parse-lock-entry.js'
import { imageFieldOf, type FrozenImage, type FrozenPreview, type CardRequest } from '../markup/index.js'
import { captureIcon, captureImage, type CaptureContext } from './capture-image.js'
import { PageFailure } from './page-failure.js'

/**
 * Captures a preview, and writes its images into the cache.
 *
 * @param force  Whether a running service captures it again, even if it has a cached result.
 * @throws       {PageError} as the service responds; {PageFailure}; {FreezeError} when the cache cannot be written.
 */
export async function capturePreview(
  request: CardRequest,
  context: CaptureContext,
  { force = false }: { force?: boolean } = {},
): Promise<FrozenPreview> {
  const { query, darkQuery } = request
  const page = await requestPage(query, context, force)
  const field = imageFieldOf(request, page.data)
  const captureField = (from: PageQuery, data: PageData) =>
    field && orNone(captureImage({ query: from, field, layout: request.layout, size: sizeOf(data, field) }, context))
  const captureDark = async (dark: PageQuery) => captureField(dark, (await requestPage(dark, context, force)).data)
  const [image, darkImage, icon] = await Promise.all([
    captureField(query, page.data),
    field === 'screenshot' && darkQuery && captureDark(darkQuery),
    page.data.logo && orNone(captureIcon(query, context)),
  ])
  return {
    date: new Date(page.producedAt).toISOString(),
    data: dataOf(page.data, image),
    ...(image && { image: { ...image, isScreenshot: field === 'screenshot' } }),
    ...(image && darkImage && { darkImage }),
    ...(icon && { icon }),
  }
}

async function requestPage(query: PageQuery, { source, signal }: CaptureContext, force: boolean): Promise<SourcePage> {
  const page = await source.page({ ...query, ...(force && { force }) }, signal)
  const { data, statusCode, warnings } = page
  if (data.state) throw new PageFailure(data.state, warnings.at(-1) ?? 'The page did not show its content.')
  if (statusCode >= 400) throw new PageFailure(`HTTP ${statusCode}`, `The page responds with HTTP ${statusCode}.`)
  return page
}

/** A card without one of its images is better than no card, unless the service has failed. */
async function orNone(image: Promise<FrozenImage | undefined>): Promise<FrozenImage | undefined> {
  try {
    return await image
  } catch (error) {
    if (error instanceof FreezeError || isServiceFailure(error)) throw error
    return undefined
  }
}

function sizeOf(data: PageData, field: ImageField) {
  const { width, height } = data[field] ?? {}
  return width && height ? { width, height } : undefined
}

/** The URL of a screenshot belongs to the service that captured it, so the file takes its place. */
function dataOf(data: PageData, image: FrozenImage | undefined): PageData {
  const { screenshot, ...rest } = knownPageFields(data)
  const name = image?.files.at(-1)?.name
  return screenshot && name ? { ...rest, screenshot: { ...screenshot, url: name } } : rest
}
