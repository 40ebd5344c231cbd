// Lists that render only the rows in sight, and remove them when they are scrolled out of it: their rows are copied while the page is
// scrolled, and put back where they are missing. The isolated world keeps what it knows between the scripts.
import type { PageScript } from './page-script.js'

interface ListRows {
  observer: MutationObserver
  /** How many children of an element have been removed. */
  removed: Map<Element, number>
  /** The children of an element that have been moved by their styles. */
  moved: Map<Element, Set<Element>>
  /** The rows of each list by their place in its anchor. */
  lists: Map<HTMLElement, Map<string, Row>>
}

interface Row {
  copy: HTMLElement
  x: number
  y: number
  width: number
  height: number
}

/** Notes which elements lose children, or move them. */
export function watchLists(): void {
  const MAX_ROOTS = 2_000
  const MAX_LISTS = 1_000
  const MAX_CHILDREN = 50
  const removed = new Map<Element, number>()
  const moved = new Map<Element, Set<Element>>()
  const observer = new MutationObserver((records) => {
    for (const { type, target, removedNodes } of records) {
      if (!(target instanceof Element)) continue
      if (type === 'childList' && removed.size < MAX_LISTS)
        removed.set(target, (removed.get(target) ?? 0) + removedNodes.length)
      const list = type === 'attributes' ? target.parentElement : null
      if (!list || moved.size >= MAX_LISTS) continue
      const children = moved.get(list) ?? new Set()
      if (children.size < MAX_CHILDREN) moved.set(list, children.add(target))
    }
  })
  const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] }
  // It does not see into shadow roots by itself.
  const roots: (Document | ShadowRoot)[] = [document]
  for (const root of roots) {
    observer.observe(root, changes)
    for (const { shadowRoot } of root.querySelectorAll('*'))
      if (shadowRoot && roots.length < MAX_ROOTS) roots.push(shadowRoot)
  }
  const state: ListRows = { observer, removed, moved, lists: new Map() }
  Object.assign(globalThis, { pagePreviewRows: state })
}

/** @returns How many elements look like such lists. */
export function findLists(): number {
  const MIN_ROWS = 3
  const MAX_LISTS = 5
  const state = (globalThis as { pagePreviewRows?: ListRows }).pagePreviewRows
  if (!state) return 0
  state.observer.disconnect()
  const counts = [...state.removed, ...[...state.moved].map(([list, { size }]) => [list, size] as const)]
  for (const [list, count] of counts) {
    const isList = count >= MIN_ROWS && list.isConnected && list.childElementCount >= MIN_ROWS
    if (isList && list instanceof HTMLElement && list !== document.body && state.lists.size < MAX_LISTS)
      state.lists.set(list, new Map())
  }
  return state.lists.size
}

/** Copies the rows that the lists show now. */
export const copyRows: PageScript<[], void> = { run: copyShown, helpers: [anchorOf] }

/**
 * Puts the rows back that are missing above and below those that the lists show now.
 *
 * @returns  Whether a part of a list remains empty.
 */
export const restoreRows: PageScript<[], boolean> = { run: restoreMissing, helpers: [anchorOf] }

/** The element that is as tall as the whole list: the list itself, or one around it, in which the list moves with its rows. */
function anchorOf(list: HTMLElement): HTMLElement {
  let anchor = list
  for (let each = list.parentElement; each && each !== document.body; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) break
    if (each.offsetHeight > 1.5 * anchor.offsetHeight) anchor = each
  }
  return anchor
}

function copyShown(): void {
  const MAX_ROWS = 1_000
  const MAX_ELEMENTS = 300
  const state = (globalThis as { pagePreviewRows?: ListRows }).pagePreviewRows
  for (const [list, rows] of state?.lists ?? []) {
    const anchor = anchorOf(list).getBoundingClientRect()
    for (const row of list.querySelectorAll(':scope > *')) {
      const { left, top, width, height } = row.getBoundingClientRect()
      const isEmpty = !row.textContent.trim() && !row.querySelector('img,svg,canvas,video')
      if (!height || isEmpty || rows.size >= MAX_ROWS || row.getElementsByTagName('*').length > MAX_ELEMENTS) continue
      const [x, y] = [left - anchor.left, top - anchor.top]
      rows.set(`${Math.round(x)} ${Math.round(y)}`, { copy: row.cloneNode(true) as HTMLElement, x, y, width, height })
    }
  }
}

