import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useHoverIntent } from '../../../src/react/hover/use-hover-intent.js'

let pseudoClasses: string[]
let anchor: HTMLAnchorElement

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  anchor.remove()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** What happens to a link that is in this state when the module loads, for a finger or a mouse. */
function intentOf(isFinger: boolean, ...state: string[]) {
  vi.stubGlobal('matchMedia', () => ({ matches: isFinger }))
  vi.stubGlobal('navigator', { maxTouchPoints: isFinger ? 5 : 0 })
  pseudoClasses = state
  anchor = document.createElement('a')
  document.body.append(anchor)
  vi.spyOn(anchor, 'matches').mockImplementation((selector) => pseudoClasses.includes(selector))
  const { result } = renderHook(() => useHoverIntent(anchor, anchor))
  return () => result.current
}
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

it('opens for a touch that is still pressed', async () => {
  const intent = intentOf(true, ':active', ':hover')
  await wait(100)
  expect(intent()).toEqual({ isNeeded: true, isOpen: false })
  await wait(400)
  expect(intent()).toEqual({ isNeeded: true, isOpen: true })
})

it.each([
  ['matches :active slightly longer', [':active', ':hover']],
  ['matches :hover for good', [':hover']],
])('stays closed after a tap that has ended, though the link %s', async (_, state) => {
  const intent = intentOf(true, ...state)
  await wait(100)
  pseudoClasses = [':hover']
  await wait(1_000)
  expect(intent()).toEqual({ isNeeded: false, isOpen: false })
})

it('opens for a mouse that hovers the link already', async () => {
  const intent = intentOf(false, ':hover')
  await wait(300)
  expect(intent()).toEqual({ isNeeded: true, isOpen: true })
})

it.each([
  ['opens for a mouse', 'mouse', true],
  ['stays closed for a tap', 'touch', false],
])('on a machine with mouse and touch screen, %s that was there before', async (_, pointerType, isOpen) => {
  const intent = intentOf(true, ':hover')
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  await wait(1_000)
  expect(intent().isOpen).toBe(false)
  for (let moves = 0; moves < 3; moves++) anchor.dispatchEvent(new PointerEvent('pointermove', { pointerType }))
  await wait(300)
  expect(intent().isOpen).toBe(isOpen)
})

it('stays closed after Escape while the pointer moves over the link', async () => {
  const intent = intentOf(false)
  anchor.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }))
  await wait(300)
  expect(intent().isOpen).toBe(true)
  act(() => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))
  anchor.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse' }))
  await wait(1_000)
  expect(intent().isOpen).toBe(false)
})

it('fetches nothing when the pointer only crosses the link', async () => {
  const intent = intentOf(false)
  anchor.dispatchEvent(new Event('pointerenter'))
  await wait(50)
  expect(intent()).toEqual({ isNeeded: false, isOpen: false })
  anchor.dispatchEvent(new Event('pointerleave'))
  await wait(1_000)
  expect(intent()).toEqual({ isNeeded: false, isOpen: false })
})

it.each([
  ['followed', () => anchor.click()],
  ['removed', () => anchor.remove()],
])('stays closed when the link is %s before it opens', async (_, act) => {
  const intent = intentOf(false, ':hover')
  await wait(200)
  act()
  await wait(1_000)
  expect(intent().isOpen).toBe(false)
})

it('closes when the link is followed', async () => {
  const intent = intentOf(false, ':hover')
  await wait(300)
  expect(intent().isOpen).toBe(true)
  act(() => anchor.click())
  expect(intent()).toEqual({ isNeeded: false, isOpen: false })
})

describe('while a long press shows the preview', () => {
  const touch = (type: string) => anchor.dispatchEvent(new PointerEvent(type, { pointerType: 'touch' }))
  const click = () => anchor.dispatchEvent(new MouseEvent('click', { cancelable: true }))
  async function press(milliseconds: number): Promise<{ isFollowed: boolean }> {
    touch('pointerdown')
    await wait(milliseconds)
    touch('pointerup')
    const isFollowed = click()
    await wait(0)
    return { isFollowed }
  }

  it('its release does not follow the link, and neither does the release of another long press', async () => {
    const intent = intentOf(true)
    expect(await press(600)).toEqual({ isFollowed: false })
    expect(intent().isOpen).toBe(true)
    expect(await press(600)).toEqual({ isFollowed: false })
    expect(intent().isOpen).toBe(true)
  })

  it('a tap follows the link and closes the preview', async () => {
    const intent = intentOf(true)
    await press(600)
    expect(await press(50)).toEqual({ isFollowed: true })
    expect(intent().isOpen).toBe(false)
  })

  it('a click follows the link after the touch has become a scroll', async () => {
    const intent = intentOf(true)
    touch('pointerdown')
    await wait(600)
    touch('pointercancel')
    expect(intent().isOpen).toBe(true)
    expect(click()).toBe(true)
  })

  it('a tap on a link without a preview follows it', async () => {
    const intent = intentOf(true)
    expect(await press(50)).toEqual({ isFollowed: true })
    await wait(1_000)
    expect(intent().isOpen).toBe(false)
  })

  it('stays closed when the touch becomes a scroll before', async () => {
    const intent = intentOf(true)
    touch('pointerdown')
    await wait(50)
    touch('pointercancel')
    await wait(1_000)
    expect(intent()).toEqual({ isNeeded: false, isOpen: false })
  })
})
