import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { chooseImage } from '../../src/card/index.js'
import { useShownImage } from '../../src/react/image.js'
import { useFadeIn } from '../../src/react/parts/parts.js'
import { page } from './fake-service.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const FadingImage = ({ priority }: { priority: boolean | undefined }) => (
  <img ref={useFadeIn(priority)} src={chooseImage(page)!.src} alt="" />
)

/** @param top  Of the image on the screen, in pixels. */
function show({ top, priority, width = 0 }: { top: number; priority?: boolean; width?: number }) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top } as DOMRect)
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false)
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(width)
  render(<FadingImage priority={priority} />)
}
const isHidden = () => screen.getByRole('presentation').hasAttribute('data-pending')

it('hides an image below the first screen that has not begun to arrive after 100 ms, for the fade', () => {
  show({ top: innerHeight + 50 })
  vi.advanceTimersByTime(99)
  expect(isHidden()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isHidden()).toBe(true)
})

it.each([
  ['on the first screen', { top: 50 }],
  ['with priority', { top: innerHeight + 50, priority: true }],
  ['that has begun to arrive', { top: innerHeight + 50, width: 640 }],
])('never hides an image %s', (_, image) => {
  show(image)
  vi.advanceTimersByTime(1_000)
  expect(isHidden()).toBe(false)
})

it('tries an image that cannot be loaded once more after a while, as when its server was busy', async () => {
  const image = { ...chooseImage(page)!, srcSet: undefined, fallbackSrc: undefined }
  const { result } = renderHook(() => useShownImage(image))
  const breakImage = () => act(() => result.current[1]())
  const wait = () => act(() => vi.advanceTimersByTimeAsync(3_000))
  breakImage()
  expect(result.current[0]).toBeUndefined()
  await wait()
  expect(result.current[0]).toEqual(image)
  breakImage()
  await wait()
  expect(result.current[0]).toBeUndefined()
})
