import { replaceEqualDeep } from '@tanstack/react-query'

/** For `memo`: whether two sets of props are equal by value; functions by identity. */
export function sameProps<P extends object>(before: P, after: P): boolean {
  return replaceEqualDeep(before, after) === before
}
