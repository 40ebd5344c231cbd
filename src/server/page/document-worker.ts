import { handleTasks } from '../workers/index.js'
import { readDocument } from './read-document.js'

handleTasks(readDocument)
