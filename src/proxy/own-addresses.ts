import type { PageResponse, PageData } from '../query/index.js'

/** Turns addresses of the service's kept pictures into addresses of the proxy. */
export interface OwnAddresses {
  /** One address; `undefined` for one that is no kept picture of the service. */
  ofPicture(url: string): string | undefined
  /**
   * The text of a JSON answer.
   *
   * @throws  {SyntaxError} for a text that is no JSON.
   */
  inJson(text: string, more: WholeAnswer): string
  /** The text of a card. */
  inHtml(text: string): string
}

/** What an answer about a whole page gets. */
export interface WholeAnswer {
  /** Added to its own. */
  warnings: readonly string[]
  /** Where a medium that the page has elsewhere is to be had from the proxy; without it its address stays. */
  mediaUrl?: ((field: MediaField) => string) | undefined
}

type MediaField = (typeof MEDIA_FIELDS)[number]

const MEDIA_FIELDS = ['image', 'logo', 'audio', 'video'] as const
const PICTURE_PATH = /\/images\/[^/?#]+(\?[^#]*)?$/

/** Both addresses without slash at the end. */
export function ownAddresses({ service, own }: { service: string; own: string }): OwnAddresses {
  const ofPicture = (url: string) =>
    url.startsWith(`${service}/images/`) ? own + url.slice(service.length) : undefined

  return {
    ofPicture,
    inJson(text, { warnings, mediaUrl }) {
      const answer: unknown = JSON.parse(text, (name, value: unknown) => {
        if (typeof value === 'string') return ofPicture(value) ?? value
        // Always a kept picture, also of a service that has another public address than the one it is asked at.
        if (name !== 'screenshot' || !isScreenshot(value)) return value
        return { ...value, url: own + PICTURE_PATH.exec(value.url)![0] }
      })
      if (!isWhole(answer)) return JSON.stringify(answer)
      const all = [...warnings, ...(answer.warnings ?? [])]
      const data = mediaUrl ? withMedia(answer.data, mediaUrl) : answer.data
      return JSON.stringify({ ...answer, data, ...(all.length && { warnings: all }) })
    },
    // Without the address of the same card as oEmbed, for the proxy has none.
    inHtml: (text) =>
      text.replaceAll(`${service}/images/`, `${own}/images/`).replace(/<link rel="alternate"[^>]*>\n?/, ''),
  }
}

const isScreenshot = (value: unknown): value is { url: string } =>
  typeof value === 'object' && value !== null && 'url' in value && PICTURE_PATH.test(String(value.url))

const isWhole = (answer: unknown): answer is PageResponse =>
  typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'success'

function withMedia(data: PageData, mediaUrl: (field: MediaField) => string): PageData {
  const found = MEDIA_FIELDS.filter((field) => data[field])
  return { ...data, ...Object.fromEntries(found.map((field) => [field, { ...data[field], url: mediaUrl(field) }])) }
}
