/** Where a command writes, such as `process.stdout`. */
export interface OutputStream {
  write(content: string | Uint8Array): unknown
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  isTTY?: boolean | undefined
  /** Width of a terminal. */
  columns?: number | undefined
}

/** A stream that escapes control characters, so that no text can control the terminal. */
export interface TerminalOutput extends OutputStream {
  /** Erases the current line of a terminal. */
  eraseLine(): unknown
}

const ERASE_LINE = '\r\u001b[K'

/** A terminal gets text with unprintable characters as `\u001b`, so that JSON means the same; files and pipes get it as it is. */
export const terminalOutput = (stream: OutputStream): TerminalOutput => ({
  isTTY: stream.isTTY,
  get columns() {
    return stream.columns
  },
  write: (content) => stream.write(stream.isTTY ? escapeUnprintable(textOf(content)) : content),
  eraseLine: () => stream.isTTY && stream.write(ERASE_LINE),
})

const textOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)

/**
 * Control characters, which terminals obey, and invisible ones, which reorder or hide text; but not what joins the letters of a
 * word or the parts of an emoji.
 */
const UNPRINTABLE = /(?![\n\t\p{Join_Control}]|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\p{Cs}]/gu
const PLAIN_TEXT = /^[\n\t -~]*$/

/** The text with each control or invisible character as in JSON: `\u001b`. Lines and tabs stay. */
export const escapeUnprintable = (text: string): string =>
  PLAIN_TEXT.test(text) ? text : text.replace(UNPRINTABLE, (character) => character.split('').map(escaped).join(''))

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The same characters, and line breaks with all others that have no width. */
const NOT_ON_ONE_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu
const DEFAULT_MAX_CHARS = 300

/**
 * Untrusted text in a form that is safe to print on a terminal, on one line.
 *
 * @param maxChars  Longer text ends in an ellipsis.
 */
export function printable(text: string, maxChars = DEFAULT_MAX_CHARS): string {
  const line = text.slice(0, maxChars + 1).replace(NOT_ON_ONE_LINE, ' ')
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line
}

/**
 * Aligns the columns of a table with spaces.
 *
 * @param maxWidth  Widest a column may be padded to. Default: as wide as its longest cell.
 */
export function formatTable(rows: readonly (readonly string[])[], maxWidth = Infinity): string[] {
  const widths = rows[0]?.map((_, column) => Math.min(maxWidth, Math.max(...rows.map((row) => row[column]!.length))))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths![column]!))
      .join('  ')
      .trimEnd(),
  )
}
