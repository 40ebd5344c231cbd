/** The displayed parts of a response body, which may be any text. */
export interface ResponseBody {
  /** Indented JSON, or else the unchanged text. */
  text: string
  code: string | undefined
  /** What the page showed instead of its content. */
  state: string | undefined
  message: string | undefined
  /** URL of the documentation of `code`. */
  more: string | undefined
  /** The parameters that caused an error. */
  reasons: [parameter: string, reason: string][]
  redirects: { statusCode: number; url: string }[]
  warnings: string[]
  /** Size of the screenshot, or else of the image, in pixels. */
  imageSize: { width: number; height: number } | undefined
}

export function readBody(text: string): ResponseBody {
  const json = parseJson(text)
  const { code, message, more, redirects, warnings } = asObject(json)
  const data = asObject(asObject(json).data)
  const { width, height } = asObject(data.screenshot ?? data.image)
  return {
    text: json === undefined ? text : JSON.stringify(json, null, 2),
    code: asText(code),
    state: code ? undefined : asText(data.state),
    message: asText(message),
    more: asText(more),
    reasons: code ? Object.entries(data).map(([parameter, reason]) => [parameter, String(reason)]) : [],
    redirects: asList(redirects).map((hop) => {
      const { statusCode, url } = asObject(hop)
      return { statusCode: Number(statusCode), url: String(url) }
    }),
    warnings: asList(warnings).map(String),
    imageSize: typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An embedded text field or HTML card is displayed unchanged.
    return undefined
  }
}

const asObject = (value: unknown) =>
  (typeof value === 'object' && value && !Array.isArray(value) ? value : {}) as Readonly<Record<string, unknown>>
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
