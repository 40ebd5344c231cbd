import { useEffect, useState } from 'react'

/** A page to try. */
export interface Example {
  label: string
  url: string
  /** BCP 47, of the label. */
  lang?: string
}

const TIMEOUT_MS = 5_000

const PUBLIC_EXAMPLES: readonly Example[] = [
  { label: 'example.com', url: 'https://example.com/' },
  { label: 'encyclopedia', url: 'https://en.wikipedia.org/wiki/Screenshot' },
  { label: 'code', url: 'https://github.com/facebook/react' },
  { label: 'عربي', url: 'https://ar.wikipedia.org/wiki/لقطة_شاشة', lang: 'ar' },
]

/** The pages that the service offers, else some public ones; `undefined` until that is known. */
export function useExamples(onFound: (examples: readonly Example[]) => void): readonly Example[] | undefined {
  const [examples, setExamples] = useState<readonly Example[]>()
  useEffect(() => {
    const end = new AbortController()
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const offer = async () => {
      const found = await readExamples(signal)
      if (end.signal.aborted) return
      setExamples(found)
      onFound(found)
    }
    void offer()
    return () => end.abort()
  }, [onFound])
  return examples
}

async function readExamples(signal: AbortSignal): Promise<readonly Example[]> {
  try {
    const response = await fetch('examples.json', { signal })
    const list: unknown = response.ok ? await response.json() : []
    const examples = Array.isArray(list) ? list.filter(isExample) : []
    return examples.length ? examples : PUBLIC_EXAMPLES
  } catch {
    // Without them the playground is whole: the public ones stand in.
    return PUBLIC_EXAMPLES
  }
}

function isExample(value: unknown): value is Example {
  const { label, url } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof label === 'string' && typeof url === 'string'
}
