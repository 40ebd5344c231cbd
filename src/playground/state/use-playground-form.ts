import { useCallback, useEffect, useRef, useState } from 'react'
import type { PageQuery } from '../../query/index.js'
import type { FormHandle } from '../form/form-handle.js'
import { changePage, setWord, type FormWords } from './form-words.js'
import { completeUrl, problemAt, readDraft, type Draft } from './read-draft.js'
import { readLink, type PlaygroundState } from './playground-link.js'
import { useExamples, type Example } from './use-examples.js'
import { useLinkedState } from './use-linked-state.js'

/** A query that was asked for. */
export interface Run {
  query: PageQuery
  /** Grows, so that asking the same again is another run. */
  id: number
}

export interface PlaygroundForm {
  state: PlaygroundState
  /** Pages to try; `undefined` until they are known. */
  examples: readonly Example[] | undefined
  form: FormHandle
  draft: Draft
  run: Run | undefined
  /** Counts the runs that were refused. */
  refusals: number
  changeLook: (change: Partial<PlaygroundState>) => void
  /** Asks for what the form says, or says what is wrong with it. */
  start: () => void
  startPage: (url: string) => void
}

/** The form, and what of it was run. Nothing is called wrong before the reader wanted to run it. */
export function usePlaygroundForm(): PlaygroundForm {
  const [run, setRun] = useState(firstRun)
  const [refusals, setRefusals] = useState(0)
  const [isChecked, setIsChecked] = useState(false)

  const ask = useCallback((words: FormWords) => {
    const { query } = readDraft(words)
    setIsChecked(!query)
    if (query) setRun((before) => ({ query, id: (before?.id ?? 0) + 1 }))
    else setRefusals((count) => count + 1)
  }, [])
  const arrive = useCallback(({ words }: PlaygroundState) => ask(words), [ask])
  const [state, change] = useLinkedState(arrive)
  const { words } = state
  const draft = readDraft(words)

  const askFor = useCallback(
    (next: FormWords) => {
      const complete = { ...next, url: completeUrl(next.url ?? '') }
      change({ words: setWord(complete, 'url', complete.url) })
      ask(complete)
    },
    [ask, change],
  )

  const latestWords = useRef(words)
  useEffect(() => {
    latestWords.current = words
  })
  // The first card is there before anything was asked for.
  const showFirst = useCallback(
    ([first]: readonly Example[]) => {
      const { current } = latestWords
      if (first && !current.url) askFor({ screenshot: 'true', ...current, url: first.url })
    },
    [askFor],
  )
  const examples = useExamples(showFirst)

  return {
    state,
    examples,
    draft,
    run,
    refusals,
    changeLook: change,
    start: () => askFor(words),
    startPage: (url) => askFor(changePage(words, url)),
    form: {
      words,
      change: (words) => change({ words }),
      set: (name, text) => change({ words: setWord(words, name, text) }),
      problem: (name) => (isChecked ? problemAt(name, draft) : undefined),
    },
  }
}

function firstRun(): Run | undefined {
  const { query } = readDraft(readLink(location.hash).words)
  return query && { query, id: 0 }
}
