import { InteractiveCard } from './interactive-card.js'

// Servers render the whole card, so it is imported at once here. The field `browser` of package.json replaces this module by
// `deferred-card.browser.js`, which loads the card when the first preview comes near the viewport.
export const DeferredCard = InteractiveCard

/** There is nothing to load. */
export const loadCard = (): Promise<boolean> => Promise.resolve(true)

export const isCardLoaded = (): boolean => true
