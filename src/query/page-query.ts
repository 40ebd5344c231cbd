import type { fields, ParameterName } from './fields.js'

type Fields = typeof fields

type Duration = number | `${number}${string}`

interface ValueByType {
  'http(s) url': string
  text: string
  embed: 'html' | (string & {})
  number: number
  integer: number
  duration: Duration
  paths: string | readonly string[]
  list: string | readonly string[]
  switches: Readonly<Record<string, boolean>>
  'safe header': Readonly<Record<string, string>>
}

/** What a caller may write for a word; durations are milliseconds or text with a unit (`'90s'`). */
type ValueOf<W extends ParameterName> = Listed<Fields[W]> | Free<Fields[W]['type']>
type Listed<F> = F extends { values: readonly (infer V)[] } ? V : never
type Free<Type> = Type extends keyof ValueByType ? ValueByType[Type] : never

type Group<G extends string> = {
  readonly [W in keyof Fields as W extends `${G}.${infer Option}` ? Option : never]?: ValueOf<W>
}

type Plain = {
  readonly [W in keyof Fields as W extends 'url' | 'screenshot' | `${string}.${string}` ? never : W]?: ValueOf<W>
}

/** The options of `screenshot`; `element` and `overlay` may stand inside or beside it. */
export type ScreenshotOptions = Group<'screenshot'> & {
  readonly element?: string
  readonly overlay?: Group<'overlay'>
}

/**
 * One request, as words: what a caller writes and what `parseQuery` gives back. `parseQuery` gives the canonical form:
 * durations in milliseconds, defaults left out, `filter` as one comma list, `screenshot` truthy whenever a screenshot is asked for.
 */
export interface PageQuery extends Plain {
  readonly url: string
  readonly screenshot?: boolean | ScreenshotOptions
  readonly overlay?: Group<'overlay'>
  readonly viewport?: Group<'viewport'>
  /** Pings only the fields named `true`; beside `ping: false`, the one form that an object alone cannot say. */
  readonly [ping: `ping.${string}`]: boolean | undefined
}
