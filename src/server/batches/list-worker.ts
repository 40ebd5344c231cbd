import { handleTasks } from '../handle-tasks.js'
import { parseListFile } from '../url-list.js'

handleTasks((source: string, [bytes]) => parseListFile(bytes!, source))
