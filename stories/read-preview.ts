import { expect, waitFor, within } from 'storybook/test'
import type { Screenshot } from '../src/query/index.js'

export const PATIENCE = { timeout: 25_000 }

/** What a person finds on a card. */
export function readPreview(canvas: HTMLElement) {
  const root = canvas.querySelector<HTMLElement>('.page-preview')!
  return {
    root,
    link: within(root).getByRole('link'),
    isIn: (state: string) => waitFor(() => expect(root).toHaveAttribute('data-state', state), PATIENCE),
    /** Waits until this picture is seen: loaded, with the size that its attributes promise. */
    shown: async ({ url, width, height }: Screenshot): Promise<HTMLImageElement> => {
      const image = await within(root).findByRole<HTMLImageElement>('img', { name: 'Screenshot of skerry.example' })
      await waitFor(() => expect(image).not.toHaveAttribute('data-pending'), PATIENCE)
      await waitFor(() => expect(image.src.split('?')[0]).toContain(url.split('?')[0]), PATIENCE)
      await waitFor(() => expect([image.naturalWidth, image.naturalHeight]).toEqual([width, height]), PATIENCE)
      await expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual([`${width}`, `${height}`])
      return image
    },
  }
}
