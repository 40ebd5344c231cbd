import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'puppeteer-core'

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/**
 * What axe finds on a page: https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md. It inserts a style of
 * its own, which a content security policy reports.
 *
 * @param include  Selector of the part to look at. Default: the whole page.
 * @param exclude  Selector of what is left out of it. Default: nothing.
 * @returns        One text for each element with a violation.
 */
export async function axeViolations(page: Page, include = 'html', exclude = 'template'): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const violations: Violation[] = await page.evaluate(
    async (context) => (await Reflect.get(window, 'axe').run(context)).violations,
    { include: [[include]], exclude: [[exclude]] },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
