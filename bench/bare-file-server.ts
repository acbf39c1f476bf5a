import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

// The least that does the same: the body of a request to a file that is on disk when it is answered, and a file to the body of an answer.
const path = process.env.FILE!

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    await pipeline(request, createWriteStream(path))
    const file = await open(path)
    await file.datasync()
    await file.close()
    response.writeHead(201).end()
    return
  }
  response.writeHead(200, { 'content-length': (await stat(path)).size })
  await pipeline(createReadStream(path), response)
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
await once(server, 'listening')
console.log('ready')
