/** `undefined` for invalid JSON, so that a damaged row counts as missing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
