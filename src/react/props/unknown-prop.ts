import { fields } from '../../query/index.js'
import { nearestName } from '../../query/help/index.js'

const SCREENSHOT_OPTION = /^screenshot\.(.*)/
const parameterNames = Object.keys(fields)
/** What to write, by the name that was probably meant. */
const suggestions = new Map([
  ...parameterNames.flatMap((name): [string, string][] => {
    const [, option] = SCREENSHOT_OPTION.exec(name) ?? []
    return option ? [[option, `screenshot={{ ${option}: … }}`]] : []
  }),
  ...parameterNames.map((name) => name.split('.', 1).join()).map((name): [string, string] => [name, name]),
])
/** The name of an event handler, of `data-*` and of `aria-*`. */
const ANY_ELEMENT = /^on[A-Z]|-/

/**
 * A warning for an attribute that is probably a misspelled prop: no element has it, and a prop has almost the same name.
 *
 * @param optionNames  The props that are not parameters.
 */
export function unknownPropWarning(name: string, optionNames: Iterable<string>): string | undefined {
  if (ANY_ELEMENT.test(name) || isOfElements(name)) return undefined
  const known = [...suggestions.keys(), ...optionNames]
  const nearest = nearestName(name, known, Math.max(1, name.length / 3))
  return nearest && `There is no prop "${name}"; did you mean ${suggestions.get(nearest) ?? nearest}?`
}

const isOfElements = (name: string) =>
  ['a', 'img'].some((element) => name in document.createElement(element)) || ['children', 'ref', 'key'].includes(name)
