import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fireEvent, userEvent, waitFor, within } from 'storybook/test'
import styles from '../../src/react/styles.css?raw'
import { WAIT_OPTIONS } from '../preview-in.js'
import { ThemingEditor } from './theming-editor.js'
import { themingProperties } from './theming-properties.js'

const meta: Meta<typeof ThemingEditor> = {
  title: 'Theming',
  component: ThemingEditor,
  // The list of contrasts grows with each part of the cards that has loaded.
  parameters: { allowsLayoutShifts: true },
}

export default meta
type Story = StoryObj<typeof ThemingEditor>

/** Every custom property, live on cards of both themes, with a warning if a text is hard to read. */
export const Editor: Story = {
  async play({ canvas }) {
    const names = Object.values(themingProperties).flatMap(Object.keys)
    await expect(new Set(names)).toEqual(new Set(styles.match(/(?<=var\()--pp-[\w-]+/g)))

    const [light, dark] = ['light', 'dark'].map((name) => canvas.getByRole('region', { name }))
    const low = (pane: HTMLElement) =>
      within(pane)
        .queryAllByText(/below 4.5:1/)
        .map(({ textContent }) => textContent.replace(/ [\d.]+:1 .*/, ''))
    for (const pane of [light!, dark!]) await within(pane).findByText(/^Retry \d/, {}, WAIT_OPTIONS)
    await expect([low(light!), low(dark!)]).toEqual([[], []])

    const card = light!.querySelector<HTMLElement>('.page-preview')!
    await fireEvent.change(canvas.getByLabelText('--pp-background'), { target: { value: '#336699' } })
    await waitFor(() => expect(getComputedStyle(card).backgroundColor).toBe('rgb(51, 102, 153)'))
    await expect(canvas.getByLabelText('Your CSS')).toHaveTextContent('.reading { --pp-background: #336699; }')
    await waitFor(() => expect(low(light!)).toContain('Title'))
    await expect(low(dark!)).not.toContain('Title')

    await userEvent.click(canvas.getByRole('button', { name: 'Reset' }))
    await waitFor(() => expect([low(light!), low(dark!)]).toEqual([[], []]))
  },
}
