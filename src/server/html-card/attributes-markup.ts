import { html as markup, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Attributes of an element, in the order in which they are written; those without a value are left out. */
export type Attributes = Readonly<Record<string, string | number | null | undefined>>

/** HTML that is escaped already. It is a promise only where one of its values is. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * Writes attributes, each with a space before it. Their values are escaped, their names are not.
 *
 * @example  attributesMarkup({ href: '/?a&b', lang: undefined }) // ' href="/?a&amp;b"'
 */
export const attributesMarkup = (attributes: Attributes): Markup =>
  markup`${Object.entries(attributes).map(([name, value]) => value !== undefined && value !== null && markup` ${raw(name)}="${value}"`)}`

/** The text of markup without promises among its values. */
export const markupText = (markup: Markup): string => (markup as HtmlEscapedString).toString()
