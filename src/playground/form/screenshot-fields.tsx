import type { ReactNode } from 'react'
import { fields } from '../../query/index.js'
import type { FormHandle } from '../state/use-playground-form.js'
import { BackgroundField } from './background-field.js'
import { controlId } from './control-id.js'
import { describedBy, FieldError } from './field-error.js'
import { SegmentedControl } from './segmented-control.js'
import { Switch } from './switch.js'

const FORMAT_NAMES = { jpg: 'JPG', png: 'PNG', webp: 'WebP', avif: 'AVIF' }
const FORMATS = fields['screenshot.type'].values.map((type) => [type, FORMAT_NAMES[type]] as const)
const BROWSER_WINDOWS = [
  ['', 'None'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** The parameters of the screenshot that are used most. */
export function ScreenshotFields({ form }: { form: FormHandle }): ReactNode {
  const { values, setValue } = form
  return (
    <fieldset aria-labelledby="screenshot-heading">
      <h2 id="screenshot-heading">Screenshot</h2>
      <div className="field">
        <label htmlFor={controlId('screenshot')}>Enabled</label>
        <Switch form={form} name="screenshot" />
      </div>
      <div className="field">
        <label htmlFor={controlId('element')}>Element</label>
        <textarea
          id={controlId('element')}
          className="mono"
          rows={1}
          autoCapitalize="none"
          spellCheck={false}
          placeholder="#main, .pricing"
          value={values.element ?? ''}
          onChange={({ target }) => setValue('element', target.value)}
          {...describedBy({ form, name: 'element' })}
        />
        <FieldError form={form} name="element" />
      </div>
      <div className="field">
        <label htmlFor={controlId('screenshot.fullPage')}>Full page</label>
        <Switch form={form} name="screenshot.fullPage" />
      </div>
      <div className="field">
        <span className="name">Browser</span>
        <SegmentedControl
          label="Browser window"
          value={values['overlay.browser'] ?? ''}
          options={BROWSER_WINDOWS}
          onChange={(theme) => setValue('overlay.browser', theme)}
        />
      </div>
      <BackgroundField form={form} />
      <div className="field">
        <span className="name">Format</span>
        <SegmentedControl
          label="Format"
          value={values['screenshot.type'] ?? fields['screenshot.type'].default}
          options={FORMATS}
          onChange={(type) => setValue('screenshot.type', type)}
        />
      </div>
    </fieldset>
  )
}
