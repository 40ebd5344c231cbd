export { openapiDocument } from './openapi-document.js'
