'use client'

import { replaceEqualDeep } from '@tanstack/react-query'
import { useState } from 'react'

/** The same reference as long as the value is deeply equal: `viewport={{ width: 320 }}` is a new object in each render. */
export function useStableValue<T>(value: T): T {
  const [stabilise] = useState(createStabiliser<T>)
  return stabilise(value)
}

// Not React state: a value that is never equal, such as an inline function, would cause one more render forever.
function createStabiliser<T>(): (value: T) => T {
  let current: T
  return (value) => (current = replaceEqualDeep(current, value))
}

/** Whether two values are equal by content; functions by identity. Also the comparison for `memo`. */
export function isDeepEqual<T>(before: T, after: T): boolean {
  return replaceEqualDeep(before, after) === before
}
