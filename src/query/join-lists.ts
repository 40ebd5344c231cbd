import type { Values } from './canonical-values.js'
import { invalidParameter } from './invalid-parameter.js'
import { sortedPaths, type Value } from './value-types.js'

/**
 * Makes the items of each list (`click.0`) one value, in the order of their indices. A list of one item is the item.
 *
 * @throws {PageError} `EINVALQUERY` for a list that has another value beside its items.
 */
export function joinLists(values: Values): Values {
  const joined = new Map(values)
  for (const list of ['element', 'click', 'styles', 'filter']) {
    const indexOf = (name: string) => Number(name.slice(list.length + 1))
    const items = [...values]
      .filter(([name]) => name.startsWith(`${list}.`) && joined.delete(name))
      .toSorted(([a], [b]) => indexOf(a) - indexOf(b))
      .flatMap(([, value]) => value)
    if (items.length)
      setOnce(joined, list, list === 'filter' ? sortedPaths(items.join()) : items.length > 1 ? items : items[0]!)
  }
  return joined
}

/** @throws {PageError} `EINVALQUERY` for a parameter that has another value. */
export function setOnce(values: Map<string, Value | Value[]>, name: string, value: Value | Value[]): void {
  if ((values.get(name) ?? value) !== value) throw invalidParameter(name, 'has two different values')
  values.set(name, value)
}
