export { withoutInheritedFiles } from './without-inherited-files.js'
