import { chmod, chown, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { serialize } from 'node:v8'
import { readFrame, toFrame } from './frame.ts'
import { type ErrorCodec, type SocketVerb, verbName } from './verb.ts'

interface ServeOptions {
  /** Of the socket, in a directory that is made for it alone. */
  path: string
  /** The group of the one process that may ask: the kernel lets nobody else connect. Undefined where all are one user. */
  gid: number | undefined
  errors: ErrorCodec
  /** Told what a verb failed with where it is not for the caller to know. */
  onFailure: (verb: string, error: unknown) => void
}

class Refused extends Error {}

/** Answers calls of these verbs on a Unix socket until it is closed; those in hand are ended then. */
export async function serveVerbs(
  verbs: ReadonlyMap<string, SocketVerb>,
  { path, gid, errors, onFailure }: ServeOptions
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(verbs, request, response).catch((error: unknown) => {
      request.resume() // What is still coming is for nobody.
      if (response.headersSent) return void response.destroy()
      if (error instanceof Refused) return send(response, 400, null)
      const known = errors.encode(error)
      if (known) return send(response, 200, { error: known })
      if (!response.destroyed) onFailure(request.url ?? '', error)
      return send(response, 500, null)
    })
  })
  // A stream takes as long as whoever reads or sends it; and a connection that is kept must not end just when it is used again.
  Object.assign(server, { requestTimeout: 0, keepAliveTimeout: 0 })
  const directory = dirname(path)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await rm(path, { force: true }) // Of a worker that was killed.
  await once(server.listen(path), 'listening')
  // The directory last: until then nobody comes through it.
  if (gid !== undefined) for (const each of [path, directory]) await chown(each, 0, gid)
  await chmod(path, 0o660)
  await chmod(directory, gid === undefined ? 0o700 : 0o2750)
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

async function answer(
  verbs: ReadonlyMap<string, SocketVerb>,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const verb = request.method === 'POST' ? verbs.get(nameIn(request.url)) : undefined
  if (!verb) throw new Refused()
  const args = await readArguments(verb, request)
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('nobody waits for the answer')))
  const result = await verb.run(args, { signal: gone.signal, input: request })
  const [value, stream] = split(result)
  const frame = toFrame(serialize({ value, isStreamed: stream !== undefined }))
  response.writeHead(200)
  if (!stream) return void response.end(frame)
  response.write(frame)
  // The end of one is the end of the other: a stream that breaks off must not look like a whole one.
  pipeline(stream, response, () => {})
}

const nameIn = (url = ''): string => {
  const name = url.slice(1)
  return verbName.test(name) ? name : ''
}

async function readArguments(verb: SocketVerb, request: IncomingMessage): Promise<readonly unknown[]> {
  try {
    return verb.parse(JSON.parse((await readFrame(request)).toString('utf8')))
  } catch (cause) {
    throw new Refused('the arguments are none of this verb', { cause })
  }
}

function split(result: unknown): [unknown, Readable | undefined] {
  if (typeof result !== 'object' || result === null || !('stream' in result) || !(result.stream instanceof Readable))
    return [result, undefined]
  const { stream, ...value } = result
  return [value, stream]
}

function send(response: ServerResponse, status: number, content: object | null): void {
  if (!response.destroyed) response.writeHead(status).end(toFrame(serialize(content)))
}
