import type { CSSProperties, ReactNode } from 'react'
import type { FormHandle } from './form-handle.js'
import { Problem, problemAttributes } from './problem.js'

const CHECKS = 'repeating-conic-gradient(#bbb 0 25%, #fff 0 50%) 0 0 / 10px 10px'
const SWATCHES = [
  { label: 'None', background: '' },
  { label: 'Iris', background: 'linear-gradient(135deg, #7c6cf6, #c86dd7 45%, #ff9d7a)' },
  { label: 'Lagoon', background: 'linear-gradient(135deg, #0ea5a4, #2563eb 55%, #7c3aed)' },
  { label: 'Sand', background: 'linear-gradient(135deg, #f6d7a8, #e59f71)' },
  { label: 'Slate', background: '#334155' },
  { label: 'Snow', background: '#f4f4f5' },
]

/** What lies behind the capture: one of ours, or any text. */
export function BackgroundField({ form }: { form: FormHandle }): ReactNode {
  const name = 'overlay.background'
  const chosen = form.words[name] ?? ''
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
            checked={background === chosen}
            style={{ '--swatch': background || CHECKS } as CSSProperties}
            onChange={() => form.set(name, background)}
          />
        ))}
      </div>
      <input
        className="mono wide"
        type="text"
        aria-label="Background: colour, gradient or image address"
        placeholder="colour, gradient or image address"
        autoCapitalize="none"
        spellCheck={false}
        value={chosen}
        onChange={({ target }) => form.set(name, target.value)}
        {...problemAttributes({ form, name })}
      />
      <Problem form={form} name={name} />
    </div>
  )
}
