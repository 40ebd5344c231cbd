import { useEffect, useRef, type ReactNode } from 'react'
import { CopyButton } from '../copy-button.js'
import type { PlaygroundState } from '../state/playground-link.js'
import type { Example } from '../state/use-examples.js'
import { controlId, type FormHandle } from './form-handle.js'
import { LookFields } from './look-fields.js'
import { MoreWords } from './more-words.js'
import { PageField } from './page-field.js'
import { PictureFields } from './picture-fields.js'
import { Segments } from './segments.js'

interface QueryFormProps {
  form: FormHandle
  state: PlaygroundState
  examples: readonly Example[] | undefined
  /** Counts the runs that were refused: each takes the reader to what is wrong. */
  refusals: number
  onLook: (change: Partial<PlaygroundState>) => void
  onPage: (url: string) => void
  onRun: () => void
  /** The address that brings all of this back. */
  link: () => string
}

const EMBEDS = [
  ['', 'JSON'],
  ['true', 'Picture'],
  ['html', 'HTML'],
] as const
const IS_APPLE = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** The whole query, word by word. */
export function QueryForm(props: QueryFormProps): ReactNode {
  const { form, state, examples, refusals, onLook, onPage, onRun, link } = props
  const element = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (refusals) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  return (
    <form
      ref={element}
      className="panel query"
      aria-label="Query"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      <PageField form={form} examples={examples} onPage={onPage} />
      <PictureFields form={form} />
      <fieldset aria-labelledby="answer-heading">
        <h2 id="answer-heading">Answer</h2>
        <div className="field">
          <span className="name" id={controlId('embed')}>
            Embed
          </span>
          <Segments
            label="Embed"
            value={form.words.embed ?? ''}
            options={EMBEDS}
            onChange={(embed) => form.set('embed', embed)}
          />
        </div>
      </fieldset>
      <LookFields layout={state.layout} theme={state.theme} onChange={onLook} />
      <MoreWords form={form} />
      <div className="go">
        <button className="btn main" type="submit">
          Run <kbd>{IS_APPLE ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
        </button>
        <CopyButton text={link} label="Copy link" />
      </div>
    </form>
  )
}
