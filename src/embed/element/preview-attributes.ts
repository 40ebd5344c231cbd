import type { PageQuery, ScreenshotOptions, ParameterName } from '../../query/index.js'
import type { PreviewOptions } from './preview-settings.js'

/**
 * The attributes of `<page-preview>`, in kebab-case: every word of the language (options of `screenshot` with and without
 * it in front), and the options that are text, numbers or switches.
 */
export type PreviewAttributes = {
  [W in Exclude<ParameterName, Chosen> as Kebab<W | Short<W>>]?: Written<ValueAt<W>>
} & {
  [Name in keyof PreviewOptions as Written<PreviewOptions[Name]> extends undefined ? never : Kebab<Name>]?: Written<
    PreviewOptions[Name]
  >
} & {
  [Name in Exclude<Chosen, 'headers'>]?: Switch
} & {
  [Name in `${Exclude<Chosen, 'headers'>}-${string}`]?: Switch
} & {
  [Name in `headers-${string}`]?: string
}

/** The same in camelCase, for templates that write names that way. */
export type CamelAttributes = {
  [Name in keyof PreviewAttributes as Camel<Name>]: PreviewAttributes[Name]
}

/** Words with names of the user's own choice behind them: `meta-title`, `headers-user-agent`. */
type Chosen = 'headers' | 'ping' | 'meta'

/** What can be written into an attribute; nothing for objects, lists and functions. */
type Written<Value> = Value extends boolean
  ? Switch
  : Value extends number
    ? number | `${number}`
    : Value extends string | undefined
      ? Value
      : never

type Switch = boolean | '' | 'true' | 'false' | undefined

type ValueAt<W> = W extends keyof PageQuery
  ? PageQuery[W]
  : W extends `screenshot.${infer Option extends keyof ScreenshotOptions}`
    ? ScreenshotOptions[Option]
    : W extends `${infer Group extends 'overlay' | 'viewport'}.${infer Option}`
      ? ValueIn<NonNullable<PageQuery[Group]>, Option>
      : never

type ValueIn<Group, Option> = Option extends keyof Group ? Group[Option] : never

type Short<W> = W extends `screenshot.${infer Option}` ? Option : W extends ScreenshotWord ? `screenshot.${W}` : never

type ScreenshotWord = 'element' | 'overlay.browser' | 'overlay.background'

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends '.' ? '-' : First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''

type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
