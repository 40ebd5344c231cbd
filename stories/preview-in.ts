import { expect, waitFor, within } from 'storybook/test'
import type { Screenshot } from '../src/query/index.js'

export const WAIT_OPTIONS = { timeout: 25_000 }

/** Finds the parts of a preview as a reader does, by role and name. */
export function previewIn(canvas: HTMLElement) {
  const root = canvas.querySelector<HTMLElement>('.page-preview')!
  return {
    root,
    link: within(root).getByRole('link'),
    hasState: (state: string) => waitFor(() => expect(root).toHaveAttribute('data-status', state), WAIT_OPTIONS),
    /** Waits until this screenshot is shown, with the dimensions of its attributes. */
    loadedImage: async ({ url, width, height }: Screenshot): Promise<HTMLImageElement> => {
      const image = await within(root).findByRole<HTMLImageElement>('img')
      await waitFor(() => expect(image).not.toHaveAttribute('data-pending'), WAIT_OPTIONS)
      await waitFor(() => expect(image.src.split('?')[0]).toContain(url.split('?')[0]), WAIT_OPTIONS)
      // With variants, the natural size depends on which one the browser has chosen.
      await waitFor(() => expect(image.naturalWidth).toBeGreaterThan(0), WAIT_OPTIONS)
      const hasNaturalSize = () => expect([image.naturalWidth, image.naturalHeight]).toEqual([width, height])
      if (!image.srcset) await waitFor(hasNaturalSize, WAIT_OPTIONS)
      await expect(image).toHaveAccessibleName(root.querySelector('.pp-title')!.textContent)
      await expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual([`${width}`, `${height}`])
      return image
    },
  }
}
