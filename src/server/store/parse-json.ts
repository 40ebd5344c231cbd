/** `undefined` for a text that is no JSON, so that a damaged row is no row. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
