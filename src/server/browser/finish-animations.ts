import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** An animation that finishes may start another. */
const MAX_ROUNDS = 3

/**
 * Moves every finite animation to its end and every infinite one to its start, and waits two frames, so that the same page has
 * the same screenshot. Pausing them where they are would show half-faded pages.
 */
const FINISH_ANIMATIONS = `() => {
  const animations = document.getAnimations().filter(({ playState }) => playState === 'running' || playState === 'paused')
  for (const animation of animations)
    try {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel()
      else animation.finish()
    } catch { animation.cancel() }
  for (const svg of document.querySelectorAll('svg')) svg.pauseAnimations()
  if (!animations.length) return 0
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(animations.length))))
}`

/** @returns  Whether there were any animations. @see FINISH_ANIMATIONS */
export async function finishAnimations(page: OpenPage): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const count = await runInPage<number>(page, FINISH_ANIMATIONS)
    if (count === 0) return round > 0
  }
  return true
}
