import type { Files } from './git-repositories.ts'

/** A Node.js site without dependencies that answers with `word`, the path, and what the proxy told it. */
export function nodeSite(word: string): Files {
  return {
    'package.json': JSON.stringify({
      name: 'site',
      private: true,
      type: 'module',
      scripts: { start: 'node server.js' }
    }),
    'server.js': `
import { createServer } from 'node:http'
import { createHash } from 'node:crypto'
const server = createServer((request, response) => {
  if (request.url === '/env') return response.end(JSON.stringify(process.env))
  if (request.url === '/headers') return response.end(JSON.stringify(request.headers))
  if (request.url === '/exit') { response.end('bye'); console.error('last words'); setTimeout(() => process.exit(3), 50); return }
  if (request.url.startsWith('/slow')) return setTimeout(() => response.end(${JSON.stringify(word)}), 3000)
  if (request.method === 'POST') {
    let bytes = 0
    request.on('data', (chunk) => (bytes += chunk.length))
    request.on('end', () => response.end(String(bytes)))
    return
  }
  response.end(${JSON.stringify(word)} + ' ' + request.url)
})
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n')
  socket.pipe(socket)
})
server.listen(process.env.PORT, '0.0.0.0', () => console.log('listening on ' + process.env.PORT))
process.on('SIGTERM', () => server.close(() => process.exit(0)))
`
  }
}

/** The same with a build script; `startScript` when it is not to start as usual. */
export function builtNodeSite(word: string, buildScript: string, startScript = 'node server.js'): Files {
  const scripts = { build: buildScript, start: startScript }
  return {
    ...nodeSite(word),
    'package.json': JSON.stringify({ name: 'site', private: true, type: 'module', scripts })
  }
}

/** A site whose start script is the line. */
export function siteStartedBy(startScript: string): Files {
  return { ...nodeSite('never'), ...startScriptOf(startScript) }
}

export const startScriptOf = (start: string): Files => ({
  'package.json': JSON.stringify({ name: 'site', private: true, type: 'module', scripts: { start } })
})
