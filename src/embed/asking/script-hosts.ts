import type { ScriptTag } from '../script-tag.js'
import type { Hosts } from '../../query/index.js'

/** Where the script asks: `data-free` and `data-pro` of its tag, else the origin that it came from. */
export function scriptHosts({ src, dataset }: ScriptTag): Hosts {
  const { free = new URL('/', src).href, pro = free } = dataset
  return { free, pro }
}
