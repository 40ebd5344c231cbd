import type { Hosts } from '../../query/index.js'
import type { ScriptTag } from '../script-tag.js'

/** The hosts of the service: `data-free` and `data-pro` of the script tag, by default the origin that the script came from. */
export function scriptHosts({ src, dataset }: ScriptTag): Hosts {
  const { free = new URL('/', src).href, pro = free } = dataset
  return { free, pro }
}
