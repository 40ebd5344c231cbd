import type { ReactNode } from 'react'
import { fields } from '../../query/index.js'
import { BackgroundField } from './background-field.js'
import { controlId, type FormHandle } from './form-handle.js'
import { Problem, problemAttributes } from './problem.js'
import { Segments } from './segments.js'
import { Switch } from './switch.js'

const FORMAT_NAMES = { jpg: 'JPG', png: 'PNG', webp: 'WebP', avif: 'AVIF' }
const FORMATS = fields['screenshot.type'].values.map((type) => [type, FORMAT_NAMES[type]] as const)
const WINDOWS = [
  ['', 'None'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** What the picture shows. */
export function PictureFields({ form }: { form: FormHandle }): ReactNode {
  const { words, set } = form
  return (
    <fieldset aria-labelledby="picture-heading">
      <h2 id="picture-heading">Picture</h2>
      <div className="field">
        <label htmlFor={controlId('screenshot')}>Screenshot</label>
        <Switch form={form} name="screenshot" />
      </div>
      <div className="field">
        <label htmlFor={controlId('element')}>Element</label>
        <input
          id={controlId('element')}
          className="mono"
          type="text"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="#main, .pricing"
          value={words.element ?? ''}
          onChange={({ target }) => set('element', target.value)}
          {...problemAttributes({ form, name: 'element' })}
        />
        <Problem form={form} name="element" />
      </div>
      <div className="field">
        <label htmlFor={controlId('screenshot.fullPage')}>Full page</label>
        <Switch form={form} name="screenshot.fullPage" />
      </div>
      <div className="field">
        <span className="name">Browser</span>
        <Segments
          label="Browser"
          value={words['overlay.browser'] ?? ''}
          options={WINDOWS}
          onChange={(theme) => set('overlay.browser', theme)}
        />
      </div>
      <BackgroundField form={form} />
      <div className="field">
        <span className="name">Format</span>
        <Segments
          label="Format"
          value={words['screenshot.type'] ?? fields['screenshot.type'].default}
          options={FORMATS}
          onChange={(type) => set('screenshot.type', type)}
        />
      </div>
    </fieldset>
  )
}
