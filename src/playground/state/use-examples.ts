import { useEffect, useState } from 'react'

/** A page to try. */
export interface Example {
  label: string
  url: string
  /** Language of the label, BCP 47. */
  lang?: string
}

const TIMEOUT_MS = 5_000

const PUBLIC_EXAMPLES: readonly Example[] = [
  { label: 'example.com', url: 'https://example.com/' },
  { label: 'encyclopedia', url: 'https://en.wikipedia.org/wiki/Screenshot' },
  { label: 'code', url: 'https://github.com/facebook/react' },
  { label: 'عربي', url: 'https://ar.wikipedia.org/wiki/لقطة_شاشة', lang: 'ar' },
]

/** The example pages of the service, or else some public ones; `undefined` while loading. */
export function useExamples(onLoad: (examples: readonly Example[]) => void): readonly Example[] | undefined {
  const [examples, setExamples] = useState<readonly Example[]>()
  useEffect(() => {
    const controller = new AbortController()
    const load = async () => {
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MS)])
      const loaded = await fetchExamples(signal)
      if (controller.signal.aborted) return
      setExamples(loaded)
      onLoad(loaded)
    }
    void load()
    return () => controller.abort()
  }, [onLoad])
  return examples
}

async function fetchExamples(signal: AbortSignal): Promise<readonly Example[]> {
  try {
    const response = await fetch('examples.json', { signal })
    const list: unknown = response.ok ? await response.json() : []
    const examples = Array.isArray(list) ? list.filter(isExample) : []
    return examples.length ? examples : PUBLIC_EXAMPLES
  } catch {
    // Only the demo has its own examples; the playground works without them.
    return PUBLIC_EXAMPLES
  }
}

function isExample(value: unknown): value is Example {
  const { label, url } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof label === 'string' && typeof url === 'string'
}
