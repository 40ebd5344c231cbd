// Covers that texts which a page hides from its visitors do not reach programs that read it as Markdown or as text.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageData } from '../../src/query/index.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { HIDDEN, hiddenTexts, revealed, VISIBLE } from './hidden-texts.js'

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService(Object.fromEntries(hiddenTexts.map(({ html }, index) => [`/${index}`, html])))
})
afterAll(() => service.stop())

it.each(hiddenTexts.map(({ name }, index) => ({ name, index })))(
  'leaves out a text that is hidden by $name',
  async ({ index }) => {
    const url = `${service.site.url}/${index}`
    const response = await service.get({ url, markdown: 'true', text: 'true', 'meta.url': 'true', ping: 'false' })
    const { data } = (await response.json()) as { data: PageData }
    for (const content of [data.markdown!, data.text!]) {
      expect(content.untrustedContent).toContain(VISIBLE)
      expect(revealed(content.untrustedContent)).not.toContain(HIDDEN)
      expect(content.untrustedContent).not.toMatch(/Ignore|instructions|\p{Default_Ignorable_Code_Point}/u)
    }
  },
)
