import type { ReactNode } from 'react'
import { defaultText } from '../state/form-values.js'
import type { FormHandle } from '../state/use-playground-form.js'
import { controlId } from './control-id.js'
import { describedBy } from './field-error.js'

interface SwitchProps {
  form: FormHandle
  name: string
  hasHint?: boolean
}

/** A switch for a boolean parameter with a default. */
export function Switch({ form, name, hasHint = false }: SwitchProps): ReactNode {
  return (
    <input
      id={controlId(name)}
      className="switch"
      type="checkbox"
      role="switch"
      checked={(form.values[name] ?? defaultText(name)) === 'true'}
      onChange={({ target }) => form.setValue(name, String(target.checked))}
      {...describedBy({ form, name, hasHint })}
    />
  )
}
