import type { fields, ParameterName } from './fields.js'

type Fields = typeof fields

type Duration = number | `${number}${string}`

interface ValueByType {
  boolean: boolean
  duration: Duration
  embed: boolean | 'html' | (string & {})
  header: Readonly<Record<string, string>>
  integer: number
  list: string | readonly string[]
  number: number
  'optional duration': false | Duration
  paths: string | readonly string[]
  switches: boolean | Readonly<Record<string, boolean>>
  text: string
  url: string
}

/** What a caller may write for a parameter; durations are milliseconds or text with a unit (`'90s'`). */
type ValueOf<Name extends ParameterName> = Fields[Name] extends { values: readonly (infer Choice)[] }
  ? Choice
  : ValueByType[Extract<Fields[Name]['type'], keyof ValueByType>]

type Group<Parent extends string> = {
  readonly [Name in keyof Fields as Name extends `${Parent}.${infer Option}` ? Option : never]?: ValueOf<Name>
}

type Flat = {
  readonly [
    Name in keyof Fields as Name extends 'url' | 'screenshot' | `${string}.${string}` ? never : Name
  ]?: ValueOf<Name>
}

/** The options of `screenshot`; `element` and `overlay` may stand inside or beside it. */
export type ScreenshotOptions = Group<'screenshot'> & {
  readonly element?: string | readonly string[]
  readonly overlay?: Group<'overlay'>
}

/**
 * The parameters of one request: what a caller writes, and what `parseQuery` returns in canonical form: durations in
 * milliseconds, defaults left out, `filter` as one comma-separated list, `screenshot` truthy whenever a screenshot is requested.
 */
export interface PageQuery extends Flat {
  readonly url: string
  readonly screenshot?: boolean | ScreenshotOptions
  readonly overlay?: Group<'overlay'>
  readonly viewport?: Group<'viewport'>
  readonly variant?: Group<'variant'>
  /** Checks only the fields set to `true`; beside `ping: false`, the one form that a nested object cannot express. */
  readonly [ping: `ping.${string}`]: boolean | undefined
}
