/** Parses the URL of an option, and prefixes the error with the option's name when that fails. */
export function parseOptionUrl<Parsed>(option: string, parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (cause) {
    throw new Error(`${option} ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}
