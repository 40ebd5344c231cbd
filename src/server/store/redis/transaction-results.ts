/**
 * The results of a `MULTI` transaction, which reports the failure of each command apart.
 *
 * @throws  the error of the first command that failed.
 */
export function transactionResults(replies: readonly [Error | null, unknown][] | null): unknown[] {
  return (replies ?? []).map(([error, result]) => {
    if (error) throw error
    return result
  })
}
