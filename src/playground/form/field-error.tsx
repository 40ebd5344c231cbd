import type { ReactNode } from 'react'
import type { FormHandle } from '../state/use-playground-form.js'
import { controlId } from './control-id.js'

/** The error message of a control. */
export function FieldError({ form, name }: { form: FormHandle; name: string }): ReactNode {
  const message = form.errorMessage(name)
  if (!message) return null
  return (
    <p className="field-error wide" id={`${controlId(name)}-error`}>
      {message}
    </p>
  )
}

/** The attributes that connect a control to its error message, and to its hint if it has one. */
export function describedBy({ form, name, hasHint }: { form: FormHandle; name: string; hasHint?: boolean }) {
  const isInvalid = form.errorMessage(name) !== undefined
  const ids = [hasHint && `${controlId(name)}-hint`, isInvalid && `${controlId(name)}-error`].filter(Boolean)
  return { 'aria-invalid': isInvalid || undefined, 'aria-describedby': ids.join(' ') || undefined }
}
