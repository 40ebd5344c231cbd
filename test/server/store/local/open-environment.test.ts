import { describe, expect, it } from 'vitest'
import { groupCommits } from '../../../../src/server/store/local/open-environment.js'

/** A transaction over a list, as the database does it: all changes or none. */
function listOfRows() {
  const list = { rows: [] as string[], transactions: 0 }
  const transaction = <Result>(work: () => Result): Result => {
    list.transactions++
    const before = [...list.rows]
    try {
      return work()
    } catch (error) {
      list.rows = before
      throw error
    }
  }
  const addData = groupCommits(transaction)
  return { list, add: (row: string) => addData(() => list.rows.push(row)), addData }
}

describe('changes of the same moment', () => {
  it('are committed in one transaction, in their order, with the result of each', async () => {
    const { list, add } = listOfRows()
    expect(await Promise.all([add('a'), add('b'), add('c')])).toEqual([1, 2, 3])
    expect(list).toEqual({ rows: ['a', 'b', 'c'], transactions: 1 })
    await add('d')
    expect(list).toEqual({ rows: ['a', 'b', 'c', 'd'], transactions: 2 })
  })

  it('do not fail with one of them', async () => {
    const { list, add, addData } = listOfRows()
    const failing = addData(() => {
      list.rows.push('half')
      throw new Error('Damaged row.')
    })
    const results = await Promise.allSettled([add('a'), failing, add('b')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(list.rows).toEqual(['a', 'b'])
  })

  it('all fail when nothing can be committed', async () => {
    const addData = groupCommits(() => {
      throw new Error('No space left.')
    })
    const results = await Promise.allSettled([addData(() => 1), addData(() => 2)])
    expect(results.map((result) => 'reason' in result && String(result.reason))).toEqual([
      'Error: No space left.',
      'Error: No space left.',
    ])
  })
})
