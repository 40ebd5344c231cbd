import { LiveCard } from './live-card.js'

// What browsers load for previews that somebody sees is here at once. Bundlers for browsers take `card-slot.browser.tsx` in
// its place, as the field `browser` of package.json tells them.
export const CardSlot = LiveCard

/** Nothing is to be loaded. */
export const loadCard = (): Promise<boolean> => Promise.resolve(true)

/** Whether the slot is filled at once. */
export const isCardLoaded = (): boolean => true
