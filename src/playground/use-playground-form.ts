import { completeUrl } from '../query/written-url.js'
import type { ParsedQuery } from '../query/index.js'
import { useCallback, useEffect, useRef, useState } from 'react'
import { changePage, errorMessageFor, type FormValues, type ParsedForm, parseForm, setValue } from './form-values.js'
import { type PlaygroundState, readLink, useUrlState } from './playground-link.js'

/** A query to send. */
export interface Run {
  query: ParsedQuery
  /** Increases with each run, so that running the same query again sends it again. */
  id: number
}

/** What a control needs from the form. */
export interface FormHandle {
  values: FormValues
  /** Replaces all values. */
  replaceValues: (values: FormValues) => void
  /** Changes the text of one parameter; `''` restores its default. */
  setValue: (name: string, text: string) => void
  /** The error message of a parameter, once the user has tried to run the form. */
  errorMessage: (name: string) => string | undefined
}

interface PlaygroundForm {
  state: PlaygroundState
  /** `undefined` while loading. */
  examples: readonly Example[] | undefined
  form: FormHandle
  parsedForm: ParsedForm
  run: Run | undefined
  /** Number of runs that were rejected because the form is invalid. */
  rejectedRuns: number
  changeState: (changes: Partial<PlaygroundState>) => void
  /** Runs the form, or shows its error. */
  start: () => void
  startPage: (url: string) => void
  /** Changes one parameter, and runs the form. */
  startWith: (name: string, text: string) => void
}

/** The form and its last run. Errors are not shown before the user tries to run the form. */
export function usePlaygroundForm(): PlaygroundForm {
  const [run, setRun] = useState(runOfLink)
  const [rejectedRuns, setRejectedRuns] = useState(0)
  const [showsErrors, setShowsErrors] = useState(false)

  const runValues = useCallback((values: FormValues) => {
    const { query } = parseForm(values)
    setShowsErrors(!query)
    if (query) setRun((previous) => ({ query, id: (previous?.id ?? 0) + 1 }))
    else setRejectedRuns((count) => count + 1)
  }, [])
  const onNavigate = useCallback(({ values }: PlaygroundState) => runValues(values), [runValues])
  const [state, changeState] = useUrlState(onNavigate)
  const { values } = state
  const parsedForm = parseForm(values)

  const changeAndRun = useCallback(
    (values: FormValues) => {
      const completed = { ...values, url: completeUrl(values.url ?? '') }
      changeState({ values: setValue(completed, 'url', completed.url) })
      runValues(completed)
    },
    [runValues, changeState],
  )
  const examples = useFirstExample(values, changeAndRun)

  return {
    state,
    examples,
    parsedForm,
    run,
    rejectedRuns,
    changeState,
    start: () => changeAndRun(values),
    startPage: (url) => changeAndRun(changePage(values, url)),
    startWith: (name, text) => changeAndRun(setValue(values, name, text)),
    form: {
      values,
      replaceValues: (values) => changeState({ values }),
      setValue: (name, text) => changeState({ values: setValue(values, name, text) }),
      errorMessage: (name) => (showsErrors ? errorMessageFor(name, parsedForm) : undefined),
    },
  }
}

/** Loads the examples, and runs the first one unless the form has a URL by then. */
function useFirstExample(values: FormValues, run: (values: FormValues) => void) {
  const latestValues = useRef(values)
  useEffect(() => {
    latestValues.current = values
  })
  const onLoad = useCallback(
    ([first]: readonly Example[]) => {
      const { current } = latestValues
      if (first && !current.url) run({ screenshot: 'true', ...current, url: first.url })
    },
    [run],
  )
  return useExamples(onLoad)
}

function runOfLink(): Run | undefined {
  const { query } = parseForm(readLink(location.hash).values)
  return query && { query, id: 0 }
}

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
function useExamples(onLoad: (examples: readonly Example[]) => void): readonly Example[] | undefined {
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

/** Calls `run` on ⌘↵ and Ctrl ↵ anywhere on the page, except in a dialog. */
export function useRunShortcut(run: () => void): void {
  const latestRun = useRef(run)
  useEffect(() => {
    latestRun.current = run
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInDialog = event.target instanceof Element && event.target.closest('dialog')
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isInDialog) return
      event.preventDefault()
      latestRun.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
