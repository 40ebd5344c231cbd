import { handleTasks } from '../handle-tasks.js'
import { readContent } from './read-content.js'

handleTasks(readContent)
