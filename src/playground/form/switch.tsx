import type { ReactNode } from 'react'
import { defaultText } from '../state/form-words.js'
import { controlId, type FormHandle } from './form-handle.js'
import { problemAttributes } from './problem.js'

/** On or off, for a word with such a default. */
export function Switch({
  form,
  name,
  hasHint = false,
}: {
  form: FormHandle
  name: string
  hasHint?: boolean
}): ReactNode {
  return (
    <input
      id={controlId(name)}
      className="switch"
      type="checkbox"
      role="switch"
      checked={(form.words[name] ?? defaultText(name)) === 'true'}
      onChange={({ target }) => form.set(name, String(target.checked))}
      {...problemAttributes({ form, name, hasHint })}
    />
  )
}
