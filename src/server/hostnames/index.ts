export { hostnameOf, isHostname } from './hostname-of.js'
