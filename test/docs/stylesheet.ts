import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './read-docs.js'

export interface CustomProperty {
  name: string
  /** As CSS, without private properties. */
  fallback: string
  /** From the comment at the top of the stylesheet. */
  meaning: string
}

const styles = readFileSync(join(root, 'src/react/styles.css'), 'utf8')

/** The public properties that the stylesheet reads, in the order of its comment. */
export function customProperties(): CustomProperty[] {
  const meanings = meaningsOf(/^ {3}(--pp-[\w-]+) {2,}(.+?)(?: \*\/)?$/gm)
  const reads = [...readsOf('pp')]
  const names = [...new Set(reads.map(({ name }) => name))]
  return names
    .map((name) => ({
      name,
      fallback: publicText(reads.find((read) => read.name === name)!.fallback),
      meaning: meanings.get(name) ?? '',
    }))
    .toSorted((a, b) => [...meanings.keys()].indexOf(a.name) - [...meanings.keys()].indexOf(b.name))
}

/** The public classes with their meanings, from the comment of the stylesheet. */
export const documentedClasses = (): ReadonlyMap<string, string> =>
  meaningsOf(/^ {3}\.((?:page|pp)-[\w-]+) {2,}(.+?)(?: \*\/)?$/gm)

/** Every class that a rule of the stylesheet names. */
export const styledClasses = (): string[] => [
  ...new Set(
    [...styles.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/\.((?:pp|page)-[a-z][a-z-]*)/g)].map(([, name]) => name!),
  ),
]

const meaningsOf = (line: RegExp) =>
  new Map([...styles.matchAll(line)].map(([, name, meaning]): [string, string] => [name!, meaning!]))

/** Every `var(--pp-…, fallback)`, or those of private properties, with balanced parentheses. */
function* readsOf(prefix: 'pp' | '_pp', text = styles): Generator<{ name: string; fallback: string; whole: string }> {
  const start = prefix === 'pp' ? /var\((--pp-[\w-]+)/g : /var\((--_pp-[\w-]+)/g
  for (const match of text.matchAll(start)) {
    let depth = 1
    let end = match.index + match[0].length
    for (; depth > 0; end++) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    const whole = text.slice(match.index, end)
    yield { name: match[1]!, whole, fallback: whole.slice(match[0].length + 1, -1).trim() }
  }
}

/** Private properties are replaced with the public ones that they hold, or with their fallback. */
function publicText(value: string): string {
  const [read] = readsOf('_pp', value)
  if (!read) return value
  const [, holds] = new RegExp(`${read.name}: var\\((--pp-[\\w-]+)`).exec(styles) ?? []
  return publicText(
    value.replace(read.whole, holds ? `var(${holds})` : read.fallback || read.name.replace('--_pp-', '')),
  )
}
