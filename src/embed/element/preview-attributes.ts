import type { fields, PageQuery, ParameterName, ScreenshotParameter } from '../../query/index.js'
import type { PreviewOptions } from './preview-config.js'

/**
 * The attributes of `<page-preview>`, in kebab-case: every parameter of the query (options of `screenshot` with and
 * without that prefix), and the options of a preview that are text, numbers or booleans.
 */
export type PreviewAttributes = {
  [Name in Exclude<ParameterName, OpenEnded> as Kebab<Name | Alias<Name>>]?: AttributeOf<ValueAt<Name>>
} & {
  [Name in keyof PreviewOptions as AttributeOf<PreviewOptions[Name]> extends undefined ? never : Kebab<Name>]?:
    | AttributeOf<PreviewOptions[Name]>
    | (Name extends 'facts' ? 'off' : never)
} & {
  [Name in Exclude<OpenEnded, 'headers'>]?: BooleanAttribute
} & {
  [Name in `${Exclude<OpenEnded, 'headers'>}-${string}`]?: BooleanAttribute
} & {
  [Name in `headers-${string}`]?: string
}

/** The same attributes in camelCase, for templates that use it. */
export type CamelAttributes = {
  [Name in keyof PreviewAttributes as Camel<Name>]: PreviewAttributes[Name]
}

/** Parameters followed by a name of the caller's choice: `meta-title`, `headers-user-agent`. */
type OpenEnded = {
  [Name in ParameterName]: (typeof fields)[Name] extends { subKey: 'text' } ? Name : never
}[ParameterName]

/** What an attribute can carry; nothing for objects, lists and functions. */
type AttributeOf<Value> = Value extends boolean
  ? BooleanAttribute
  : Value extends number
    ? number | `${number}`
    : Value extends string | undefined
      ? Value
      : never

type BooleanAttribute = boolean | '' | 'true' | 'false' | undefined

type ValueAt<Name> = Name extends keyof PageQuery
  ? PageQuery[Name]
  : Name extends `${infer Group extends keyof PageQuery}.${infer Option}`
    ? ValueIn<PageQuery[Group], Option>
    : never

type ValueIn<Group, Option> = Group extends object ? (Option extends keyof Group ? Group[Option] : never) : never

type Alias<Name> = Name extends `screenshot.${infer Option}`
  ? Option
  : Name extends ScreenshotParameter
    ? `screenshot.${Name}`
    : never

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends '.' ? '-' : First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''

type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
