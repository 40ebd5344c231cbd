import { replaceEqualDeep } from '@tanstack/react-query'

/** Whether two values are equal by content; functions by identity. Also the comparison for `memo`. */
export function isDeepEqual<T>(before: T, after: T): boolean {
  return replaceEqualDeep(before, after) === before
}
