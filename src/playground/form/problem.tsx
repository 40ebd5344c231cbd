import type { ReactNode } from 'react'
import { controlId, type FormHandle } from './form-handle.js'

/** What is wrong with a word, said at its control. */
export function Problem({ form, name }: { form: FormHandle; name: string }): ReactNode {
  const sentence = form.problem(name)
  if (!sentence) return null
  return (
    <p className="problem wide" id={`${controlId(name)}-problem`}>
      {sentence}
    </p>
  )
}

/** The attributes that tie a control to its problem, and to a hint when it has one. */
export function problemAttributes({ form, name, hasHint }: { form: FormHandle; name: string; hasHint?: boolean }) {
  const isWrong = form.problem(name) !== undefined
  const described = [hasHint && `${controlId(name)}-hint`, isWrong && `${controlId(name)}-problem`].filter(Boolean)
  return { 'aria-invalid': isWrong || undefined, 'aria-describedby': described.join(' ') || undefined }
}
