export { createMcpServers } from './create-mcp-server.js'
export { listen } from './listen.js'
