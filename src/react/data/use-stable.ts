'use client'

import { replaceEqualDeep } from '@tanstack/react-query'
import { useState } from 'react'

/** The same value as long as it is equal, however deep: `viewport={{ width: 320 }}` is another object at each render. */
export function useStable<T>(value: T): T {
  const [keep] = useState(keeper<T>)
  return keep(value)
}

// No state of React's, for what is never equal, as a function made while rendering, would ask for one more render for ever.
function keeper<T>(): (value: T) => T {
  let kept: T
  return (value) => (kept = replaceEqualDeep(kept, value))
}
