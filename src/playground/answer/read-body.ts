/** The parts of an answer's body that a person looks for, whatever the service sent. */
export interface ResponseBody {
  /** Indented JSON, else the text as it came. */
  text: string
  code: string | undefined
  message: string | undefined
  /** Where the code is explained. */
  more: string | undefined
  /** Words of the query that are at fault. */
  reasons: [word: string, reason: string][]
  redirects: { statusCode: number; url: string }[]
  warnings: string[]
  picture: { width: number; height: number } | undefined
}

export function readBody(text: string): ResponseBody {
  const json = parse(text)
  const { code, message, more, redirects, warnings } = objectIn(json)
  const data = objectIn(objectIn(json).data)
  const { width, height } = objectIn(data.screenshot ?? data.image)
  return {
    text: json === undefined ? text : JSON.stringify(json, null, 2),
    code: textIn(code),
    message: textIn(message),
    more: textIn(more),
    reasons: code ? Object.entries(data).map(([word, reason]) => [word, String(reason)]) : [],
    redirects: listIn(redirects).map((hop) => {
      const { statusCode, url } = objectIn(hop)
      return { statusCode: Number(statusCode), url: String(url) }
    }),
    warnings: listIn(warnings).map(String),
    picture: typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An embedded text or page: shown as it is.
    return undefined
  }
}

const objectIn = (value: unknown) =>
  (typeof value === 'object' && value && !Array.isArray(value) ? value : {}) as Readonly<Record<string, unknown>>
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)
