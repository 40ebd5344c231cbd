import { describe, expect, it } from 'vitest'
import { compareCaptures } from '../../../src/server/history/compare-captures.js'
import { compareLooks, madeCapture, type MadeBlock } from './made-captures.js'

const heading: MadeBlock = { element: 'h1', text: 'Tides' }
const lead: MadeBlock = { element: 'p', text: 'When the water comes.' }
const photo: MadeBlock = { element: 'img', look: 'sea', height: 100 }
const rows = (...texts: string[]): MadeBlock[] =>
  texts.map((text, index) => ({ element: `li:nth-of-type(${index + 1})`, text }))
const pictures = (...looks: string[]): MadeBlock[] =>
  looks.map((look, index) => ({ element: `img:nth-of-type(${index + 1})`, look }))

/** Each difference as a word and its element, with its texts. */
async function differences(before: MadeBlock[], now: MadeBlock[], height?: number): Promise<string[]> {
  const [one, other] = [madeCapture(before, height), madeCapture(now, height)]
  const { differences: found } = await compareCaptures(one, other, compareLooks(one, other))
  return found.map((each) => {
    const kind = each.before && each.now ? 'changed' : each.now ? 'added' : 'removed'
    const texts = [each.before?.text, each.now?.text].filter(Boolean).join(' → ')
    return `${kind} ${(each.now ?? each.before).element}${texts && `: ${texts}`}`
  })
}

describe('two captures of a page', () => {
  it.each<{ what: string; before: MadeBlock[]; now: MadeBlock[]; found: string[] }>([
    { what: 'that is the same', before: [heading, lead, photo], now: [heading, lead, photo], found: [] },
    {
      what: 'with another headline',
      before: [heading, lead],
      now: [{ ...heading, text: 'Floods' }, lead],
      found: ['changed h1: Tides → Floods'],
    },
    {
      what: 'with another picture in the same box',
      before: [heading, photo],
      now: [heading, { ...photo, look: 'moon' }],
      found: ['changed img'],
    },
    {
      what: 'with a picture of another size',
      before: [photo, lead],
      now: [{ ...photo, height: 200 }, lead],
      found: ['changed img'],
    },
    {
      what: 'with a text in another colour',
      before: [{ ...heading, look: 'black' }],
      now: [{ ...heading, look: 'red' }],
      found: ['changed h1: Tides → Tides'],
    },
    {
      what: 'whose text is broken into other lines',
      before: [{ ...lead, look: 'one line' }, heading],
      now: [{ ...lead, look: 'two lines', height: 40 }, heading],
      found: [],
    },
    {
      what: 'that has moved down, because a picture above it has grown',
      before: [photo, heading, lead],
      now: [{ ...photo, height: 300 }, heading, lead],
      found: ['changed img'],
    },
    {
      what: 'with a new row above the others',
      before: [heading, ...rows('one', 'two', 'three')],
      now: [heading, ...rows('zero', 'one', 'two', 'three')],
      found: ['added li:nth-of-type(1): zero'],
    },
    {
      what: 'without a row between others',
      before: [heading, ...rows('one', 'two', 'three')],
      now: [heading, ...rows('one', 'three')],
      found: ['removed li:nth-of-type(2): two'],
    },
    {
      what: 'with another text in a row between equal ones',
      before: rows('Sold out', 'Sold out', 'Sold out'),
      now: rows('Sold out', 'Available', 'Sold out'),
      found: ['changed li:nth-of-type(2): Sold out → Available'],
    },
    {
      what: 'with a new picture before the others',
      before: pictures('a', 'b', 'c'),
      now: pictures('z', 'a', 'b', 'c'),
      found: ['added img:nth-of-type(1)'],
    },
    {
      what: 'with rows in another order',
      before: rows('one', 'two'),
      now: rows('two', 'one'),
      found: [],
    },
    {
      what: 'with a new row, and another headline',
      before: [heading, ...rows('one')],
      now: [{ ...heading, text: 'Floods' }, ...rows('zero', 'one')],
      found: ['changed h1: Tides → Floods', 'added li:nth-of-type(1): zero'],
    },
    { what: 'that was empty', before: [], now: [heading], found: ['added h1: Tides'] },
    { what: 'that is empty now', before: [heading], now: [], found: ['removed h1: Tides'] },
  ])('$what differ in $found', async ({ before, now, found }) => {
    expect(await differences(before, now)).toEqual(found)
  })

  it('do not differ in what is out of sight because something above it has grown', async () => {
    const before = [photo, ...rows('one', 'two', 'three')]
    const grown = [{ ...photo, height: 140 }, ...rows('one')]
    expect(await differences(before, grown, 160)).toEqual(['changed img'])
    expect(await differences(grown, before, 160)).toEqual(['changed img'])
  })

  it('do not differ in what comes after the last part of a list that is full', async () => {
    const texts = Array.from({ length: 800 }, (_, index) => `row ${index}`)
    const before = rows(...texts)
    const now = rows('new', ...texts.slice(0, -1))
    expect(await differences(before, now, 20_000)).toEqual(['added li:nth-of-type(1): new'])
    expect(await differences(now, before, 20_000)).toEqual(['removed li:nth-of-type(1): new'])
  })

  it('are compared in pixels of their images', async () => {
    const before = {
      ...madeCapture([{ ...photo, x: 10, y: 110 }]),
      width: 2_000,
      area: { x: 0, y: 100, width: 1_000, height: 500 },
    }
    const compared: unknown[] = []
    await compareCaptures(before, before, async (pairs) => {
      compared.push(...pairs.map(({ first }) => first))
      return [0]
    })
    expect(compared).toEqual([{ x: 20, y: 20, width: 200, height: 200 }])
  })
})
