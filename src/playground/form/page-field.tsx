import type { ReactNode } from 'react'
import type { Example } from '../state/use-examples.js'
import type { FormHandle } from '../state/use-playground-form.js'
import { controlId } from './control-id.js'
import { describedBy, FieldError } from './field-error.js'

interface PageFieldProps {
  form: FormHandle
  examples: readonly Example[] | undefined
  onPage: (url: string) => void
}

/** The URL of the page, with examples. */
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
        value={form.values.url ?? ''}
        onChange={({ target }) => form.setValue('url', target.value)}
        {...describedBy({ form, name: 'url' })}
      />
      <FieldError form={form} name="url" />
      <div className="examples">
        {examples?.map(({ label, url, lang }) => (
          <button key={url} type="button" lang={lang} title={url} onClick={() => onPage(url)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
