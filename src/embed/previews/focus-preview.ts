/** Moves the focus to the link of a preview, from the link that it replaces. */
export const focusPreview = ({ shadowRoot }: Element): void =>
  shadowRoot?.querySelector('a')?.focus({ preventScroll: true })
