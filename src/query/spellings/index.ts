import { screenshotFields } from '../fields.js'

/** The names of a parameter, the canonical one first: an option of `screenshot` is written with that prefix or without it. */
export function spellings(name: string): string[] {
  if (!Object.hasOwn(screenshotFields, name)) return [name]
  const option = name.replace('screenshot.', '')
  return [name, option === name ? `screenshot.${option}` : option]
}
