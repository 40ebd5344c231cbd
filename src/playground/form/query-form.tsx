import { useEffect, useRef, type ReactNode } from 'react'
import { CopyButton } from '../copy-button.js'
import type { PlaygroundState } from '../state/playground-link.js'
import type { Example } from '../state/use-examples.js'
import type { FormHandle } from '../state/use-playground-form.js'
import { AppearanceFields } from './appearance-fields.js'
import { MoreParameters } from './more-parameters.js'
import { PageField } from './page-field.js'
import { ScreenshotFields } from './screenshot-fields.js'
import { SegmentedControl } from './segmented-control.js'

interface QueryFormProps {
  form: FormHandle
  state: PlaygroundState
  examples: readonly Example[] | undefined
  /** Each increase moves the focus to the invalid control. */
  rejectedRuns: number
  onStateChange: (changes: Partial<PlaygroundState>) => void
  onPage: (url: string) => void
  onRun: () => void
  /** URL that restores the current state. */
  link: () => string
}

const EMBEDS = [
  ['', 'JSON'],
  ['true', 'Image'],
  ['html', 'HTML'],
] as const
const IS_APPLE = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** A control for every parameter of the query. */
export function QueryForm(props: QueryFormProps): ReactNode {
  const { form, state, examples, rejectedRuns, onStateChange, onPage, onRun, link } = props
  const element = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (rejectedRuns) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [rejectedRuns])

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
      <ScreenshotFields form={form} />
      <fieldset aria-labelledby="response-heading">
        <h2 id="response-heading">Response</h2>
        <div className="field">
          <span className="name">Embed</span>
          <SegmentedControl
            label="Embed"
            value={form.values.embed ?? ''}
            options={EMBEDS}
            onChange={(embed) => form.setValue('embed', embed)}
          />
        </div>
      </fieldset>
      <AppearanceFields layout={state.layout} theme={state.theme} onChange={onStateChange} />
      <MoreParameters form={form} />
      <div className="actions">
        <button className="btn main" type="submit">
          Run <kbd>{IS_APPLE ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
        </button>
        <CopyButton text={link} label="Copy link" />
      </div>
    </form>
  )
}
