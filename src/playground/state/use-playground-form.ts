import { useCallback, useEffect, useRef, useState } from 'react'
import type { ParsedQuery } from '../../query/index.js'
import { changePage, setValue, type FormValues } from './form-values.js'
import { completeUrl } from '../../query/complete-url.js'
import { errorMessageFor, parseForm, type ParsedForm } from './parse-form.js'
import { readLink, type PlaygroundState } from './playground-link.js'
import { useExamples, type Example } from './use-examples.js'
import { useUrlState } from './use-url-state.js'

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

export interface PlaygroundForm {
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
      const completed = { ...values, url: completeUrl(values.url?.trim() ?? '') }
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
