import { attributeOptions } from '../../card/index.js'

/** The properties of `<page-preview>`: all parameters and options except those that every element has, such as `click`. */
export const elementProperties: readonly string[] = [...attributeOptions, 'data', 'messages'].filter(
  (name) => !(name in HTMLElement.prototype),
)
