import type { Media, PageData, Screenshot } from '../../query/index.js'
import { isFrozenName } from './frozen-preview.js'
import type { CardRequest, FrozenImage, FrozenPreview } from './markup/index.js'

/** The entry of one preview in the lock file; its parameters are the key. */
export interface LockEntry {
  url: string
  /** The last good result; absent for a link that never worked. */
  preview?: FrozenPreview
  /** Why the latest attempt failed; absent when it succeeded. */
  failure?: LinkFailure
}

interface LinkFailure {
  /** An error code, `HTTP 404`, or the state of a page that did not show its content. */
  code: string
  message: string
  /** ISO 8601: the first failure since the link last worked. */
  since: string
  /** A URL of the Wayback Machine, which leads to the copy nearest in time. */
  archive?: string
}

/** The lock file: entries by key. */
export type Lock = Map<string, LockEntry>

const MAX_TEXT_CHARS = 10_000
const MAX_FILES = 24
const IMAGE_TYPES = ['jpg', 'png', 'webp', 'avif', 'gif', 'ico'] as const

type Fields = Record<string, unknown>

/**
 * Reads an entry of a lock or cache file, which is untrusted: takes only known fields, in a fixed order, and only file names that
 * this program writes.
 *
 * @returns  `undefined` for anything else.
 */
export function parseLockEntry(value: unknown): LockEntry | undefined {
  if (!isObject(value)) return undefined
  const { url, preview, failure } = value
  if (!isWebUrl(url)) return undefined
  const parsed = preview === undefined ? undefined : parsePreview(preview)
  const parsedFailure = failure === undefined ? undefined : parseFailure(failure)
  if ((preview !== undefined && !parsed) || (failure !== undefined && !parsedFailure)) return undefined
  return { url, ...(parsed && { preview: parsed }), ...(parsedFailure && { failure: parsedFailure }) }
}

function parseFailure(value: unknown): LinkFailure | undefined {
  if (!isObject(value)) return undefined
  const { code, message, since, archive } = value
  if (!isText(code) || !isText(message) || !isDate(since)) return undefined
  return { code, message, since, ...(isWebUrl(archive) && { archive }) }
}

function parsePreview(value: unknown): FrozenPreview | undefined {
  if (!isObject(value) || !isDate(value.date) || !isObject(value.data)) return undefined
  const image = parseImage(value.image)
  const darkImage = parseImage(value.darkImage)
  const icon = parseImage(value.icon)
  return {
    date: value.date,
    data: knownPageFields(value.data),
    ...(image && { image: { ...image, isScreenshot: (value.image as Fields).isScreenshot === true } }),
    ...(darkImage && { darkImage }),
    ...(icon && { icon }),
  }
}

function parseImage(value: unknown): FrozenImage | undefined {
  if (!isObject(value) || !isPixels(value.width) || !isPixels(value.height) || !Array.isArray(value.files))
    return undefined
  const files = value.files.slice(0, MAX_FILES).flatMap((file: unknown) => parseFile(file) ?? [])
  if (files.length === 0) return undefined
  return { width: value.width, height: value.height, files }
}

function parseFile(file: unknown): FrozenImage['files'][number] | undefined {
  if (!isObject(file)) return undefined
  const { name, width } = file
  const type = IMAGE_TYPES.find((each) => each === file.type)
  if (typeof name !== 'string' || !isFrozenName(name) || !type || !isPixels(width)) return undefined
  return { name, type, width }
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date', 'url'] as const
const MEDIA_FIELDS = ['image', 'logo', 'audio', 'video', 'screenshot'] as const

/** The fields of a page's result that are known, with valid values. */
export function knownPageFields(data: object): PageData {
  const from = data as Fields
  const texts = TEXT_FIELDS.flatMap((name) => (name in from ? [[name, textOrNull(from[name])]] : []))
  const media = MEDIA_FIELDS.flatMap((name) => (name in from ? [[name, parseMedia(from[name])]] : []))
  return Object.fromEntries([...texts, ...media]) as PageData
}

const NUMBERS = ['size', 'width', 'height', 'duration'] as const
const TEXTS = ['size_pretty', 'duration_pretty', 'background_color'] as const

function parseMedia(value: unknown): Media | Screenshot | null {
  if (!isObject(value) || !isText(value.url)) return null
  const numbers = NUMBERS.flatMap((name) => (name in value ? [[name, numberOrNull(value[name])]] : []))
  const texts = TEXTS.flatMap((name) => (name in value ? [[name, textOrNull(value[name])]] : []))
  return { url: value.url, type: textOrNull(value.type), ...Object.fromEntries([...numbers, ...texts]) } as Media
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT_CHARS
const textOrNull = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARS) : null)
const numberOrNull = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const isPixels = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0
const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(value) && !Number.isNaN(Date.parse(value))
const isWebUrl = (value: unknown): value is string =>
  isText(value) && /^https?:\/\//i.test(value) && URL.canParse(value)

interface FailedAttempt {
  code: string
  message: string
  /** Milliseconds since 1970. */
  now: number
  /** Whether to add the URL of an archived copy. */
  archive: boolean
}

/** The entry after an attempt that failed: the last good result stays, and so does the failure while its code is the same. */
export function failedEntry(
  request: CardRequest,
  known: LockEntry | undefined,
  { code, message, now, archive }: FailedAttempt,
): LockEntry {
  const { url } = request.query
  const earlier = known?.failure
  const { since, ...reason } = earlier?.code === code ? earlier : { code, message, since: earlier?.since }
  const failure: LinkFailure = { ...reason, since: since ?? new Date(now).toISOString() }
  // Nobody else has a copy of what is at a private address.
  const isArchived = archive && code !== 'EFORBIDDENURL'
  const archiveUrl =
    earlier?.archive ?? (isArchived ? archiveUrlOf(url, known?.preview?.date ?? failure.since) : undefined)
  return {
    url,
    ...(known?.preview && { preview: known.preview }),
    failure: { ...failure, ...(archiveUrl && { archive: archiveUrl }) },
  }
}

/** The Wayback Machine redirects it to the copy nearest to the date. */
const archiveUrlOf = (url: string, date: string) =>
  `https://web.archive.org/web/${date.replace(/\D/g, '').slice(0, 14)}/${url}`