function restoreMissing(): boolean {
  const MIN_ROWS = 3
  const TOLERANCE_PX = 2
  const state = (globalThis as { pagePreviewRows?: ListRows }).pagePreviewRows
  let isIncomplete = false
  for (const [list, rows] of state?.lists ?? []) {
    const anchor = anchorOf(list)
    const { left, top, height } = anchor.getBoundingClientRect()
    // What is shown, by column: a grid has several.
    const columns: { x: number; width: number; top: number; bottom: number }[] = []
    for (const row of list.querySelectorAll(':scope > *')) {
      const box = row.getBoundingClientRect()
      const isEmpty = !row.textContent.trim() && !row.querySelector('img,svg,canvas,video')
      if (isEmpty || !box.height) continue
      const column = columns.find(({ x }) => Math.abs(x - (box.left - left)) <= TOLERANCE_PX)
      const [y, end] = [box.top - top, box.bottom - top]
      if (!column) columns.push({ x: box.left - left, width: box.width, top: y, bottom: end })
      else Object.assign(column, { top: Math.min(column.top, y), bottom: Math.max(column.bottom, end) })
    }
    // A row that is used for another place has another text there; decoration that moves with the page has not.
    const isReused = (state?.removed.get(list) ?? 0) < MIN_ROWS
    const texts = new Set([...list.querySelectorAll(':scope > *')].map((row) => row.textContent))
    const isKnown = ({ copy }: Row) => isReused && texts.has(copy.textContent)
    const columnOf = (row: Row) =>
      columns.find(({ x, width }) => Math.abs(x - row.x) <= TOLERANCE_PX && Math.abs(width - row.width) <= TOLERANCE_PX)
    const { display, position } = getComputedStyle(list)
    const isPlaceable = !/table|ruby|inline/.test(display)
    const place = ({ copy, x, y, width, height }: Row) => {
      texts.add(copy.textContent)
      if (!isPlaceable) return
      const put = (styles: Record<string, string>) => {
        for (const [name, value] of Object.entries(styles)) copy.style.setProperty(name, value, 'important')
      }
      const size = { width: `${width}px`, height: `${height}px`, 'box-sizing': 'border-box', margin: '0' }
      put({ ...size, position: 'absolute', inset: 'auto', left: '0', top: '0', transform: 'none' })
      list.append(copy)
      const at = copy.getBoundingClientRect()
      put({ left: `${x + left - at.left}px`, top: `${y + top - at.top}px` })
    }
    if (position === 'static' && isPlaceable) list.style.setProperty('position', 'relative')
    const byPlace = [...rows.values()].toSorted((one, other) => one.y - other.y)
    let placed = 0
    for (const row of byPlace) {
      const column = columnOf(row)
      if (!column || isKnown(row) || row.y < column.bottom - TOLERANCE_PX) continue
      place(row)
      column.bottom = row.y + row.height
      placed++
    }
    for (const row of byPlace.toReversed()) {
      const column = columnOf(row)
      if (!column || isKnown(row) || row.y + row.height > column.top + TOLERANCE_PX) continue
      place(row)
      column.top = row.y
      placed++
    }
    if (placed > 0 && !isPlaceable) isIncomplete = true
    const bottom = Math.max(...columns.map((column) => column.bottom))
    const isOther = (element: Element) =>
      !list.contains(element) &&
      !element.contains(list) &&
      element.getBoundingClientRect().bottom - top > bottom + TOLERANCE_PX
    const rowHeight = Math.max(0, ...byPlace.map((row) => row.height))
    if (placed > 0 && height - bottom > 2 * rowHeight && ![...anchor.querySelectorAll('*')].some(isOther))
      isIncomplete = true
  }
  return isIncomplete
}
