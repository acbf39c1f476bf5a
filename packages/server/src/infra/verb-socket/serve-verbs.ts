import { chmod, chown, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { serialize } from 'node:v8'
import { readFrame, toFrame } from './frame.ts'
import { type ErrorCodec, type SocketVerb, verbName } from './verb.ts'

interface ServeOptions {
  path: string
  /** Group of the only process that may connect. Undefined if all processes share a user. */
  gid: number | undefined
  errors: ErrorCodec
  onFailure: (verb: string, error: unknown) => void
}

class BadRequestError extends Error {}

/** Serves verbs on a Unix socket until closed; closing aborts running calls. */
export async function serveVerbs(
  verbs: ReadonlyMap<string, SocketVerb>,
  { path, gid, errors, onFailure }: ServeOptions
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(verbs, request, response).catch((error: unknown) => {
      request.resume() // discard the rest of the request
      if (response.headersSent) return void response.destroy()
      if (error instanceof BadRequestError) return send(response, 400, null)
      const known = errors.encode(error)
      if (known) return send(response, 200, { error: known })
      if (!response.destroyed) onFailure(request.url ?? '', error)
      return send(response, 500, null)
    })
  })
  // Streams take as long as their reader or sender, and an idle connection must not close just when it is reused.
  Object.assign(server, { requestTimeout: 0, keepAliveTimeout: 0 })
  const directory = dirname(path)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await rm(path, { force: true }) // left by a killed worker
  await once(server.listen(path), 'listening')
  // The directory's permissions last: until then no other user can connect.
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
  if (!verb) throw new BadRequestError()
  const args = await readArguments(verb, request)
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort(new Error('the caller disconnected')))
  const result = await verb.run(args, { signal: disconnected.signal, input: request })
  const [value, stream] = split(result)
  const frame = toFrame(serialize({ value, isStreamed: stream !== undefined }))
  response.writeHead(200)
  if (!stream) return void response.end(frame)
  response.write(frame)
  // Couples both ends: an interrupted stream must not look complete.
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
    throw new BadRequestError('invalid arguments', { cause })
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
