import { version } from 'react'

/** React 18 has `ref` beside the props, calls refs with `null` again, and writes some attributes in lower case. */
export const isReact18 = /* @__PURE__ */ version.startsWith('18')
