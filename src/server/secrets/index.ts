export { hasPassword } from './has-password.js'
export { readSecret, secretFileVariable } from './read-secret.js'
