// Not a module, because only then it declares one. Sites reference it: `/// <reference types="page-preview-server/vite/client" />`.

declare module 'virtual:page-preview' {
  /** Results by URL, with images that the build contains, for the `data` of components. */
  // oxlint-disable-next-line typescript/consistent-type-imports -- An import statement may not name a file by its path here.
  const previews: Readonly<Record<string, import('../../query/index.js').PageData>>
  export default previews
}
