import type { ReactNode } from 'react'
import type { Example } from '../state/use-examples.js'
import { controlId, type FormHandle } from './form-handle.js'
import { Problem, problemAttributes } from './problem.js'

interface PageFieldProps {
  form: FormHandle
  examples: readonly Example[] | undefined
  onPage: (url: string) => void
}

/** The address of the page, and pages to try. */
export function PageField({ form, examples, onPage }: PageFieldProps): ReactNode {
  return (
    <div className="url">
      <label htmlFor={controlId('url')}>Page</label>
      <input
        id={controlId('url')}
        type="url"
        inputMode="url"
        autoComplete="url"
        spellCheck={false}
        placeholder="https://example.com"
        value={form.words.url ?? ''}
        onChange={({ target }) => form.set('url', target.value)}
        {...problemAttributes({ form, name: 'url' })}
      />
      <Problem form={form} name="url" />
      <div className="tries">
        {examples?.map(({ label, url, lang }) => (
          <button key={url} type="button" lang={lang} title={url} onClick={() => onPage(url)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
