export { splitProps } from './split-props.js'
