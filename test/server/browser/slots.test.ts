import { expect, it } from 'vitest'
import { createSlots } from '../../../src/server/browser/slots.js'

const never = new AbortController().signal

it('lets in who came first, one for each place given back', async () => {
  const slots = createSlots({ concurrency: 2, queue: 9 })
  const order: number[] = []
  const enter = async (number: number) => {
    const giveBack = await slots.take(never)
    order.push(number)
    return giveBack
  }
  const [first, , third, fourth] = [enter(1), enter(2), enter(3), enter(4)]
  const giveBack = await first
  expect(order).toEqual([1, 2])
  giveBack()
  giveBack()
  const giveBackThird = await third
  expect(order).toEqual([1, 2, 3])
  giveBackThird()
  await fourth
  expect(order).toEqual([1, 2, 3, 4])
})

it('lets those leave the queue who no longer want in', async () => {
  const slots = createSlots({ concurrency: 1, queue: 1 })
  const giveBack = await slots.take(never)
  const abort = new AbortController()
  const waiting = slots.take(abort.signal)
  await expect(slots.take(never)).rejects.toMatchObject({ code: 'EBUSY' })
  abort.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  const next = slots.take(never)
  giveBack()
  expect(await next).toBeTypeOf('function')
})
