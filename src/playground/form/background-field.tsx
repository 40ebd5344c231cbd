import type { CSSProperties, ReactNode } from 'react'
import type { FormHandle } from '../state/use-playground-form.js'
import { describedBy, FieldError } from './field-error.js'

const CHECKERBOARD = 'repeating-conic-gradient(#bbb 0 25%, #fff 0 50%) 0 0 / 10px 10px'
const SWATCHES = [
  { label: 'None', background: '' },
  { label: 'Iris', background: 'linear-gradient(135deg, #7c6cf6, #c86dd7 45%, #ff9d7a)' },
  { label: 'Lagoon', background: 'linear-gradient(135deg, #0ea5a4, #2563eb 55%, #7c3aed)' },
  { label: 'Sand', background: 'linear-gradient(135deg, #f6d7a8, #e59f71)' },
  { label: 'Slate', background: '#334155' },
  { label: 'Snow', background: '#f4f4f5' },
]

/** The background behind the screenshot: a swatch, or any text. */
export function BackgroundField({ form }: { form: FormHandle }): ReactNode {
  const name = 'overlay.background'
  const value = form.values[name] ?? ''
  return (
    <div className="field">
      <span className="name">Background</span>
      <div className="swatches" role="radiogroup" aria-label="Background">
        {SWATCHES.map(({ label, background }) => (
          <input
            key={label}
            type="radio"
            name="swatch"
            aria-label={label}
            checked={background === value}
            style={{ '--swatch': background || CHECKERBOARD } as CSSProperties}
            onChange={() => form.setValue(name, background)}
          />
        ))}
      </div>
      <input
        className="mono wide"
        type="text"
        aria-label="Background: colour, gradient or image URL"
        placeholder="colour, gradient or image URL"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={({ target }) => form.setValue(name, target.value)}
        {...describedBy({ form, name })}
      />
      <FieldError form={form} name={name} />
    </div>
  )
}
