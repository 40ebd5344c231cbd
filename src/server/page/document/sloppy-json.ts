export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** More values in one script are no metadata of one page. */
const MAX_VALUES = 50
const MAX_DEPTH = 60
/** How far a quote looks ahead to find out whether it ends its string. */
const LOOKAHEAD_CHARS = 200
const MAX_KEY_CHARS = 200

/**
 * Reads JSON as people and publishing systems write it: several values one after the other, in marks of CDATA or HTML comments,
 * with comments, without or with too many commas and semicolons, and with line breaks, wrong escapes and bare quotes in strings.
 *
 * @returns  All objects and arrays; of those that end too early, what is complete. Takes linear time.
 */
export function readSloppyJson(text: string): unknown[] {
  const value = parse(text)
  // Some programs convert their JSON to JSON twice.
  if (typeof value === 'string') return [parse(value)].filter((inner) => typeof inner === 'object')
  if (value !== undefined) return [value]
  const unescaped = ESCAPED_START.test(text) ? text.replace(/\\(["\\/])/g, '$1') : text
  return new SloppyJsonReader(unescaped).readAll()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ESCAPED_START = /^[^{]{0,200}\{\s*\\"/

/** Between values within an object or array. */
const BLANKS = /(?:[\s\p{Cc}\uFEFF]|<!--|-->)+/uy
/** Around all values: also marks of CDATA, in a comment or not. */
const OUTER_MARKS = /(?:\/\/[^\S\n]*)?(?:<!|&lt;!)\[CDATA\[/y
const VALUE_START = /\{|\[\s*[[{"'\]/]/y
const STRING_START = /["'“”„]|&quot;|&#34;/y
/** What ends a string, or escapes a character in it; by what began it. */
const STRING_MARKS: ReadonlyMap<string, RegExp> = new Map([
  ['"', /["\\]/g],
  ["'", /['\\]/g],
  ['“', /[“”"\\]/g],
  ['”', /[“”"\\]/g],
  ['„', /[“”"\\]/g],
  ['&quot;', /&quot;|\\/g],
  ['&#34;', /&#34;|\\/g],
])
const BARE_KEY = /[^\s,:={}[\]"'“”]{1,200}/y
const BARE_VALUE = /[^\s,{}[\]"'“”]{1,200}/y
const KEY_END = /^\s*:/
/** What follows the value of a property: the end, a comma and the next name, or only the next name. */
const PROPERTY_END =
  /^\s*(?:$|[}\]]|;\s*$|,\s*(?:$|[}\]{/,]|(?:["'“”]|&quot;|&#34;)[^"'“”&]{1,60}(?:["'“”]|&quot;|&#34;)\s*:|[\w@$-]{1,60}\s*:)|\s(?:["'“”]|&quot;)[^"'“”&]{1,60}(?:["'“”]|&quot;)\s*:|\s\/[/*])/
const ITEM_END = /^\s*(?:$|[}\]]|,\s*(?:$|["'“”&[{\]/\d,])|\s\/[/*])/
/** A name behind a string that lacks its last quote. */
const NEXT_KEY = /^[\w@:-]{1,60}["'”]\s*:/

type Container = 'key' | 'object' | 'array'
const ENDS: Readonly<Record<Container, RegExp>> = { key: KEY_END, object: PROPERTY_END, array: ITEM_END }

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

class SloppyJsonReader {
  readonly #text: string
  #at = 0
  /** Whether a comment may end in the rest of the text. */
  #hasCommentEnd = true

  constructor(text: string) {
    this.#text = text
  }

  readAll(): unknown[] {
    const values = this.#readFrom(0)
    // A comment that has no line of its own seems to be longer than it is.
    const start = this.#text.indexOf('{')
    return values.length || start < 0 ? values : this.#readFrom(start)
  }

  #readFrom(start: number): unknown[] {
    this.#at = start
    this.#hasCommentEnd = true
    const values: unknown[] = []
    while (values.length < MAX_VALUES && this.#skipToValue()) values.push(this.#readValue('array', 0))
    return values.filter((value) => typeof value === 'object' && value !== null)
  }

  /** @returns  `false` at the end. */
  #skipToValue(): boolean {
    while (this.#at < this.#text.length) {
      this.#take(OUTER_MARKS)
      this.#skipBlanks()
      if (this.#isAt(VALUE_START)) return true
      if (!this.#isAt(OUTER_MARKS)) this.#at++
    }
    return false
  }

  #readValue(container: Container, depth: number): unknown {
    this.#skipBlanks()
    if (depth > MAX_DEPTH) {
      this.#at = this.#text.length
      return undefined
    }
    if (this.#text.startsWith('{{', this.#at)) return this.#skipTemplate()
    if (this.#text[this.#at] === '{') return this.#readObject(depth)
    if (this.#text[this.#at] === '[') return this.#readArray(depth)
    const open = this.#take(STRING_START)
    if (open !== undefined) return this.#readString(open, container)
    const bare = this.#take(BARE_VALUE)
    return bare === undefined ? undefined : parse(bare.replace(/;$/, ''))
  }

  #readObject(depth: number): object {
    this.#at++
    const entries: [string, unknown][] = []
    while (this.#at < this.#text.length) {
      this.#skipBlanks()
      if (this.#text[this.#at] === '}') {
        this.#at++
        break
      }
      const open = this.#take(STRING_START)
      const key = open === undefined ? this.#take(BARE_KEY) : this.#readString(open, 'key')
      this.#skipBlanks()
      if (key === undefined) this.#at++
      else if (this.#text[this.#at] === ':') {
        this.#at++
        const value = this.#readValue('object', depth + 1)
        if (value !== undefined) entries.push([key, value])
      }
    }
    return Object.fromEntries(entries)
  }

  #readArray(depth: number): unknown[] {
    this.#at++
    const items: unknown[] = []
    while (this.#at < this.#text.length) {
      this.#skipBlanks()
      const char = this.#text[this.#at]
      // The array is not closed, but the object around it is.
      if (char === '}') break
      if (char === ']') {
        this.#at++
        break
      }
      const start = this.#at
      const item = char === ',' ? undefined : this.#readValue('array', depth + 1)
      if (item !== undefined) items.push(item)
      if (this.#at === start) this.#at++
    }
    return items
  }

  /** @returns  `undefined` for a string without an end. */
  #readString(open: string, container: Container): string | undefined {
    const marks = STRING_MARKS.get(open)!
    const start = this.#at
    let value = ''
    for (;;) {
      marks.lastIndex = this.#at
      const mark = marks.exec(this.#text)
      if (!mark || (container === 'key' && mark.index - start > MAX_KEY_CHARS)) {
        this.#at = mark ? mark.index : this.#text.length
        return undefined
      }
      value += this.#text.slice(this.#at, mark.index)
      this.#at = mark.index + mark[0].length
      const rest = this.#text.slice(this.#at, this.#at + LOOKAHEAD_CHARS)
      if (mark[0] === '\\') value += this.#readEscape()
      else if (ENDS[container].test(rest)) return value
      else if (container === 'object' && NEXT_KEY.test(rest) && this.#isAtLineStart(mark.index)) {
        this.#at = mark.index
        return value.trimEnd().slice(0, -1)
      } else value += mark[0]
    }
  }

  /** Whether a comma and a line break precede. */
  #isAtLineStart(at: number): boolean {
    const before = this.#text.slice(Math.max(0, at - LOOKAHEAD_CHARS), at)
    const trimmed = before.trimEnd()
    return trimmed.endsWith(',') && before.slice(trimmed.length).includes('\n')
  }

  /** Reads what follows a backslash; one that escapes nothing is left out. */
  #readEscape(): string {
    const char = this.#text.charAt(this.#at)
    const [, hex] = (char === 'u' && /^u([\da-f]{4})/i.exec(this.#text.slice(this.#at, this.#at + 5))) || []
    this.#at += hex === undefined ? 1 : 5
    return hex === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16))
  }

  /** `{{ page.title }}` that nobody filled in. */
  #skipTemplate(): undefined {
    const end = this.#text.indexOf('}}', this.#at)
    this.#at = end < 0 ? this.#text.length : end + 2
  }

  #skipBlanks(): void {
    for (;;) {
      this.#take(BLANKS)
      const start = this.#text.slice(this.#at, this.#at + 2)
      if (start !== '//' && start !== '/*') return
      if (start === '//' && this.#isAt(OUTER_MARKS)) return
      if (start === '//') this.#at = this.#indexAfter('\n') ?? this.#text.length
      else this.#skipComment()
    }
  }

  #skipComment(): void {
    const end = this.#hasCommentEnd ? this.#indexAfter('*/') : undefined
    this.#hasCommentEnd = end !== undefined
    this.#at = end ?? this.#at + 2
  }

  #indexAfter(mark: string): number | undefined {
    const at = this.#text.indexOf(mark, this.#at + 2)
    return at < 0 ? undefined : at + mark.length
  }

  #isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found
  }
}
