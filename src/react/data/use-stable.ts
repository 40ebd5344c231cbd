'use client'

import { replaceEqualDeep } from '@tanstack/react-query'
import { useState } from 'react'

/** The same value as long as it is equal, however deep: `viewport={{ width: 320 }}` is another object at each render. */
export function useStable<T>(value: T): T {
  const [kept, keep] = useState(value)
  const stable = replaceEqualDeep(kept, value)
  if (stable !== kept) keep(stable)
  return stable
}
