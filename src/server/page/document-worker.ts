import { handleTasks } from '../handle-tasks.js'
import { readDocument } from './read-document.js'

handleTasks(readDocument)
