import { createHash } from 'node:crypto'
import { PageError, type PageAnswer, type PageData, type PageQuery } from '../../query/index.js'
import type { GivenAnswer } from '../give-answer.js'
import type { MadeAnswer } from '../made-answer.js'
import { imageHeaders } from './image-answer.js'
import type { Store } from '../store/index.js'

/** Ready-to-send bytes and the headers that belong to them. */
export interface AnswerBody {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The bytes that a query asks for: the JSON envelope, or with `embed` one field itself.
 *
 * @param base  Address of the service, without slash at the end: where the kept images are.
 * @throws      {PageError} `ENOEMBED` for a path that leads to nothing.
 */
export async function answerBody(
  given: GivenAnswer,
  query: PageQuery,
  base: string,
  store: Store,
): Promise<AnswerBody> {
  const { body } = given.kept
  const data = dataOf(body, base)
  const path = embedPath(query)
  if (path === undefined) return ofText(JSON.stringify(envelope(given, filtered(data, query))), JSON_TYPE)
  if (body.screenshot && path.join('.') === 'screenshot.url') {
    const bytes = await store.readImage(body.screenshot.image)
    if (!bytes) throw new PageError('EFATAL', 'The kept picture is gone; ask again with force=true.')
    return { bytes: bytes as Uint8Array<ArrayBuffer>, headers: imageHeaders(body.screenshot) }
  }
  const value = valueAt(data, path)
  if (value === undefined || value === null)
    throw new PageError('ENOEMBED', `Nothing was found at embed=${path.join('.')}.`, {
      data: { embed: 'leads to nothing' },
    })
  return typeof value === 'string'
    ? ofText(value, 'text/plain; charset=utf-8')
    : ofText(JSON.stringify(value), JSON_TYPE)
}

function dataOf({ data, screenshot }: MadeAnswer, base: string): PageData {
  if (!screenshot) return data
  const { image, ...facts } = screenshot
  return { ...data, screenshot: { url: `${base}/images/${image}`, ...facts } }
}

function envelope({ kept, warnings }: GivenAnswer, data: PageData): PageAnswer {
  const { statusCode, headers, redirects, warnings: made } = kept.body
  const all = [...made, ...warnings]
  return { status: 'success', data, statusCode, headers, redirects, ...(all.length && { warnings: all }) }
}

/** `embed=true`, `embed=screenshot` and `embed=screenshot.url` ask for the same; so do the other media. */
function embedPath({ embed, screenshot }: PageQuery): string[] | undefined {
  if (embed === undefined || embed === false) return undefined
  if (embed === true) return screenshot ? ['screenshot', 'url'] : []
  return /^(screenshot|image|logo|audio|video)$/.test(embed) ? [embed, 'url'] : embed.split('.')
}

const valueAt = (data: unknown, path: string[]): unknown =>
  path.length === 0
    ? undefined
    : path.reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
        data,
      )

/** Keeps only the paths of `filter`. */
function filtered(data: PageData, { filter }: PageQuery): PageData {
  if (filter === undefined) return data
  const kept: Record<string, unknown> = {}
  for (const path of String(filter).split(',')) {
    const keys = path.split('.')
    const value = valueAt(data, keys)
    if (value === undefined) continue
    let place = kept
    for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>
    place[keys.at(-1)!] ??= value
  }
  return kept
}

function ofText(text: string, type: string): AnswerBody {
  const bytes = new TextEncoder().encode(text)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  return { bytes, headers: { 'content-type': type, etag, 'x-content-type-options': 'nosniff' } }
}
