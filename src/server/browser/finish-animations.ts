import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** What ends may start what is next. */
const MAX_ROUNDS = 3

/**
 * Brings every animation to its end, and those without end to their beginning, two frames before it returns: the same page
 * gives the same picture again. Stopping them where they are would show half-faded pages.
 */
const FINISH = `() => {
  const animations = document.getAnimations().filter(({ playState }) => playState === 'running' || playState === 'paused')
  for (const animation of animations)
    try {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel()
      else animation.finish()
    } catch { animation.cancel() }
  for (const picture of document.querySelectorAll('svg')) picture.pauseAnimations()
  if (!animations.length) return 0
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(animations.length))))
}`

/** @returns  Whether there were any. @see FINISH */
export async function finishAnimations(page: OpenPage): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) if (!(await runInPage<number>(page, FINISH))) return round > 0
  return true
}
